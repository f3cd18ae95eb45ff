"""Rule cases: take tokens (T), reserve (R), purchase (B). Each test is named after its case."""

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    allows,
    bonuses,
    changes,
    cost,
    deck,
    ends,
    facts,
    legal,
    play,
    player,
    position,
    tokens_text,
)

PEARL_CARDS = [card for card in range(1, 68) if cost(card)["pearl"]]


def takes(board: str) -> set[str]:
    """All legal takes on a board, without the letters of the tokens."""
    found = legal(position(board), "take")
    return {" ".join(word[-2:] for word in text.split()[1:]) for text in found}


def purchase(card: int, paid: str, left: str, bonus: str, **more: object) -> dict[str, object]:
    """What changes when A buys a card that has no other consequence."""
    color = int(tb.CARD_BONUS[card])
    gained = int(tb.CARD_POINTS[card])
    points = {"A.points": gained, f"A.points_{tb.COLORS[color]}": gained} if gained else {}
    return {"A.tokens": left, "bag": paid, "A.bonuses": bonus, "mover": "B", **points, **more}


# --- Take tokens ---


def test_T1_one_token():
    before = position("Ra1 Uc3")
    assert changes(before, play(before, "take a1")) == {"a1": ".", "A.tokens": "1R", "mover": "B"}


def test_T2_two_equal_gems_on_a_diagonal():
    before = position("Gb2 Gc3")
    after = play(before, "take b2 c3")
    assert changes(before, after) == {"b2": ".", "c3": ".", "A.tokens": "2G", "mover": "B"}


@pytest.mark.parametrize("line", ["c1 d1 e1", "b2 b3 b4", "a1 b2 c3", "e1 d2 c3", "c3 d4 e5", "a5 b4 c3"])
def test_T3_three_in_a_line(line):
    cells = line.split()
    before = position(" ".join(letter + cell for letter, cell in zip("WUK", cells, strict=True)))
    after = play(before, f"take {line}")
    assert changes(before, after) == {**dict.fromkeys(cells, "."), "A.tokens": "1W 1U 1K", "mover": "B"}


def test_T4_a_gap_breaks_the_line():
    assert takes("Wa1 Uc1") == {"a1", "c1"}


def test_T6_no_bends():
    assert takes("Wa1 Ub1 Gb2") == {"a1", "b1", "b2", "a1 b1", "b1 b2", "a1 b2"}


def test_T7_no_wrapping_around():
    assert takes("Wd1 Ue1 Ga2") == {"d1", "e1", "a2", "d1 e1"}


def test_T8_neighbours_only():
    assert takes("Wa1 Uc2") == {"a1", "c2"}


def test_T9_three_of_one_colour_give_a_privilege():
    before = position("Ra1 Rb1 Rc1")
    three = play(before, "take a1 b1 c1")
    gone = {"a1": ".", "b1": ".", "c1": "."}
    assert changes(before, three) == {**gone, "A.tokens": "3R", "B.scrolls": 1, "pool": 2, "mover": "B"}
    two = play(before, "take b1 c1")
    assert changes(before, two) == {"b1": ".", "c1": ".", "A.tokens": "2R", "mover": "B"}


def test_T10_two_pearls_give_a_privilege():
    before = position("Pb3 Pc3 Wa1")
    after = play(before, "take b3 c3")
    gone = {"b3": ".", "c3": "."}
    assert changes(before, after) == {**gone, "A.tokens": "2P", "B.scrolls": 1, "pool": 2, "mover": "B"}
    assert changes(before, play(before, "take b3")) == {"b3": ".", "A.tokens": "1P", "mover": "B"}


def test_T11_two_pearls_and_a_gem_give_one_privilege():
    before = position("Pb3 Uc3 Pd3")
    after = play(before, "take b3 c3 d3")
    gone = {"b3": ".", "c3": ".", "d3": "."}
    assert changes(before, after) == {**gone, "A.tokens": "1U 2P", "B.scrolls": 1, "pool": 2, "mover": "B"}


