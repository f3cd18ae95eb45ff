"""Positions as JSON: every State and View comes back exactly, a wrong position is refused by the key that is wrong."""

import json
import re

import numpy as np
import pytest

from harness.games.game import array_of
from harness.games.splendor_duel import GAME
from tests.games.splendor_duel.positions import deck, facts, legal, play, player, position, random_positions

BOARD = ["W U G R K", "P . . . .", ". . . . .", ". . . . .", ". . . . Au"]
PHASES = {"main", "gold", "payment", "wild", "match", "steal", "royal", "discard", "over"}


def test_states_and_views_come_back_exactly():
    seen = dict.fromkeys(PHASES, 0)
    for state in (state for game in random_positions(100) for state in game):
        phase = GAME.to_dict(state)["phase"]
        seen[phase] += 1
        if seen[phase] > 60:
            continue
        for shown in (state, GAME.view(state, 0), GAME.view(state, 1)):
            text = json.dumps(GAME.to_dict(shown))
            again = GAME.from_dict(json.loads(text))
            assert np.array_equal(again, array_of(shown)), phase
            assert json.dumps(GAME.to_dict(again)) == text
    assert min(seen.values()) > 20


def test_a_position_played_on_is_the_same_game():
    state = random_positions(3)[2][40]
    again = GAME.from_dict(json.loads(json.dumps(GAME.to_dict(state))))
    for first, second in zip(random_positions(3)[2][40:], random_positions(3)[2][41:], strict=False):
        action = next(a for a in GAME.legal_actions(first) if np.array_equal(_after(first, a), second))
        assert GAME.legal_actions(again) == GAME.legal_actions(first)
        GAME.apply(again, action)
    assert np.array_equal(again, random_positions(3)[2][-1])


def _after(state, action):
    after = state.copy()
    GAME.apply(after, action)
    return after


# --- What may be left out ---


def test_what_is_not_given_is_the_rest():
    state = GAME.from_dict({"board": BOARD, "players": [{"tokens": {"red": 2}, "privileges": 1, "royals": [2]}, {}]})
    data = GAME.to_dict(state)
    assert data["bag"] == {"white": 3, "blue": 3, "green": 3, "red": 1, "black": 3, "pearl": 1, "gold": 2}
    assert data["pool"] == 2
    assert data["royals"] == [1, 3, 4]
    assert data["decks"] == {"1": 30, "2": 24, "3": 13}
    assert (data["phase"], data["mover"], data["turn"], data["turn_limit"]) == ("main", 0, 1, 400)


def test_the_seed_draws_what_is_not_given():
    def make(seed, **more):
        reserved = [{"reserved": [{"level": 3}]}, {"cards": [3]}]
        return GAME.from_dict({"board": BOARD, "players": reserved, "pyramid": {"1": [1, 2]}, "seed": seed} | more)

    first = make(7)
    assert np.array_equal(first, make(7))
    assert sorted([1, 2, 3, *deck(first, 1)]) == list(range(1, 31))
    assert sorted([facts(first)["A.reserved"][0], *deck(first, 3)]) == list(range(55, 68))
    assert len({tuple(deck(make(seed), 2)) for seed in range(20)}) == 20
    assert len({GAME.to_dict(make(seed))["key"] for seed in range(1, 21)}) == 20
    given = make(7, decks={"1": [9, 8, 7], "2": [], "3": 4}, key="0123456789abcdef01234567")
    assert (deck(given, 1), deck(given, 2)) == ([9, 8, 7], [])
    assert len(deck(given, 3)) == 4
    assert GAME.to_dict(given)["key"] == "0123456789abcdef01234567"
    assert facts(play(position("Wa1 Aub1", pyramid=[1], decks={"1": [9, 8]}), "reserve 1"))["pyramid.1.0"] == 9


def test_a_view_becomes_a_full_position_by_a_seed():
    state = next(s for s in random_positions(20)[3] if any(facts(s)["B.reserved"]) and GAME.seat(s) == 0)
    seen = GAME.to_dict(GAME.view(state, 0))
    full = GAME.from_dict(seen | {"seed": 5})
    assert GAME.view(full, 0) == GAME.view(state, 0)
    assert legal(full) == legal(state)


# --- What is wrong ---

PAYMENT = {"phase": "payment", "pyramid": {"1": [12]}, "players": [{"tokens": {"red": 3, "gold": 1}}, {}]}


def paying(payment, **more):
    return PAYMENT | {"pending": {"place": 0, "card": 12, "payment": payment} | more}


