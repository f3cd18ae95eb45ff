"""Positions as plain JSON and back: a bot author's test, a puzzle, a rule case, a step of a replay.

``Position`` is the documentation of the format. Everything has a default, so a position says only what matters.
"""

import re
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from harness.games import luck
from harness.games.game import State, View, array_of
from harness.games.splendor_duel import kernels
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from harness.games.splendor_duel.playable import check_playable
from harness.games.splendor_duel.reading import (
    board_rows,
    counters,
    deck_cards,
    owned_cards,
    pyramid_level,
    reserved_card,
    royals_in,
    tokens_dict,
    wild_color,
)

ColorName = Literal["white", "blue", "green", "red", "black", "pearl", "gold"]
GemName = Literal["white", "blue", "green", "red", "black"]
CardNumber = Annotated[int, Field(ge=1, le=tb.NUM_CARDS)]
RoyalNumber = Annotated[int, Field(ge=1, le=tb.NUM_ROYALS)]
Count = Annotated[int, Field(ge=0, le=1 << 15)]
Tokens = dict[ColorName, Annotated[int, Field(ge=0, le=tb.ALL_TOKENS)]]
_LEVELS = ("1", "2", "3")
_PLAYERS = (st.PLAYERS, st.PLAYERS + st.PLAYER_SIZE)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ReservedCard(_Model):
    """A reserved card: its number, or only its level where this seat may not know it."""

    card: CardNumber | None = None
    level: int | None = Field(default=None, ge=1, le=3)
    from_deck: bool = False
    """Taken unseen from a deck: the opponent knows only its level."""

    @model_validator(mode="after")
    def _card_or_level(self) -> "ReservedCard":
        if (self.card is None) == (self.level is None):
            raise ValueError("give either the card or, for an unknown one, its level")
        return self


def _bare_number(value: Any) -> Any:
    return {"card": value} if isinstance(value, int) else value


class PlayerPosition(_Model):
    """What one seat has. Bonuses, points and crowns follow from cards and royals."""

    tokens: Tokens = {}
    privileges: int = Field(default=0, ge=0, le=tb.NUM_SCROLLS)
    cards: list[CardNumber] = []
    wild_colors: dict[str, GemName] = {}
    """The colour each owned wild card joined, by card number."""
    royals: list[RoyalNumber] = []
    reserved: list[Annotated[ReservedCard | None, BeforeValidator(_bare_number)]] = Field(
        default=[], max_length=tb.NUM_RESERVED
    )
    """Up to three places; a bare number is a card taken from the pyramid, null a free place."""
    turns: Count = 0
    counters: dict[str, Count] = {}
    """What measures count (see COUNTER_NAMES); absent ones are 0."""


class Pending(_Model):
    """What a sub-choice is about."""

    place: int = Field(ge=0, le=14)
    """0-11 a pyramid slot; 12-14 a deck (when reserving) or an own reserved place (when buying)."""
    card: CardNumber | None = None
    """The card being bought."""
    payment: Tokens = {}
    """The payment as chosen so far."""


class Position(_Model):
    """A whole position of Splendor Duel."""

    game: Literal["splendor_duel"] = "splendor_duel"
    phase: Literal[st.PHASE_NAMES] = "main"  # type: ignore[valid-type]
    mover: Literal[0, 1] = 0
    turn: int = Field(default=1, ge=1, le=st.MAX_TURN_LIMIT)
    turn_limit: int = Field(default=st.DEFAULT_TURN_LIMIT, ge=1, le=st.MAX_TURN_LIMIT)
    result: Literal[0, 1, "turn_limit"] | None = None
    """The winner's seat, once the phase is "over"."""
    replenished: bool = False
    extra_turn: bool = False
    royal_due: bool = False
    pending: Pending | None = None
    board: list[str] = Field(default=[". . . . ."] * tb.SIDE, min_length=tb.SIDE, max_length=tb.SIDE)
    """Five rows of five tokens: W U G R K P Au, or a dot for an empty cell."""
    bag: Tokens | None = None
    """Default: all tokens neither on the board nor in a hand."""
    pool: int | None = Field(default=None, ge=0, le=tb.NUM_SCROLLS)
    """Privileges in the common pool: those that no seat has, which is the default."""
    royals: list[RoyalNumber] | None = None
    """Royals on the table; default: those that no seat has."""
    pyramid: dict[Literal["1", "2", "3"], list[CardNumber | None]] = {}
    """Per level 5, 4 and 3 slots; absent or null is empty."""
    decks: dict[Literal["1", "2", "3"], list[CardNumber] | Count] = {}
    """Per level the cards from top to bottom, or only how many (their order is hidden); default: all cards not seen."""
    key: str | None = None
    """Hidden: the key of all later luck, 24 hexadecimal digits."""
    replenishes: Count = 0
    """Replenishes so far in the game."""
    players: list[PlayerPosition] = Field(default_factory=lambda: [PlayerPosition(), PlayerPosition()])
    seed: int | None = Field(default=None, ge=0)
    """Draws everything hidden that is not given: deck orders, unknown cards, later luck. Without it they stay hidden,
    as in a View: such a position can be looked at, but no card can be drawn from a deck of unknown order."""