def test_T13_gold_breaks_the_line():
    assert takes("Wa1 Aub1 Uc1") == {"a1", "c1"}
    assert takes("Wa1 Ub1 Auc1") == {"a1", "b1", "a1 b1"}


# --- Reserve ---


def test_R1_the_gold_is_chosen():
    before = position("Aua1 Aud3 Wc3", pyramid=[12, 1, 2, 3, 4])
    asked = play(before, "reserve 12")
    assert legal(asked) == {"gold a1", "gold d3"}
    common = {
        "A.tokens": "1Au",
        "A.reserved": [12, None, None],
        "pyramid.1.0": deck(before, 1)[0],
        "deck1": 24,
        "mover": "B",
    }
    assert changes(before, play(asked, "gold d3")) == {"d3": ".", **common}
    assert changes(before, play(asked, "gold a1")) == {"a1": ".", **common}


def test_R2_the_top_of_a_deck_is_seen_by_its_owner_only():
    before = position("Aua1 Wc3", pyramid=[1, 31, 55, 56, 57])
    top, second = deck(before, 3)[:2]
    after = play(before, "reserve deck3")
    assert changes(before, after) == {
        "a1": ".",
        "A.tokens": "1Au",
        "A.reserved": [top, None, None],
        "deck3": 9,
        "mover": "B",
    }
    assert deck(after, 3)[0] == second
    own, other = (GAME.to_dict(GAME.view(after, seat))["players"][0]["reserved"] for seat in (0, 1))
    assert own[0] == {"card": top, "from_deck": True}
    assert other[0] == {"level": 3, "from_deck": True}


def test_R3_no_reserve_without_gold_on_the_board():
    state = position("Wa1", player("3Au"), pyramid=[1, 31, 55])
    assert legal(state, "reserve") == set()
    assert not any(allows(state, f"reserve {what}") for what in ("1", "31", "55", "deck1", "deck2", "deck3"))


def test_R5_an_exhausted_deck_replaces_nothing():
    before = position("Aua1 Wc3", pyramid=[12, 1, 31], decks={"1": 0})
    assert not allows(before, "reserve deck1")
    assert allows(before, "reserve deck2")
    after = play(before, "reserve 12")
    assert changes(before, after) == {
        "a1": ".",
        "A.tokens": "1Au",
        "A.reserved": [12, None, None],
        "pyramid.1.0": None,
        "mover": "B",
    }
    assert legal(play(position("Aua1 Aub1 Wc3", pyramid=[12], decks={"1": 0}), "reserve 12", "gold a1"), "reserve") == {
        "reserve deck2",
        "reserve deck3",
    }


def test_R8_reserving_with_ten_tokens():
    before = position("Aua1 Kc3", player("4W 4R 2P"), pyramid=[12])
    asked = play(before, "reserve 12")
    assert facts(asked)["A.tokens"] == "4W 4R 2P 1Au"
    assert legal(asked) == {"discard white", "discard red", "discard pearl", "discard gold"}
    done = play(asked, "discard gold")
    assert changes(asked, done) == {"A.tokens": "4W 4R 2P", "bag": "1Au", "phase": "main", "mover": "B"}


def test_R9_buying_a_reserved_card_frees_its_place():
    before = position("Aua1 Wc3 Kd4", player("3R", reserved=[12, 58, 59]), pyramid=[1])
    assert legal(before, "reserve") == set()
    after = play(before, "buy 12")
    assert facts(after)["A.reserved"] == [None, 58, 59]
    again = play(after, "take d4", "reserve 1")
    assert facts(again)["A.reserved"] == [1, 58, 59]


def test_R10_the_opponents_view_of_a_reserve():
    before = position("Aua1 Aub1 Wc3", pyramid=[1, 40])
    state = play(before, "reserve 40", "gold a1", "take c3", "reserve deck2")
    reserved = GAME.to_dict(GAME.view(state, 1))["players"][0]["reserved"]
    assert reserved == [{"card": 40, "from_deck": False}, {"level": 2, "from_deck": True}, None]
    assert facts(state)["A.reserved"][1] == deck(before, 2)[1]  # the first one took the place of card 40


