"""Rule cases: abilities (A), crowns and royals (C), end of turn and victory (E). Each test is named after its case."""

from itertools import pairwise

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    allows,
    changes,
    deck,
    ends,
    facts,
    held,
    kinds,
    legal,
    play,
    player,
    position,
    random_positions,
)

ROYALS = {f"royal {number}" for number in (1, 2, 3, 4)}
SEVENTEEN = [33, 57, 60, 62, 64]  # 17 points, 2 crowns, one bonus of each colour, at most 4 points in one of them


def winner(state) -> tuple[str, str, tuple[str, ...]]:
    assert GAME.legal_actions(state) == []
    data = GAME.to_dict(state)
    assert data["phase"] == "over"
    kind, flags = GAME.victory(state)
    assert GAME.ranks(state) == ((1, 2) if data["result"] == 0 else (2, 1))
    return "AB"[data["result"]], kind, flags


def goes_on(state) -> bool:
    return GAME.to_dict(state)["result"] is None and GAME.legal_actions(state) != []


# --- Abilities ---


def test_A1_take_matching_is_a_choice_of_cells():
    before = position("Ka1 Ke5 Wb1", player("2G 2R"), pyramid=[24])
    asked = play(before, "buy 24")
    assert legal(asked) == {"match Ka1", "match Ke5"}
    common = {
        "A.tokens": "1K",
        "bag": "2G 2R",
        "A.cards": [24],
        "A.bonuses": "1K",
        "pyramid.1.0": deck(before, 1)[0],
        "deck1": 28,
        "mover": "B",
    }
    assert changes(before, play(asked, "match a1")) == {"a1": ".", **common}
    assert changes(before, play(asked, "match e5")) == {"e5": ".", **common}


def test_A2_nothing_to_match():
    before = position("Wb1 Aua1", player("2G 2R"), player("2K"), bag="2K", pyramid=[24])
    after = play(before, "buy 24")
    assert changes(before, after) == {
        "A.tokens": "-",
        "bag": "2G 2R 2K",
        "A.cards": [24],
        "A.bonuses": "1K",
        "pyramid.1.0": deck(before, 1)[0],
        "deck1": 28,
        "mover": "B",
    }


def test_A3_steal_the_only_plain_token():
    before = position("Wb1", player("4U 3R"), player("1P 2Au"), pyramid=[32])
    after = play(before, "buy 32")
    assert changes(before, after) == {
        "A.tokens": "1P",
        "B.tokens": "2Au",
        "bag": "4U 3R",
        "A.cards": [32],
        "A.bonuses": "1W",
        "A.points": 1,
        "A.points_white": 1,
        "pyramid.2.0": deck(before, 2)[0],
        "deck2": 22,
        "mover": "B",
    }


def test_A5_stealing_is_not_optional():
    before = position("Wb1", player("3U 3R 1Au", cards=[]), player("1U 1R"), pyramid=[32])
    asked = play(before, "buy 32")
    assert legal(asked) == {"steal blue", "steal red"}
    after = play(asked, "steal red")
    assert (facts(after)["A.tokens"], facts(after)["B.tokens"], facts(after)["mover"]) == ("1R", "1U", "B")
    after = play(asked, "steal blue")
    assert (facts(after)["A.tokens"], facts(after)["B.tokens"], facts(after)["mover"]) == ("1U", "1R", "B")


def test_A6_again_is_a_whole_turn_after_this_one_has_ended():
    board = "Wa1 Wb1 Gc3 Ge5 Aud1"
    start = position(board, player("2W 4R 3K 1P", cards=[6, 9, 11, 14], scrolls=3), pyramid=[1, 2, 3])
    bought = play(start, "privilege a1", "privilege b1", "buy 3")
    assert legal(bought) == {"discard white", "discard red", "discard black"}  # 11 tokens: the turn ends first
    again = play(bought, "discard white")
    assert changes(start, again) == {
        "a1": ".",
        "b1": ".",
        "A.tokens": "3W 4R 3K",
        "bag": "1W 1P",
        "A.scrolls": 1,
        "pool": 2,
        "A.cards": [3, 6, 9, 11, 14],
        "A.bonuses": "1W 2U 2G",
        "pyramid.1.2": deck(start, 1)[0],
        "deck1": 22,
    }
    assert kinds(again) == {"privilege", "replenish", "take", "reserve", "buy"}
    assert facts(play(again, "privilege c3", "replenish", "take e5", *["discard red"] * 2))["mover"] == "B"


def test_A6_the_extra_turn_ends_with_its_mandatory_action():
    again = play(position("Wa1 Gc3", player("2U 2G 1P"), pyramid=[3]), "buy 3")
    after = play(again, "take c3")
    assert changes(again, after) == {"c3": ".", "A.tokens": "1G", "mover": "B"}