# --- Position -> State ---


def from_dict(data: dict[str, Any]) -> State:
    """Return the State (or, with hidden parts absent, the View array) of a position.

    ValueError names each key that is wrong. Tokens and cards may be missing from the game, never doubled.
    """
    try:
        position = Position.model_validate(data)
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, e['loc'])) or 'position'}: {e['msg'].removeprefix('Value error, ')}"
            for e in error.errors()
        ]
        raise ValueError("\n".join(lines)) from None
    if len(position.players) != 2:
        raise ValueError("players: Splendor Duel has exactly two seats")
    state = np.zeros(st.STATE_SIZE, dtype=np.int64)
    _set_turn(state, position)
    for seat, player in enumerate(position.players):
        undecided = position.pending.card if position.pending and position.phase == "wild" else None
        _set_player(state, st.PLAYERS + seat * st.PLAYER_SIZE, player, f"players.{seat}", undecided)
    _set_table(state, position)
    _set_pyramid_and_decks(state, position)
    if position.seed is not None:
        _draw_hidden(state, position, position.seed)
    check_playable(state)
    return state


def _set_turn(state: State, position: Position) -> None:
    state[st.PHASE] = st.PHASE_NAMES.index(position.phase)
    state[st.MOVER] = position.mover
    state[st.TURN] = position.turn
    state[st.TURN_LIMIT] = position.turn_limit
    results = {None: st.RUNNING, 0: 0, 1: 1, "turn_limit": st.LIMIT_REACHED}
    if (position.phase == "over") != (position.result is not None):
        raise ValueError('result: goes with the phase "over", and only with it')
    state[st.RESULT] = results[position.result]
    state[st.FLAGS] = (
        st.REPLENISHED * position.replenished + st.EXTRA_TURN * position.extra_turn + st.ROYAL_DUE * position.royal_due
    )
    state[st.REPLENISHES] = position.replenishes
    if position.key is not None:
        if not re.fullmatch("[0-9a-fA-F]{24}", position.key):
            raise ValueError(f"key: 24 hexadecimal digits, not {position.key!r}")
        state[st.KEY : st.KEY + 3] = luck.split_key(int(position.key, 16))
    if position.pending is not None:
        state[st.CHOSEN] = position.pending.place
        state[st.BOUGHT] = position.pending.card or 0
        state[st.TO_PAY] = _lanes(position.pending.payment)


def _lanes(tokens: Tokens) -> int:
    return sum(n << (tb.LANE * tb.COLORS.index(color)) for color, n in tokens.items())


def _set_player(state: State, player: int, given: PlayerPosition, path: str, undecided: int | None) -> None:
    """Write one seat's record; ``undecided`` is a wild card whose colour is just being chosen."""
    state[player + st.TOKENS] = _lanes(given.tokens)
    state[player + st.SCROLLS] = given.privileges
    state[player + st.TURNS] = given.turns
    if len(set(given.cards)) < len(given.cards):
        raise ValueError(f"{path}.cards: a card stands there twice")
    wild = {int(card): color for card, color in given.wild_colors.items() if card.isdecimal()}
    expected = {card for card in given.cards if card in tb.WILD_CARDS and card != undecided}
    if set(wild) != expected or len(wild) != len(given.wild_colors):
        raise ValueError(f"{path}.wild_colors: must name a colour for each owned wild card, and for nothing else")
    for card in given.cards:
        _own_card(state, player, card, wild.get(card))
    for royal in set(given.royals):
        state[player + st.OWN_ROYALS] |= 1 << (royal - 1)
        state[player + st.POINTS] += tb.ROYAL_POINTS[royal - 1]
    for place, reserved in enumerate(given.reserved):
        if reserved is not None:
            number = reserved.card if reserved.card is not None else tb.UNKNOWN_CARD + (reserved.level or 1) - 1
            state[player + st.RESERVED + place] = number
            if reserved.from_deck or reserved.card is None:
                state[player + st.BLIND] |= 1 << place
    known = [name for names in st.COUNTER_NAMES for name in names]
    for name, value in given.counters.items():
        if name not in known or value > st.COUNTER_MASK:
            raise ValueError(f"{path}.counters.{name}: unknown or too large; there are {', '.join(known)}")
        word, lane = divmod(known.index(name), len(st.COUNTER_NAMES[0]))
        state[player + st.COUNTERS + word] |= value << (st.COUNTER_BITS * lane)