# --- Purchase ---


def test_B1_bonuses_lower_the_price():
    owned = [6, 8, 11, 16, 18, 19]
    for hand, paid in (("1U 2R 3K 1P", "1U 2R 3K 1P"), ("1U 2R 2K 1P 1Au", "1U 2R 2K 1P 1Au")):
        before = position("Wa1", player(hand, cards=owned), pyramid=[55])
        assert bonuses(before, 0) == "2U 1G 3R"
        after = play(before, "buy 55")
        assert changes(before, after) == purchase(
            55,
            paid,
            "-",
            "1W 2U 1G 3R",
            **{"A.cards": sorted([*owned, 55]), "A.crowns": 2, "pyramid.3.0": deck(before, 3)[0], "deck3": 11},
        )
    assert not allows(position("Wa1", player("1U 2R 2K 1P", cards=owned), pyramid=[55]), "buy 55")


def test_B6_a_price_of_nothing():
    before = position("Wa1", player(cards=[21, 23, 24]), pyramid=[17])
    after = play(before, "buy 17")
    own = {"A.cards": [17, 21, 23, 24], "A.crowns": 1, "A.bonuses": "1R 3K"}
    assert changes(before, after) == {**own, "pyramid.1.0": deck(before, 1)[0], "deck1": 25, "mover": "B"}


def test_B7_more_bonuses_than_needed_give_nothing_back():
    before = position("Wa1", player("1W", cards=[21, 23, 24, 50]), pyramid=[17])
    after = play(before, "buy 17")
    own = {"A.cards": [17, 21, 23, 24, 50], "A.crowns": 1, "A.bonuses": "1R 5K"}
    assert changes(before, after) == {**own, "pyramid.1.0": deck(before, 1)[0], "deck1": 25, "mover": "B"}


def test_B8_a_cards_own_bonus_does_not_help_to_pay_for_it():
    hand = "2W 4U 2G 1Au"
    assert not allows(position("Wa1", player(hand), pyramid=[58]), "buy 58")
    before = position("Wa1", player(hand, cards=[6]), pyramid=[58])
    after = play(before, "buy 58")
    assert changes(before, after) == purchase(
        58, hand, "-", "2U", **{"A.cards": [6, 58], "pyramid.3.0": deck(before, 3)[0], "deck3": 11}
    )


def test_B9_a_double_bonus_counts_twice():
    before = position("Wa1", player("1U 4G 2R 1Au"), pyramid=[38, 2])
    first = play(before, "buy 38")
    assert facts(first)["A.tokens"] == "1U"  # 4G and a gold for 5G, 2R
    assert facts(first)["bag"] == "4G 2R 1Au"
    second = play(first, "take a1", "buy 2")
    assert facts(second)["A.tokens"] == "-"
    assert facts(second)["bag"] == "1U 4G 2R 1Au"
    assert facts(second)["A.bonuses"] == "1W 2U"


def test_B10_a_bonus_cannot_be_declined():
    before = position("Wa1", player("3W 1Au", cards=[1]), pyramid=[22])
    paid = {facts(state)["bag"] for state in ends(play(before, "buy 22"), "pay")}
    assert paid == {"2W", "1W 1Au"}


def test_B12_buying_from_the_reserve_leaves_the_pyramid():
    before = position("Wa1", player("3R", reserved=[30, 12]), pyramid=[1, 2])
    after = play(before, "buy 12")
    own = {"A.cards": [12], "A.reserved": [30, None, None], "A.crowns": 1}
    assert changes(before, after) == purchase(12, "3R", "-", "1G", **own)


def test_B13_neither_the_opponents_reserve_nor_a_deck_top():
    state = position("Ka1", player("4W 4R"), player(reserved=[40]), pyramid=[1])
    with pytest.raises(ValueError, match="40"):
        GAME.parse_action(state, "buy 40")
    top = deck(state, 1)[0]
    for text in (f"buy {top}", "buy deck1"):
        with pytest.raises(ValueError, match="pyramid or your reserve"):
            GAME.parse_action(state, text)
    rich = position("Wa1", player(cards=[1, 6, 11, 16, 21, 2, 7, 12, 17]), player(reserved=[22, 40]), decks={"2": 0})
    assert legal(rich) == {"take Wa1"}  # with free cards all around, none of which is A's to buy