def test_A8_options_are_fresh_in_the_extra_turn():
    before = position("Wa1", player("2U 2G 1P", scrolls=1), bag="1K", pyramid=[3])
    again = play(before, "replenish", "buy 3")
    assert facts(again)["mover"] == "A"
    assert facts(again)["replenished"] is False
    assert (facts(again)["B.scrolls"], facts(again)["bag"]) == (1, "2U 2G 1P")
    assert allows(again, "privilege a1")
    twice = play(again, "privilege a1", "replenish")
    assert (facts(twice)["A.scrolls"], facts(twice)["B.scrolls"], facts(twice)["pool"]) == (0, 2, 1)
    assert facts(twice)["bag"] == "-"


# --- Crowns and royals ---


def test_C1_the_third_crown_brings_a_royal():
    before = position("Wa1", player("3R", cards=[2, 7]), pyramid=[12])
    asked = play(before, "buy 12")
    assert legal(asked) == ROYALS
    after = play(asked, "royal 4")
    assert changes(before, after) == {
        "A.tokens": "-",
        "bag": "3R",
        "A.cards": [2, 7, 12],
        "A.bonuses": "1W 1U 1G",
        "A.crowns": 3,
        "A.points": 3,
        "A.royals": [4],
        "royals": [1, 2, 3],
        "pyramid.1.0": deck(before, 1)[0],
        "deck1": 26,
        "mover": "B",
    }


def test_C2_from_two_to_four_crowns_is_one_royal():
    before = position("Wa1", player("1U 4R 3K 1P 1Au", cards=[2, 7, 6]), pyramid=[55])
    after = play(before, "buy 55", "royal 4")
    assert (facts(after)["A.crowns"], facts(after)["A.royals"], facts(after)["A.points"]) == (4, [4], 6)
    assert facts(after)["mover"] == "B"


def test_C3_from_two_to_five_crowns_is_one_royal():
    before = position("Wa1", player("4K 3Au", cards=[2, 22]), pyramid=[66])
    after = play(before, "buy 66", "wild black", "royal 4")
    now = facts(after)
    assert (now["A.crowns"], now["A.royals"], now["A.bonuses"], now["mover"]) == (5, [4], "1W 2K", "B")
    assert now["A.tokens"] == "-"


def test_C4_the_sixth_crown_brings_the_second_royal():
    before = position("Wa1", player("4U 1P 1Au", cards=[2, 7, 12, 17], royals=[4]), pyramid=[53])
    asked = play(before, "buy 53", "wild green")
    assert legal(asked) == ROYALS - {"royal 4"}
    after = play(asked, "royal 3")
    now = facts(after)
    assert (now["A.crowns"], now["A.royals"], now["royals"]) == (6, [3, 4], [1, 2])
    assert (now["A.scrolls"], now["pool"], now["A.points"], now["mover"]) == (1, 2, 5, "B")


def test_C7_a_royal_that_is_taken_is_gone():
    before = position("Wa1", player("3R", cards=[2, 7]), player(royals=[4], cards=[17, 22, 31]), pyramid=[12])
    assert legal(play(before, "buy 12")) == {"royal 1", "royal 2", "royal 3"}


def test_C12_the_wild_is_laid_before_the_royal_is_taken():
    before = position("Ka1", player("4W 1P", cards=[7, 12]), pyramid=[27])
    laid = play(before, "buy 27")
    assert legal(laid) == {"wild blue", "wild green"}
    asked = play(laid, "wild green")
    assert facts(asked)["A.wild_colors"] == {"27": "green"}
    assert facts(asked)["A.bonuses"] == "1U 2G"
    assert legal(asked) == ROYALS
    assert facts(play(asked, "royal 4"))["A.royals"] == [4]


def test_C13_crowns_go_with_no_ability_or_wild_only():
    crowned = [card for card in range(1, 68) if tb.CARD_CROWNS[card]]
    assert len(crowned) == 19
    assert {tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])] for card in crowned} == {"none", "wild"}


# --- End of turn and victory ---


def test_E1_exactly_three_of_thirteen_go_back():
    before = position("Wa1 Wb1 Uc1", player("1W 2G 2R 2K 2P 1Au"))
    asked = play(before, "take a1 b1 c1")
    first = legal(asked)
    assert first == {f"discard {color}" for color in tb.COLORS}
    assert legal(play(asked, "discard gold")) == first - {"discard gold"}  # two are not enough, one colour is used up
    assert kinds(play(asked, "discard gold", "discard pearl")) == {"discard"}
    after = play(asked, "discard gold", "discard pearl", "discard pearl")
    assert changes(before, after) == {
        **dict.fromkeys(("a1", "b1", "c1"), "."),
        "A.tokens": "3W 1U 2G 2R 2K",
        "bag": "2P 1Au",
        "mover": "B",
    }  # and four are not asked


def test_E2_ten_tokens_may_stay():
    before = position("Wa1 Ub1", player("4G 4R"))
    after = play(before, "take a1 b1")
    assert changes(before, after) == {"a1": ".", "b1": ".", "A.tokens": "1W 1U 4G 4R", "mover": "B"}


