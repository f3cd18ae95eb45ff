"""Every weighted bot finds an immediate win, however many small decisions it takes, and takes one from the opponent."""

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from tests.bots.play import WEIGHTED, started

BOARD = ["U U G G K", "P . W R R", ". Au . . .", ". . . . .", ". . . . ."]
PYRAMID = {"1": [1, 6, 11, 16, 21], "2": [34, 38, 42, 46], "3": [58, 60, 62]}
EIGHTEEN_POINTS = {"cards": [55, 54, 57, 30, 10], "royals": [4]}  # bonuses: 1 white, 2 blue; 4 crowns
CARD_33 = PYRAMID | {"2": [34, 33, 42, 46]}  # 2 points for 4 white, 2 black, a pearl
CARD_22 = PYRAMID | {"1": [1, 6, 11, 16, 22]}  # a crown for 3 white


def position(player, opponent=None, pyramid=PYRAMID):
    return {"board": BOARD, "pyramid": pyramid, "players": [player, opponent or {}], "seed": 4}


WINS = {
    "points": (
        "points",
        position(EIGHTEEN_POINTS | {"tokens": {"white": 3, "black": 2, "pearl": 1}}, pyramid=CARD_33),
    ),
    "points, a payment to choose": (
        "points",
        position(EIGHTEEN_POINTS | {"tokens": {"white": 3, "black": 2, "pearl": 1, "gold": 2}}, pyramid=CARD_33),
    ),
    "points, reserved card and gold": (
        "points",
        position(
            EIGHTEEN_POINTS | {"tokens": {"white": 2, "black": 1, "pearl": 1, "gold": 2}, "reserved": [None, 37, 33]}
        ),
    ),
    "points, two privileges": (
        "points",
        position(
            EIGHTEEN_POINTS | {"tokens": {"white": 2, "black": 2}, "privileges": 2, "reserved": [33, 40]},
        ),
    ),
    "points, by the right royal": (
        "points",
        position({"cards": [54, 67, 30, 55], "tokens": {"white": 2}}, pyramid=CARD_22),
    ),
    "crowns": (
        "crowns",
        position(
            {"cards": [55, 57, 59, 66], "wild_colors": {"66": "blue"}, "royals": [1, 2], "tokens": {"white": 2}},
            pyramid=CARD_22,
        ),
    ),
    "color, by a wild card on the right colour": (
        "color",
        position(
            {"cards": [55, 56, 31, 6], "tokens": {"blue": 1, "red": 2, "black": 1, "pearl": 1}},
            pyramid=PYRAMID | {"1": [1, 28, 11, 16, 21]},
        ),
    ),
}


def play_turn(name, data):
    """Let a bot decide for the mover until his turn, or the game, is over; return the State then."""
    state = GAME.from_dict(data)
    mover, turn = GAME.seat(state), GAME.turns(state)
    bot = started(name, mover)
    while (legal := GAME.legal_actions(state)) and GAME.turns(state) == turn:
        GAME.apply(state, bot.choose(GAME.view(state, mover), legal))
    return state


@pytest.mark.parametrize("case", WINS)
@pytest.mark.parametrize("name", WEIGHTED)
def test_an_immediate_win_is_found(name, case):
    victory, data = WINS[case]
    state = play_turn(name, data)
    assert state[st.PHASE] == st.OVER, GAME.show(state)
    assert GAME.ranks(state) == (1, 2)
    assert GAME.victory(state)[0] == victory


@pytest.mark.parametrize("name", WEIGHTED)
def test_the_card_the_opponent_would_win_with_is_taken_away(name):
    opponent = EIGHTEEN_POINTS | {"tokens": {"white": 3, "black": 2, "pearl": 1}}
    state = play_turn(name, position({"tokens": {"green": 1, "red": 1}}, opponent, CARD_33))
    assert 33 in state[st.PLAYERS + st.RESERVED : st.PLAYERS + st.RESERVED + 3]


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_win_of_ones_own_comes_before_that(name):
    player = {"cards": [54, 67, 30, 55], "tokens": {"white": 1}, "privileges": 1}
    opponent = {"cards": [56, 58, 60, 62], "royals": [1], "tokens": {"white": 2, "black": 2, "pearl": 1, "gold": 1}}
    pyramid = {"1": CARD_22["1"], "2": CARD_33["2"]}
    state = play_turn(name, position(player, opponent, pyramid))
    assert GAME.ranks(state) == (1, 2)


@pytest.mark.parametrize("name", WEIGHTED)
def test_the_last_token_taken_is_no_dead_end(name):
    """An empty board, nothing to buy: the only legal action is found, and the game goes on."""
    data = position({"tokens": {"white": 1}}) | {"board": [". . . . ."] * 5}
    state = play_turn(name, data)
    assert GAME.seat(state) == 1
    assert state[st.REPLENISHES] == 1