def test_B14_a_wild_card_needs_a_bonus():
    assert not allows(position("Wa1", player("4K 1P", cards=[30]), pyramid=[26]), "buy 26")
    assert not allows(position("Wa1", player("4K 1P", reserved=[26])), "buy 26")
    assert allows(position("Wa1", player("4K 1P", cards=[30, 1]), pyramid=[26]), "buy 26")
    assert allows(position("Aua1 Wb1", player(cards=[30]), pyramid=[26]), "reserve 26")


def test_B16_a_wild_card_on_a_double_bonus_is_one():
    before = position("Wa1", player("4K 1P", cards=[34]), pyramid=[26])
    assert bonuses(before, 0) == "2W"
    after = play(before, "buy 26")
    assert changes(before, after) == {
        "A.tokens": "-",
        "bag": "4K 1P",
        "A.cards": [26, 34],
        "A.wild_colors": {"26": "white"},
        "A.bonuses": "3W",
        "A.points": 2,
        "A.points_white": 2,
        "pyramid.1.0": deck(before, 1)[0],
        "deck1": 28,
        "mover": "B",
    }


def test_B18_card_65_joins_and_plays_again():
    before = position("Wa1", player("4R 3Au", cards=[17]), pyramid=[65])
    after = play(before, "buy 65")
    assert changes(before, after) == {
        "A.tokens": "-",
        "bag": "4R 3Au",
        "A.cards": [17, 65],
        "A.wild_colors": {"65": "red"},
        "A.bonuses": "2R",
        "A.points": 3,
        "A.points_red": 3,
        "pyramid.3.0": deck(before, 3)[0],
        "deck3": 11,
    }  # and A is to move
    assert facts(after)["phase"] == "main"


def test_B19_an_exhausted_level_3():
    before = position("Wa1", player("2W 4U 2G 1Au", cards=[6]), pyramid=[57, 58], decks={"3": 0})
    after = play(before, "buy 58")
    own = {"A.cards": [6, 58], "pyramid.3.1": None}
    assert changes(before, after) == purchase(58, "2W 4U 2G 1Au", "-", "2U", **own)


@pytest.mark.parametrize(
    ("card", "hand", "owned"), [(65, "4R 3Au", 17), (66, "4K 3Au", 22), (67, "4W 3Au", 2)], ids=["65", "66", "67"]
)
def test_B20_a_cost_of_eight_needs_a_bonus(card, hand, owned):
    assert not allows(position("Pa1", player(hand), pyramid=[card]), f"buy {card}")
    another = next(c for c in (2, 22) if c != owned)  # a bonus for a wild card to join, of the wrong colour
    assert not allows(position("Pa1", player(hand, cards=[another]), pyramid=[card]), f"buy {card}")
    assert allows(position("Pa1", player(hand, cards=[owned]), pyramid=[card]), f"buy {card}")


@pytest.mark.parametrize("card", PEARL_CARDS)
def test_B21_a_pearl_is_paid_with_a_pearl_or_gold(card):
    printed = cost(card)
    gems = {color: min(4, n - 1) for color, n in printed.items() if n > 1}
    owned = [1, 6, 11, 16, 21]
    a_pearl_short = position("Aua1", player(tokens_text(gems), cards=owned), pyramid=[card])
    assert not allows(a_pearl_short, f"buy {card}")
    if max(printed.values()) <= 5:  # more would need gold for the gems too
        for payment in ({"pearl": 1}, {"gold": 1}):
            state = position("Aua1", player(tokens_text(gems | payment), cards=owned), pyramid=[card])
            assert allows(state, f"buy {card}")


def test_B21_there_are_29_pearl_cards():
    assert len(PEARL_CARDS) == 29