def test_E3_sixteen_tokens_are_the_most():
    before = position("Wa1 Ub1 Gc1 Wa3 Ub3 Gc3", player("4R 4K 2P", scrolls=3))
    state = play(before, "privilege a1", "privilege b1", "privilege c1", "take a3 b3 c3")
    assert sum(held(state, 0).values()) == 16
    for discarded, color in enumerate(["red", "red", "black", "black", "pearl", "white"]):
        assert sum(held(state, 0).values()) == 16 - discarded
        assert kinds(state) == {"discard"}
        state = play(state, f"discard {color}")
    now = facts(state)
    assert (now["A.tokens"], now["bag"]) == ("1W 2U 2G 2R 2K 1P", "1W 2R 2K 1P")
    assert (now["mover"], now["A.scrolls"], now["pool"]) == ("B", 0, 3)


def test_E5_a_royals_points_win():
    before = position("Wa1", player("3R", cards=SEVENTEEN), pyramid=[12])
    assert GAME.points(before) == (17, 0)
    asked = play(before, "buy 12")
    assert winner(play(asked, "royal 4")) == ("A", "points", ("points",))
    assert goes_on(play(asked, "royal 3"))  # 19 points


def test_E6_ten_crowns_win():
    owned = [55, 57, 59, 61]
    before = position("Wa1", player("4U 1P 1Au", cards=owned, royals=[1, 3]), pyramid=[53])
    assert (facts(before)["A.crowns"], facts(before)["A.points"]) == (8, 16)
    assert winner(play(before, "buy 53", "wild white")) == ("A", "crowns", ("crowns",))


def test_E9_points_only_cards_have_no_colour():
    before = position("Ka1", player("4W 1Au", cards=[33, 55, 56]), pyramid=[67])
    assert (facts(before)["A.points"], facts(before)["A.points_white"]) == (9, 9)
    after = play(before, "buy 67")
    now = facts(after)
    assert (now["A.points"], now["A.points_white"], now["A.bonuses"]) == (15, 9, "3W")
    assert goes_on(after)
    # The six count for the 20: with 14 other points they win.
    fourteen = position("Ka1", player("4W 1Au", cards=[33, 55, 56, 58, 10]), pyramid=[67])
    assert GAME.points(fourteen) == (14, 0)
    assert winner(play(fourteen, "buy 67")) == ("A", "points", ("points",))


def test_E10_a_win_ends_the_game_before_the_extra_turn():
    before = position("Wa1", player("4R 3Au", cards=SEVENTEEN), pyramid=[65])
    assert winner(play(before, "buy 65", "wild blue")) == ("A", "points", ("points",))


def test_E11_a_win_with_too_many_tokens():
    start = position("Ga1 Gb1", player("4W 4K 2P", cards=[*SEVENTEEN, 16, 18], scrolls=2), pyramid=[12])
    reached = play(start, "privilege a1", "privilege b1", "buy 12", "royal 4")
    assert (facts(reached)["A.points"], sum(held(reached, 0).values())) == (20, 12)
    over = list(ends(reached, "discard"))
    assert len(over) == 10  # two tokens of four colours
    assert {winner(state) for state in over} == {("A", "points", ("points",))}


def test_E12_no_last_turn_for_the_other():
    near = player("2U", cards=[56, 58, 54, 30, 31, 5])
    before = position("Wa1", player("4R 3Au", cards=SEVENTEEN), near, pyramid=[65, 20])
    assert GAME.points(before) == (17, 19)
    assert winner(play(before, "buy 65", "wild blue")) == ("A", "points", ("points",))
    passed = play(before, "take a1")
    assert winner(play(passed, "buy 20")) == ("B", "points", ("points",))


def test_E14_just_short_of_everything():
    before = position("Ka1 Kb1", player(cards=[2, 7, 12, 33, 55, 56, 57, 59], royals=[1, 2]))
    now = facts(before)
    assert (now["A.points"], now["A.crowns"], now["A.points_white"]) == (19, 9, 9)
    assert goes_on(play(before, "take a1"))


def test_E15_the_others_standing_never_changes():
    standing = ["crowns", *(f"points_{color}" for color in tb.COLORS[: tb.NUM_GEMS])]
    steps = [pair for game in random_positions(200) for pair in pairwise(game)]
    assert len(steps) > 30_000
    for before, after in steps:
        other = 1 - GAME.seat(before)
        assert GAME.points(before)[other] == GAME.points(after)[other]
    for before, after in steps[::5]:
        other = 1 - GAME.seat(before)
        old, new = GAME.measures(before), GAME.measures(after)
        assert [old[name][other] for name in standing] == [new[name][other] for name in standing]
    for *_, last_choice, over in random_positions(200):
        assert GAME.ranks(over)[GAME.seat(last_choice)] == 1  # who ended the game has won it


@pytest.mark.parametrize("points", [17, 15])
def test_E16_a_win_stops_a_chain_of_extra_turns(points):
    owned = SEVENTEEN if points == 17 else SEVENTEEN[1:]
    before = position("Wa1", player("1U 1G 4R 1P 3Au", cards=owned), pyramid=[3, 65])
    assert GAME.points(before) == (points, 0)
    second = play(before, "buy 3", "pay done")
    assert facts(second)["mover"] == "A"
    third = play(second, "buy 65", "wild white")
    if points == 17:
        assert winner(third) == ("A", "points", ("points",))
    else:  # no win: the chain goes on
        assert goes_on(third)
        assert facts(third)["mover"] == "A"