def _own_card(state: State, player: int, card: int, joined: str | None) -> None:
    if card < tb.FIRST_CARD[1]:
        state[player + st.CARDS_LOW] |= 1 << (card - 1)
    else:
        state[player + st.CARDS_HIGH] |= 1 << (card - tb.FIRST_CARD[1])
    state[player + st.POINTS] += tb.CARD_POINTS[card]
    state[player + st.CROWNS] += tb.CARD_CROWNS[card]
    color, count = int(tb.CARD_BONUS[card]), int(tb.CARD_BONUS_COUNT[card])
    if joined is not None:
        color, count = tb.COLORS.index(joined), 1
        state[player + st.WILDS] |= (color + 1) << (3 * int(tb.WILD_INDEX[card]))
    if color >= 0:
        state[player + st.BONUSES] += count << (tb.LANE * color)
        state[player + st.COLOR_POINTS] += int(tb.CARD_POINTS[card]) << (tb.LANE * color)


def _set_table(state: State, position: Position) -> None:
    """Board, bag, privileges and royals; what is not given is the rest."""
    left = list(tb.TOKEN_SUPPLY)
    for row, text in enumerate(position.board):
        cells = text.split()
        if len(cells) != tb.SIDE or any(cell != "." and cell not in tb.LETTERS for cell in cells):
            raise ValueError(f"board.{row}: five of {' '.join(tb.LETTERS)} or a dot, not {text!r}")
        for column, cell in enumerate(cells):
            if cell != ".":
                state[st.BOARD + tb.LETTERS.index(cell)] |= 1 << (tb.SIDE * row + column)
                left[tb.LETTERS.index(cell)] -= 1
    for player in position.players:
        for color, count in player.tokens.items():
            left[tb.COLORS.index(color)] -= count
    for color, count in (position.bag or {}).items():
        left[tb.COLORS.index(color)] -= count
    if min(left) < 0:
        color_name = tb.COLORS[left.index(min(left))]
        raise ValueError(f"tokens: more {color_name} ones on board, in bag and hands than the game has")
    state[st.BAG] = (
        sum(n << (tb.LANE * c) for c, n in enumerate(left)) if position.bag is None else _lanes(position.bag)
    )
    spare = tb.NUM_SCROLLS - sum(player.privileges for player in position.players)
    if spare < 0 or position.pool not in (None, spare):  # a gain relies on there being three [duel 4.2]
        raise ValueError(f"pool: pool and seats together have {tb.NUM_SCROLLS} privileges, no more and no fewer")
    state[st.POOL] = spare
    owned = [royal for player in position.players for royal in player.royals]
    on_table = [r for r in range(1, 5) if r not in owned] if position.royals is None else position.royals
    if len(set(owned + on_table)) < len(owned + on_table):
        raise ValueError("royals: one of them is in two places")
    state[st.ROYALS] = sum(1 << (royal - 1) for royal in on_table)


def _set_pyramid_and_decks(state: State, position: Position) -> None:
    seen = [card for player in position.players for card in player.cards]
    for player in _PLAYERS:
        seen += [int(c) for c in state[player + st.RESERVED : player + st.RESERVED + tb.NUM_RESERVED] if c]
    for level, key in enumerate(_LEVELS):
        cards = position.pyramid.get(key, [])  # type: ignore[call-overload]
        if len(cards) > tb.PYRAMID[level]:
            raise ValueError(f"pyramid.{key}: at most {tb.PYRAMID[level]} cards")
        for slot, card in enumerate(cards):
            _check_level(card, level, f"pyramid.{key}")
            state[st.SLOTS + tb.FIRST_SLOT[level] + slot] = card or 0
        seen += [card for card in cards if card]
    for key in _LEVELS:
        deck = position.decks.get(key)  # type: ignore[call-overload]
        if isinstance(deck, list):
            seen += deck
    known = [card for card in seen if card <= tb.NUM_CARDS]
    if len(set(known)) < len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise ValueError(f"cards: card {twice} is in two places")
    for level, key in enumerate(_LEVELS):
        unseen = tb.LEVEL_SIZES[level] - sum(1 for card in seen if int(tb.CARD_LEVEL[card]) == level)
        deck = position.decks.get(key, max(unseen, 0))  # type: ignore[call-overload]
        _set_deck(state, level, deck, unseen)


