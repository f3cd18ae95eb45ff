"""The kernels that stand around the rules: the deal, hidden information, whole games, and a match's one call."""

import numpy as np

from harness.games import luck
from harness.games.game import Kernels
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, legal, random_action
from harness.games.splendor_duel.rules import apply
from harness.games.splendor_duel.state import (
    BAG,
    BLIND,
    CARDS_HIGH,
    CARDS_LOW,
    COLOR_POINTS,
    CROWNS,
    DECK_BITS,
    DECK_ENTRY,
    DECK_LEFT,
    DECK_PER_WORD,
    DECK_WORD,
    DECKS,
    DEFAULT_TURN_LIMIT,
    KEY,
    MOVER,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    POOL,
    RESERVED,
    RESULT,
    ROYALS,
    RUNNING,
    SCROLLS,
    SLOTS,
    STATE_SIZE,
    TURN,
    TURN_LIMIT,
    TURNS,
)
from harness.games.splendor_duel.supply import draw_card, lay_tokens
from harness.games.splendor_duel.tables import (
    ALL_ROYALS,
    CARD_LEVEL,
    FIRST_CARD,
    FOLDER,
    FULL_BAG,
    LANE,
    LANE_MASK,
    LEVEL_SIZES,
    MAX_LEGAL,
    NUM_CARDS,
    NUM_GEMS,
    NUM_LEVELS,
    NUM_RESERVED,
    NUM_SCROLLS,
    NUM_SLOTS,
    SLOT_LEVEL,
    UNKNOWN_CARD,
    WIN_COLOR,
    WIN_CROWNS,
    WIN_POINTS,
)

kernel = compiler(FOLDER)

EVENT_DECK = 0  # plus the level: the order of a deck at the deal, or when it is drawn anew for a sample
EVENT_CHOICE = 8  # the choices of a random game, under a key of its own
COLOR, CROWN, POINT, LIMIT = 1, 2, 4, 8  # bits of `endings`, in the order of the game's victory types


