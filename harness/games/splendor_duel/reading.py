"""Reading a State or View array in plain Python, for people-sized uses: JSON, notation, pictures, measures."""

from typing import Any

from harness.games.game import State
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb


def tokens_dict(lanes: int) -> dict[str, int]:
    """Return the colours of a set of tokens that are not zero."""
    counts = {color: (lanes >> (tb.LANE * c)) & tb.LANE_MASK for c, color in enumerate(tb.COLORS)}
    return {color: n for color, n in counts.items() if n}


def board_rows(state: State) -> list[list[str]]:
    """Return the letters of the 25 cells, row by row."""
    rows = [["."] * tb.SIDE for _ in range(tb.SIDE)]
    for color in range(tb.NUM_TOKENS):
        cells = int(state[st.BOARD + color])
        for cell in range(tb.CELLS):
            if (cells >> cell) & 1:
                rows[cell // tb.SIDE][cell % tb.SIDE] = tb.LETTERS[color]
    return rows


def owned_cards(state: State, player: int) -> list[int]:
    """Return the card numbers a player owns, ascending."""
    low, high = int(state[player + st.CARDS_LOW]), int(state[player + st.CARDS_HIGH])
    owned = low | (high << (tb.FIRST_CARD[1] - 1))
    return [card for card in range(1, tb.NUM_CARDS + 1) if (owned >> (card - 1)) & 1]


def wild_color(state: State, player: int, card: int) -> int:
    """Return the colour an owned wild card joined, -1 while that is being chosen."""
    return ((int(state[player + st.WILDS]) >> (3 * int(tb.WILD_INDEX[card]))) & 7) - 1


def royals_in(mask: int) -> list[int]:
    return [royal + 1 for royal in range(tb.NUM_ROYALS) if (mask >> royal) & 1]


def counters(state: State, player: int) -> dict[str, int]:
    """Return all counters of a player by name."""
    found = {}
    for word, names in enumerate(st.COUNTER_NAMES):
        packed = int(state[player + st.COUNTERS + word])
        for lane, name in enumerate(names):
            found[name] = (packed >> (st.COUNTER_BITS * lane)) & st.COUNTER_MASK
    return found


def pyramid_level(state: State, level: int) -> list[int | None]:
    """Return the cards in a level's slots, None where a slot is empty."""
    first = st.SLOTS + tb.FIRST_SLOT[level]
    return [int(card) or None for card in state[first : first + tb.PYRAMID[level]]]


def deck_cards(state: State, level: int) -> list[int] | int:
    """Return a deck from top to bottom, or its size where the order is hidden."""
    left = int(state[st.DECK_LEFT + level])
    cards = []
    for place in reversed(range(left)):
        word, shift = st.DECK_WORD[level] + place // st.DECK_PER_WORD, st.DECK_BITS * (place % st.DECK_PER_WORD)
        entry = (int(state[word]) >> shift) & st.DECK_ENTRY
        if entry == 0:
            return left
        cards.append(tb.FIRST_CARD[level] + entry - 1)
    return cards


def reserved_card(state: State, player: int, place: int) -> dict[str, Any] | None:
    """Return what is known of a reserved place, None when it is free."""
    card = int(state[player + st.RESERVED + place])
    if card == 0:
        return None
    blind = bool((int(state[player + st.BLIND]) >> place) & 1)
    if card > tb.NUM_CARDS:
        return {"level": card - tb.UNKNOWN_CARD + 1, "from_deck": True}
    return {"card": card, "from_deck": blind}