def _draw_hidden(state: State, position: Position, seed: int) -> None:
    """Draw by the seed what is hidden, but keep deck orders and a key that the position gives."""
    given = state.copy()
    for level, key in enumerate(_LEVELS):
        unknown = any(
            tb.UNKNOWN_CARD + level in state[p : p + st.PLAYER_SIZE][st.RESERVED : st.BLIND] for p in _PLAYERS
        )
        if unknown and isinstance(position.decks.get(key), list):  # type: ignore[call-overload]
            raise ValueError(f"decks.{key}: its order cannot be given while a reserved card of the level is unknown")
    kernels.redeal(state, *luck.key_words(seed))
    for level, key in enumerate(_LEVELS):
        if isinstance(position.decks.get(key), list):  # type: ignore[call-overload]
            words = slice(st.DECK_WORD[level], [*st.DECK_WORD, st.SLOTS][level + 1])
            state[words] = given[words]
            state[st.DECK_LEFT + level] = given[st.DECK_LEFT + level]
    if position.key is not None:
        state[st.KEY : st.KEY + 3] = given[st.KEY : st.KEY + 3]


def _check_level(card: int | None, level: int, path: str) -> None:
    if card is not None and int(tb.CARD_LEVEL[card]) != level:
        raise ValueError(f"{path}: card {card} is of level {int(tb.CARD_LEVEL[card]) + 1}")


def _set_deck(state: State, level: int, deck: list[int] | int, unseen: int) -> None:
    if isinstance(deck, int):
        if deck > unseen or unseen < 0:
            raise ValueError(f"decks.{level + 1}: only {max(unseen, 0)} cards of this level are not seen elsewhere")
        state[st.DECK_LEFT + level] = deck
        return
    state[st.DECK_LEFT + level] = len(deck)
    for place, card in enumerate(reversed(deck)):
        _check_level(card, level, f"decks.{level + 1}")
        word, shift = st.DECK_WORD[level] + place // st.DECK_PER_WORD, st.DECK_BITS * (place % st.DECK_PER_WORD)
        state[word] |= (card - tb.FIRST_CARD[level] + 1) << shift


# --- State -> Position ---


def to_dict(position: State | View) -> dict[str, Any]:
    """Return a position as plain JSON, see Position. The hidden parts of a View are absent."""
    state = array_of(position)
    flags = int(state[st.FLAGS])
    result = {st.RUNNING: None, st.LIMIT_REACHED: "turn_limit"}.get(int(state[st.RESULT]), int(state[st.RESULT]))
    data: dict[str, Any] = {
        "game": "splendor_duel",
        "phase": st.PHASE_NAMES[int(state[st.PHASE])],
        "mover": int(state[st.MOVER]),
        "turn": int(state[st.TURN]),
        "turn_limit": int(state[st.TURN_LIMIT]),
        "result": result,
        "replenished": bool(flags & st.REPLENISHED),
        "extra_turn": bool(flags & st.EXTRA_TURN),
        "royal_due": bool(flags & st.ROYAL_DUE),
        "board": [" ".join(row) for row in board_rows(state)],
        "bag": tokens_dict(int(state[st.BAG])),
        "pool": int(state[st.POOL]),
        "royals": royals_in(int(state[st.ROYALS])),
        "pyramid": {key: pyramid_level(state, level) for level, key in enumerate(_LEVELS)},
        "decks": {key: deck_cards(state, level) for level, key in enumerate(_LEVELS)},
        "replenishes": int(state[st.REPLENISHES]),
        "players": [_player_dict(state, st.PLAYERS + seat * st.PLAYER_SIZE) for seat in range(2)],
    }
    if state[st.PHASE] not in (st.MAIN, st.OVER, st.CHOOSE_DISCARD):
        data["pending"] = {
            "place": int(state[st.CHOSEN]),
            "card": int(state[st.BOUGHT]) or None,
            "payment": tokens_dict(int(state[st.TO_PAY])),
        }
    if state[st.KEY : st.KEY + 3].any():
        key0, key1, key2 = (int(word) for word in state[st.KEY : st.KEY + 3])
        data["key"] = f"{key0 | key1 << 32 | key2 << 64:024x}"
    return data


def _player_dict(state: State, player: int) -> dict[str, Any]:
    cards = owned_cards(state, player)
    joined = {card: wild_color(state, player, card) for card in cards if card in tb.WILD_CARDS}
    return {
        "tokens": tokens_dict(int(state[player + st.TOKENS])),
        "privileges": int(state[player + st.SCROLLS]),
        "cards": cards,
        "wild_colors": {str(card): tb.COLORS[color] for card, color in joined.items() if color >= 0},
        "royals": royals_in(int(state[player + st.OWN_ROYALS])),
        "reserved": [reserved_card(state, player, place) for place in range(tb.NUM_RESERVED)],
        "turns": int(state[player + st.TURNS]),
        "counters": {name: value for name, value in counters(state, player).items() if value},
    }