@kernel("int64(int64[::1], int64, int64)", inner=True)
def deck_entry(s: Words, level: int, place: int) -> int:
    """Return an entry of a deck order: 1 + the card's place in its level; place 0 is the bottom."""
    return (s[DECK_WORD[level] + place // DECK_PER_WORD] >> (DECK_BITS * (place % DECK_PER_WORD))) & DECK_ENTRY


@kernel("void(int64[::1], int64, int64, int64)", inner=True)
def set_deck_entry(s: Words, level: int, place: int, entry: int) -> None:
    word, shift = DECK_WORD[level] + place // DECK_PER_WORD, DECK_BITS * (place % DECK_PER_WORD)
    s[word] = (s[word] & ~(DECK_ENTRY << shift)) | (entry << shift)


@kernel("void(int64[::1], int64, int64, int64, int64)", inner=True)
def _shuffle_deck(s: Words, level: int, key0: int, key1: int, key2: int) -> None:
    """Fisher-Yates over the cards a deck holds."""
    a, b, c, k = luck.start(key0, key1, key2, EVENT_DECK + level)
    for last in range(s[DECK_LEFT + level] - 1, 0, -1):
        a, b, c, k, pick = luck.below(a, b, c, k, last + 1)
        entry = deck_entry(s, level, pick)
        set_deck_entry(s, level, pick, deck_entry(s, level, last))
        set_deck_entry(s, level, last, entry)


@kernel("void(int64[::1], int64, int64, int64, int64)")
def deal(s: Words, key0: int, key1: int, key2: int, turn_limit: int) -> None:
    """Set up a game [duel 2]: seat 0 begins, seat 1 has a scroll."""
    s[:] = 0
    s[TURN] = 1
    s[TURN_LIMIT] = turn_limit
    s[RESULT] = RUNNING
    s[KEY] = key0
    s[KEY + 1] = key1
    s[KEY + 2] = key2
    for level in range(NUM_LEVELS):
        s[DECK_LEFT + level] = LEVEL_SIZES[level]
        for place in range(LEVEL_SIZES[level]):
            set_deck_entry(s, level, place, place + 1)
        _shuffle_deck(s, level, key0, key1, key2)
    for slot in range(NUM_SLOTS):
        s[SLOTS + slot] = draw_card(s, SLOT_LEVEL[slot])
    s[BAG] = FULL_BAG
    lay_tokens(s)
    s[ROYALS] = ALL_ROYALS
    s[POOL] = NUM_SCROLLS - 1
    s[PLAYERS + TURNS] = 1
    s[PLAYERS + PLAYER_SIZE + SCROLLS] = 1


# --- Hidden information [duel 11.4] ---


@kernel("void(int64[::1], int64)")
def hide(s: Words, seat: int) -> None:
    """Turn a State into the View of a seat, in place: blank the luck, the decks and the other's blind reserve."""
    s[KEY : KEY + 3] = 0
    s[DECKS : DECKS + 7] = 0
    other = PLAYERS + (1 - seat) * PLAYER_SIZE
    for place in range(NUM_RESERVED):
        if (s[other + BLIND] >> place) & 1:
            card = s[other + RESERVED + place]
            s[other + RESERVED + place] = UNKNOWN_CARD + CARD_LEVEL[card]


@kernel("int64(int64[::1], int64)", inner=True)
def unseen_cards(s: Words, level: int) -> int:
    """Return the mask of a level's cards (bit = place in the level) that a View shows nowhere."""
    first = FIRST_CARD[level]
    unseen = (1 << LEVEL_SIZES[level]) - 1
    for slot in range(NUM_SLOTS):
        card = s[SLOTS + slot]
        if card and CARD_LEVEL[card] == level:
            unseen &= ~(1 << (card - first))
    for player in (PLAYERS, PLAYERS + PLAYER_SIZE):
        if level == 0:
            unseen &= ~s[player + CARDS_LOW]
        else:
            unseen &= ~(s[player + CARDS_HIGH] >> (first - FIRST_CARD[1]))
        for place in range(NUM_RESERVED):
            card = s[player + RESERVED + place]
            if 0 < card <= NUM_CARDS and CARD_LEVEL[card] == level:
                unseen &= ~(1 << (card - first))
    return unseen


@kernel("void(int64[::1], int64, int64, int64)")
def redeal(s: Words, key0: int, key1: int, key2: int) -> None:
    """Turn a View into a full State, in place, uniformly among those it allows.

    All unseen cards of a level are shuffled together; the unknown reserved ones take theirs from the top.
    """
    s[KEY] = key0
    s[KEY + 1] = key1
    s[KEY + 2] = key2
    for level in range(NUM_LEVELS):
        in_deck = s[DECK_LEFT + level]
        unseen = unseen_cards(s, level)
        count = 0
        for place in range(LEVEL_SIZES[level]):
            if (unseen >> place) & 1:
                set_deck_entry(s, level, count, place + 1)
                count += 1
        s[DECK_LEFT + level] = count
        _shuffle_deck(s, level, key0, key1, key2)
        for player in (PLAYERS, PLAYERS + PLAYER_SIZE):
            for place in range(NUM_RESERVED):
                if s[player + RESERVED + place] == UNKNOWN_CARD + level:
                    s[player + RESERVED + place] = draw_card(s, level)
        if s[DECK_LEFT + level] > in_deck:  # only in a made-up position, where cards may be out of the game
            while s[DECK_LEFT + level] > in_deck:
                draw_card(s, level)


# --- Endings and whole games ---


@kernel("int64(int64[::1])")
def endings(s: Words) -> int:
    """Return the bits COLOR, CROWN, POINT of all conditions the winner fulfils, or LIMIT; 0 while the game runs."""
    result = s[RESULT]
    if result == RUNNING:
        return 0
    if result > 1:
        return LIMIT
    player = PLAYERS + result * PLAYER_SIZE
    bits = POINT if s[player + POINTS] >= WIN_POINTS else 0
    if s[player + CROWNS] >= WIN_CROWNS:
        bits |= CROWN
    for color in range(NUM_GEMS):
        if (s[player + COLOR_POINTS] >> (LANE * color)) & LANE_MASK >= WIN_COLOR:
            bits |= COLOR
    return bits


@kernel("int64(int64[::1], int64, int64, int64)")
def random_game(s: Words, key0: int, key1: int, key2: int) -> int:
    """Play on with uniformly random actions until the game is over; return the number of actions."""
    a, b, c, k = luck.start(key0, key1, key2, EVENT_CHOICE)
    actions = 0
    while True:
        a, b, c, k, action = random_action(s, a, b, c, k)
        if action < 0:
            return actions
        apply(s, action)
        actions += 1


@kernel("int64(int64, int64, int64[::1])")
def random_games(seed: int, games: int, totals: Words) -> int:
    """Deal and play whole random games, see Kernels; return the number of actions."""
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    actions = 0
    for game in range(games):
        deal(s, seed & luck.MASK, seed >> 32, game, DEFAULT_TURN_LIMIT)
        actions += random_game(s, seed & luck.MASK, seed >> 32, game)
        kind = 0
        while not (endings(s) >> kind) & 1:
            kind += 1
        totals[kind] += 1
    return actions


# --- A match's one call per decision, see Kernels ---

VIEW_AT = Kernels.STATE + STATE_SIZE
LEGAL_AT = VIEW_AT + STATE_SIZE
COUNT_AT, SEAT_AT, STATE_AT, START = Kernels.COUNT, Kernels.SEAT, Kernels.STATE, Kernels.START


@kernel("int64(int64[::1], int64)")
def step(buffer: Words, action: int) -> int:
    """Check and apply an action, then write seat, View and legal ids of the next decision; -1 if it is not legal."""
    s = buffer[STATE_AT:VIEW_AT]
    ids = buffer[LEGAL_AT:]
    if action != START:
        found = False
        for i in range(buffer[COUNT_AT]):
            found |= ids[i] == action
        if not found:
            return -1
        apply(s, action)
    seat = s[MOVER]
    n = legal(s, ids)
    buffer[COUNT_AT] = n
    buffer[SEAT_AT] = seat
    view = buffer[VIEW_AT:LEGAL_AT]
    view[:] = s
    hide(view, seat)
    return n


assert LEGAL_AT == Kernels.STATE + 2 * STATE_SIZE
assert MAX_LEGAL > 0