BAD = [
    ({"colour": "red"}, "colour: Extra inputs are not permitted"),
    ({"game": "splendor"}, "game: Input should be 'splendor_duel'"),
    ({"phase": "lunch"}, "phase: Input should be 'main', 'gold'"),
    ({"mover": 2}, "mover: Input should be 0 or 1"),
    ({"turn": 0}, "turn: "),
    ({"turn": 2**70}, "turn: "),
    ({"turn": "1"}, "turn: Input should be a valid integer"),
    ({"turn_limit": 0}, "turn_limit: "),
    ({"turn_limit": 10**6}, "turn_limit: "),
    ({"replenishes": 2**70}, "replenishes: "),
    # board and tokens
    ({"board": "W U G R K"}, "board: Input should be a valid list"),
    ({"board": BOARD[:4]}, "board: List should have at least 5 items"),
    ({"board": [*BOARD, BOARD[0]]}, "board: List should have at most 5 items"),
    ({"board": [*BOARD[:4], "W U G R"]}, "board.4: five of W U G R K P Au or a dot, not 'W U G R'"),
    ({"board": ["W U G R B", *BOARD[1:]]}, "board.0: five of W U G R K P Au or a dot, not 'W U G R B'"),
    ({"board": ["P P P R K", *BOARD[1:]]}, "tokens: more pearl ones on board, in bag and hands than the game has"),
    ({"bag": {"gold": 3}}, "tokens: more gold ones"),
    ({"players": [{"tokens": {"white": 4}}, {}]}, "tokens: more white ones"),
    ({"players": [{"tokens": {"white": 2**60}}, {}]}, "players.0.tokens.white: "),
    ({"players": [{"tokens": {"white": -1}}, {}]}, "players.0.tokens.white: "),
    ({"players": [{"tokens": {"purple": 1}}, {}]}, "players.0.tokens.purple"),
    # scrolls and royals
    ({"players": [{"privileges": 2}, {"privileges": 2}]}, "pool: pool and seats together have 3 privileges"),
    ({"players": [{"privileges": 4}, {}]}, "players.0.privileges: "),
    ({"pool": 0}, "pool: pool and seats together have 3 privileges"),
    ({"pool": 3, "players": [{"privileges": 1}, {}]}, "pool: pool and seats together have 3 privileges"),
    ({"royals": [1, 1]}, "royals: one of them is in two places"),
    ({"royals": [1], "players": [{"royals": [1]}, {}]}, "royals: one of them is in two places"),
    ({"royals": [5]}, "royals.0: "),
    # players
    ({"players": [{}]}, "players: Splendor Duel has exactly two seats"),
    ({"players": [{}, {}, {}]}, "players: Splendor Duel has exactly two seats"),
    ({"players": [{"points": 3}, {}]}, "players.0.points: Extra inputs are not permitted"),
    ({"players": [{"turns": 2**70}, {}]}, "players.0.turns: "),
    ({"players": [{"cards": [68]}, {}]}, "players.0.cards.0: "),
    ({"players": [{"cards": [1, 1]}, {}]}, "players.0.cards: a card stands there twice"),
    ({"players": [{"cards": [1]}, {"cards": [1]}]}, "cards: card 1 is in two places"),
    ({"players": [{"cards": [26]}, {}]}, "players.0.wild_colors: must name a colour for each owned wild card"),
    ({"players": [{"wild_colors": {"26": "red"}}, {}]}, "players.0.wild_colors: must name a colour"),
    ({"players": [{"cards": [1], "wild_colors": {"1": "red"}}, {}]}, "players.0.wild_colors: "),
    ({"players": [{"cards": [26], "wild_colors": {"26": "red", "x": "red"}}, {}]}, "players.0.wild_colors: "),
    ({"players": [{"cards": [26], "wild_colors": {"26": "pearl"}}, {}]}, "players.0.wild_colors.26: "),
    ({"players": [{}, {"reserved": [1, 2, 3, 4]}]}, "players.1.reserved: List should have at most 3 items"),
    ({"players": [{"reserved": [{"card": 1, "level": 1}]}, {}]}, "players.0.reserved.0: give either the card or"),
    ({"players": [{"reserved": [{}]}, {}]}, "players.0.reserved.0: give either the card or, for an unknown one"),
    ({"players": [{"reserved": [68]}, {}]}, "players.0.reserved.0.card: "),
    ({"players": [{"reserved": [True]}, {}]}, "players.0.reserved.0.card: "),
    (
        {"players": [{"counters": {"sixes": 1}}, {}]},
        "players.0.counters.sixes: unknown or too large; there are takes_1",
    ),
    ({"players": [{"counters": {"takes_1": 2**15}}, {}]}, "players.0.counters.takes_1: unknown or too large"),
    # pyramid, decks, hidden luck
    ({"pyramid": {"1": [1, 2, 3, 4, 5, 6]}}, "pyramid.1: at most 5 cards"),
    ({"pyramid": {"2": [1]}}, "pyramid.2: card 1 is of level 1"),
    ({"pyramid": {"4": [1]}}, "pyramid.4"),
    ({"pyramid": {"1": [1, 1]}}, "cards: card 1 is in two places"),
    ({"pyramid": {"1": [1]}, "players": [{"reserved": [1]}, {}]}, "cards: card 1 is in two places"),
    ({"pyramid": {"1": [1]}, "decks": {"1": [2, 1]}}, "cards: card 1 is in two places"),
    ({"decks": {"2": [1]}}, "decks.2: card 1 is of level 1"),
    ({"decks": {"3": 14}}, "decks.3: only 13 cards of this level are not seen elsewhere"),
    ({"decks": {"3": 12}, "players": [{"cards": [55, 56]}, {}]}, "decks.3: only 11 cards of this level"),
    ({"decks": {"3": 13}, "players": [{"reserved": [{"level": 3}]}, {}]}, "decks.3: only 12 cards of this level"),
    ({"decks": {"3": [55]}, "players": [{"reserved": [{"level": 3}]}, {}], "seed": 1}, "decks.3: its order cannot be"),
    ({"seed": -1}, "seed: "),
    ({"seed": "1"}, "seed: Input should be a valid integer"),
    ({"key": "12"}, "key: 24 hexadecimal digits, not '12'"),
    ({"key": "x" * 24}, "key: 24 hexadecimal digits"),
    ({"key": 12}, "key: Input should be a valid string"),
    # phases
    ({"board": [". . . . ."] * 5, "bag": {}}, "position: the seat to move has no legal action; is the board empty"),
    ({"result": 0}, 'result: goes with the phase "over", and only with it'),
    ({"phase": "over"}, 'result: goes with the phase "over", and only with it'),
    ({"phase": "over", "result": 1}, "result: seat 1 fulfils no victory condition"),
    ({"phase": "gold"}, "pending.place: there is no card at place 0 to reserve"),
    ({"phase": "gold", "pending": {"place": 3}}, "pending.place: there is no card at place 3 to reserve"),
    ({"phase": "gold", "pending": {"place": 14}, "decks": {"3": 0}}, "pending.place: there is no card at place 14"),
    ({"phase": "gold", "pending": {"place": 15}}, "pending.place: "),
    (
        {"phase": "gold", "pending": {"place": 12}, "players": [{"reserved": [1, 2, 3]}, {}]},
        "pending: the seat to move",
    ),
    ({"phase": "payment"}, "pending.card: name the card being bought"),
    (paying({"red": 3}, card=7), "pending.card: name the card being bought"),
    (paying({"red": 3}, place=1), "pending.card: name the card being bought"),
    (paying({"red": 2}), "pending.payment: does not pay for card 12"),
    (paying({"red": 1, "gold": 2}), "pending.payment: does not pay for card 12"),
    (paying({"red": 3, "gold": 1}), "pending.payment: does not pay for card 12"),
    (paying({"blue": 3}), "pending.payment: does not pay for card 12"),
    (
        {"phase": "payment", "pyramid": {"1": [26]}, "pending": {"place": 0, "card": 26}},
        "pending.card: a wild card needs",
    ),
    ({"phase": "royal"}, "pending.card: name the card just bought"),
    ({"phase": "steal", "pending": {"place": 0, "card": 32}}, "pending.card: name the card just bought"),
    (
        {"phase": "wild", "pending": {"place": 0, "card": 1}, "players": [{"cards": [1]}, {}]},
        "pending.card: 1 is not a wild card",
    ),
    (
        {"phase": "match", "pending": {"place": 0, "card": 1}, "players": [{"cards": [1]}, {}]},
        "pending.card: 1 takes no matching token",
    ),
    (
        {"phase": "steal", "pending": {"place": 0, "card": 32}, "players": [{"cards": [32]}, {}]},
        "position: the seat to move has no legal action",
    ),
    (
        {"phase": "discard", "players": [{"tokens": {"red": 3}}, {}]},
        "phase: the seat to move has no more than 10 tokens",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_a_wrong_position_is_refused_by_its_key(wrong, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        GAME.from_dict({"board": BOARD} | wrong)


def test_every_wrong_key_is_named_at_once():
    with pytest.raises(ValueError, match=r"(?s)mover: .*\nturn: .*\nplayers.1.privileges: "):
        GAME.from_dict({"board": BOARD, "mover": 3, "turn": -1, "players": [{}, {"privileges": 9}]})


def test_no_position_at_all():
    for nothing in ([1], "x", None):
        with pytest.raises(ValueError, match=r"^position: "):
            GAME.from_dict(nothing)


def test_the_last_choice_may_depend_on_a_card_the_view_hides():
    reserved = [{"card": 12, "from_deck": True}, 59, 60]
    a = player("4W 4K 2P", cards=[4, 6, 11, 16, 18], scrolls=1, reserved=reserved)
    state = play(position("Ra1", a, player("4U 3G"), pyramid=[31, 55]), "privilege a1")
    assert legal(state) == {"buy 12"}
    view = GAME.view(state, 1)
    assert np.array_equal(GAME.from_dict(GAME.to_dict(view)), view.array)
