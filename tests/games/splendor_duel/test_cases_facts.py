"""Rule cases: information (I), length (X), data (D); and that every case has a test."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import cost, deck, facts, play, player, position, random_positions

ALL_CASES = """
S1 S2 S3 S4 S5 S6
P2 P3 P4 P5 P8 P11 P13
F3 F4 F5 F6 F7 F8 F9 F13 F14
T1 T2 T3 T4 T6 T7 T8 T9 T10 T11 T13
R1 R2 R3 R5 R8 R9 R10
B1 B6 B7 B8 B9 B10 B12 B13 B14 B16 B18 B19 B20 B21
A1 A2 A3 A5 A6 A8
C1 C2 C3 C4 C7 C12 C13
E1 E2 E3 E5 E6 E9 E10 E11 E12 E14 E15 E16
I1 I2 I3 X1 D1 D3 D5
"""


def test_every_case_has_a_test():
    sources = [file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_cases_*.py")]
    tested = {case for text in sources for case in re.findall(r"^def test_([A-Z]\d+)_", text, re.MULTILINE)}
    assert len(ALL_CASES.split()) == 86
    assert tested == set(ALL_CASES.split())


# --- Information ---


def test_I1_the_bag_follows_from_what_everyone_sees():
    supply = Counter(dict(zip(tb.COLORS, tb.TOKEN_SUPPLY, strict=True)))
    letters = dict(zip(tb.LETTERS, tb.COLORS, strict=True))
    for game in random_positions(200):
        for state in game[::11]:
            for position_seen in (state, GAME.view(state, 0), GAME.view(state, 1)):
                data = GAME.to_dict(position_seen)
                outside = Counter(letters[cell] for cell in " ".join(data["board"]).split() if cell != ".")
                for own in data["players"]:
                    outside.update(own["tokens"])
                assert supply - outside == Counter(data["bag"])
                assert outside <= supply


def test_I2_a_card_from_a_deck_may_be_any_unseen_one():
    start = position("Aua1 Aub1 Auc1 Wd1", pyramid=[58, 59, 60], b=player(cards=[61], reserved=[62]))
    state = play(start, "take d1", "reserve deck3", "gold a1")  # B reserves
    top = deck(start, 3)[0]
    view = GAME.view(state, 0)
    assert GAME.to_dict(view)["players"][1]["reserved"] == [
        {"card": 62, "from_deck": False},
        {"level": 3, "from_deck": True},
        None,
    ]
    assert GAME.to_dict(view)["decks"] == {"1": 30, "2": 24, "3": 7}
    unseen = {55, 56, 57, 63, 64, 65, 66, 67}
    assert top in unseen
    found = Counter(facts(GAME.sample(view, seed))["B.reserved"][1] for seed in range(800))
    assert set(found) == unseen
    assert all(60 < count < 145 for count in found.values())  # 100 each, standard deviation 9


def test_I3_the_pyramid_is_full_when_the_extra_turn_starts():
    pyramid = [1, 2, 3, 4, 6, 31, 32, 34, 35, 55, 56, 57]
    before = position("Wa1", player("2U 2G 1P"), pyramid=pyramid)
    after = facts(play(before, "buy 3"))
    assert after["mover"] == "A"
    slots = [after[f"pyramid.{level}.{slot}"] for level, n in ((1, 5), (2, 4), (3, 3)) for slot in range(n)]
    assert slots == [1, 2, deck(before, 1)[0], *pyramid[3:]]


# --- Length ---


def _never_buying(turn_limit: int, seed: int):
    """Play a whole game in which nobody ever buys."""
    rng = Random(seed)
    state = GAME.new(2, seed, GAME.options(turn_limit=turn_limit))
    while choices := GAME.legal_actions(state):
        GAME.apply(state, rng.choice([a for a in choices if not GAME.action_text(state, a).startswith("buy")]))
    return state


@pytest.mark.parametrize(("turn_limit", "seed"), [(1, 0), (2, 1), (30, 2), (31, 3), (400, 4)])
def test_X1_a_game_without_purchases_ends_at_the_turn_limit(turn_limit, seed):
    state = _never_buying(turn_limit, seed)
    assert GAME.turns(state) == turn_limit
    assert GAME.victory(state) == ("turn_limit", ())
    assert GAME.ranks(state) == (1, 1)
    assert GAME.points(state) == (0, 0)
    assert GAME.measures(state)["turns"] == ((turn_limit + 1) // 2, turn_limit // 2)
    assert GAME.to_dict(state)["result"] == "turn_limit"


def test_X1_the_limit_is_400_by_default():
    assert GAME.options().turn_limit == 400


# --- Data ---


CARDS = range(1, 68)


def test_D1_cards_points_crowns_and_costs():
    assert tb.NUM_CARDS == 67
    assert Counter(int(tb.CARD_LEVEL[card]) + 1 for card in CARDS) == {1: 30, 2: 24, 3: 13}
    assert sum(int(tb.CARD_POINTS[card]) for card in CARDS) == 92
    assert sum(int(tb.CARD_CROWNS[card]) for card in CARDS) == 28
    per_color = [sum(column) for column in zip(*(cost(card).values() for card in CARDS), strict=True)]
    assert per_color == [81, 81, 81, 81, 81, 29]
    assert sum(per_color) == 434


def test_D3_kinds_of_cards():
    def level_counts(flag: int) -> list[int]:
        found = [int(tb.CARD_LEVEL[card]) for card in CARDS if int(tb.CARD_ABILITY[card]) & flag]
        return [found.count(level) for level in range(3)]

    assert level_counts(tb.IS_WILD) == [4, 3, 2]
    double = [card for card in CARDS if tb.CARD_BONUS_COUNT[card] == 2]
    assert sorted(int(tb.CARD_BONUS[card]) for card in double) == [0, 1, 2, 3, 4]
    assert {int(tb.CARD_LEVEL[card]) + 1 for card in double} == {2}
    points_only = [card for card in CARDS if tb.CARD_BONUS[card] < 0 and not tb.CARD_ABILITY[card]]
    assert points_only == [30, 54, 67]
    assert [int(tb.CARD_BONUS_COUNT[card]) for card in points_only] == [0, 0, 0]
    flags = (tb.AGAIN, tb.TAKE_MATCHING, tb.STEALING, tb.GIVES_PRIVILEGE)
    assert [sum(level_counts(flag)) for flag in flags] == [6, 5, 5, 5]


def test_D5_royals():
    royals = [
        (tb.ABILITY_NAMES[int(ability)], int(points))
        for ability, points in zip(tb.ROYAL_ABILITY, tb.ROYAL_POINTS, strict=True)
    ]
    assert sorted(royals) == [("again", 2), ("none", 3), ("privilege", 2), ("steal", 2)]
    assert sum(points for _, points in royals) == 9
