"""Beyond the cases: payments, abilities, royals. Tests are named after sections of the rules."""

from collections import Counter
from itertools import product

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
    held,
    kinds,
    legal,
    play,
    player,
    position,
    random_positions,
    tokens,
    tokens_text,
)

# Two cards of each colour without points and crowns.
TWO_EACH = [1, 4, 6, 9, 11, 14, 16, 19, 21, 24]


# --- 7: purchase ---


def brute_force_payments(card: int, owned: dict[str, int], hand: dict[str, int]) -> set[str]:
    """Every split of the price into tokens of its colour and gold that the hand allows [duel 7]."""
    price = {color: max(0, n - owned.get(color, 0)) for color, n in cost(card).items()}
    found = set()
    for split in product(*(range(n + 1) for n in price.values())):
        gold = dict(zip(price, split, strict=True))
        paid = {color: price[color] - gold[color] for color in price}
        if sum(split) <= hand.get("gold", 0) and all(n <= hand.get(color, 0) for color, n in paid.items()):
            found.add(tokens_text(paid | {"gold": sum(split)}))
    return found


PAYMENTS = [
    (31, "2G 2R 2K 1P 3Au", []),
    (31, "1G 2R 1K 1P 3Au", []),
    (31, "2G 2R 2K 1P 3Au", [11, 16]),
    (1, "1U 1G 1R 1K 1Au", []),
    (1, "1U 1G 1R 1K 2Au", []),
    (1, "1U 1G 1R 1K 3Au", [6]),
    (47, "2U 2G 1R 3Au", []),
    (55, "1U 2R 3K 1P 3Au", [6, 8, 16, 18, 19]),
    (30, "4R 1P 3Au", []),
    (30, "2R 3Au", []),
    (12, "3Au", []),
    (12, "3R", []),
    (12, "3R 2Au", [16, 18, 19]),
    (67, "4W 3Au", [1]),
    (54, "4U 1P 3Au", [6]),
]


@pytest.mark.parametrize(("card", "hand", "owned"), PAYMENTS)
def test_rule_7_every_payment_can_be_chosen_and_no_other(card, hand, owned):
    before = position("Ka1" if "4K" not in hand else "Wa1", player(hand, cards=owned), pyramid=[card])
    own = {tb.COLORS[int(tb.CARD_BONUS[c])]: 0 for c in owned}
    for c in owned:
        own[tb.COLORS[int(tb.CARD_BONUS[c])]] += int(tb.CARD_BONUS_COUNT[c])
    expected = brute_force_payments(card, own, tokens(hand))
    after = list(ends(play(before, f"buy {card}"), "pay"))
    assert {facts(state)["bag"] for state in after} == expected
    for state in after:
        left = Counter(tokens(hand)) - Counter(tokens(facts(state)["bag"]))
        assert facts(state)["A.tokens"] == tokens_text(left)


def test_rule_7_no_legal_payment_means_no_purchase():
    for card, hand, owned in ((31, "2G 2R 1K 1P", []), (12, "2R", []), (30, "1R 1P 2Au", []), (67, "4W 3Au", [])):
        before = position("Pa1", player(hand, cards=owned), pyramid=[card])
        assert not brute_force_payments(card, {}, tokens(hand))
        assert not allows(before, f"buy {card}")


def test_rule_7_legal_purchases_of_random_positions_are_those_with_a_payment():
    bought = 0
    for game in random_positions(60):
        for state in game[::13]:
            data = GAME.to_dict(state)
            if data["phase"] != "main":
                continue
            own = data["players"][data["mover"]]
            owned = tokens(bonuses(state, data["mover"]))
            cards = [card for row in data["pyramid"].values() for card in row if card]
            cards += [entry["card"] for entry in own["reserved"] if entry]
            payable = {
                f"buy {card}"
                for card in cards
                if brute_force_payments(card, owned, own["tokens"]) and (owned or card not in tb.WILD_CARDS)
            }
            assert legal(state, "buy") == payable
            bought += len(payable)
    assert bought > 700


def test_rule_7_gold_may_be_paid_although_the_token_is_held():
    before = position("Pa1", player("3R 1Au"), pyramid=[12])
    asked = play(before, "buy 12")
    assert legal(asked) == {"pay gold for red", "pay done"}
    after = play(asked, "pay gold for red")
    assert (facts(after)["A.tokens"], facts(after)["bag"]) == ("1R", "2R 1Au")


def test_rule_7_a_bought_card_is_replaced_with_its_payment_and_before_its_ability():
    before = position("Pa1", player("4U 3R 1Au"), player("1W 1K"), pyramid=[32])
    paying = play(before, "buy 32")
    assert changes(before, paying) == {"phase": "payment"}  # no card drawn while gold can still be chosen
    stealing = play(paying, "pay done")
    assert legal(stealing) == {"steal white", "steal black"}
    assert facts(stealing)["pyramid.2.0"] == deck(before, 2)[0]
    choosing_color = play(position("Pa1", player("4K 1P", cards=[1, 6]), pyramid=[26]), "buy 26")
    assert legal(choosing_color) == {"wild white", "wild blue"}
    assert facts(choosing_color)["pyramid.1.0"] not in (26, None)
    matching = play(position("Ka1 Kb1", player("2G 2R"), pyramid=[24]), "buy 24")
    assert kinds(matching) == {"match"}
    assert facts(matching)["pyramid.1.0"] not in (24, None)


def test_rule_7_buying_shows_a_card_taken_from_a_deck():
    start = position("Aua1 Wb1 Kc1", player(cards=TWO_EACH), pyramid=[2], decks={"1": [12, 17, 22]})
    reserved = play(start, "reserve deck1", "take b1")
    hidden = GAME.to_dict(GAME.view(reserved, 1))["players"][0]
    assert hidden["reserved"][0] == {"level": 1, "from_deck": True}
    bought = play(reserved, "buy 12")  # 3R against two bonuses and the gold
    seen = GAME.to_dict(GAME.view(bought, 1))["players"][0]
    assert 12 in seen["cards"]
    assert seen["reserved"] == [None, None, None]


# --- 8: abilities ---


def test_rule_8_2_wild_may_join_any_owned_colour_and_no_other():
    before = position("Pa1", player("4K 1P", cards=[1, 6, 46]), pyramid=[26])
    asked = play(before, "buy 26")
    assert legal(asked) == {"wild white", "wild blue", "wild red"}
    after = play(asked, "wild red")
    assert facts(after)["A.bonuses"] == "1W 1U 3R"
    assert facts(after)["A.points_red"] == 2
    # It counts from now on: card 12 costs three red.
    assert bonuses(after, 0) == "1W 1U 3R"


def test_rule_8_2_a_wild_joins_the_colour_of_an_earlier_wild():
    owned = player("4W 1P", cards=[6, 26], wilds={26: "blue"})
    after = play(position("Pa1", owned, pyramid=[27]), "buy 27")
    assert facts(after)["A.wild_colors"] == {"26": "blue", "27": "blue"}
    assert facts(after)["A.bonuses"] == "3U"


def test_rule_8_2_card_65_keeps_its_extra_turn_when_the_colour_is_chosen():
    before = position("Pa1", player("4R 3Au", cards=[17, 6]), pyramid=[65])
    after = play(before, "buy 65", "wild blue")
    now = facts(after)
    assert (now["mover"], now["A.bonuses"], now["A.points_blue"]) == ("A", "2U 1R", 3)
    assert facts(play(after, "take a1"))["mover"] == "B"


def test_rule_8_3_matching_tokens_give_no_penalty_and_a_single_one_is_taken():
    before = position("Ka1 We5", player("1K 2G 2R"), pyramid=[24])
    after = play(before, "buy 24")
    now = facts(after)
    assert (now["a1"], now["e5"], now["A.tokens"], now["B.scrolls"], now["mover"]) == (".", "W", "2K", 0, "B")


def test_rule_8_4_a_privilege_card_takes_from_the_pool():
    before = position("Ga1", player("4W 2K 1P", scrolls=1), pyramid=[33])
    now = facts(play(before, "buy 33"))
    assert (now["A.scrolls"], now["B.scrolls"], now["pool"]) == (2, 0, 1)


def test_rule_8_5_gold_is_never_stolen():
    for hand in ("3Au", ""):
        before = position("Ga1", player("4U 3R"), player(hand), pyramid=[32])
        after = play(before, "buy 32")
        now = facts(after)
        assert (now["A.tokens"], now["B.tokens"], now["mover"]) == ("-", "3Au" if hand else "-", "B")


def test_rule_8_5_stealing_past_ten_tokens():
    start = position(
        "Ga1 Gb1 Gc1", player("4U 3R 2W 1P", cards=[6, 8, 9, 10, 16, 18, 19], scrolls=3), player("1K"), pyramid=[32]
    )
    state = play(start, "privilege a1", "privilege b1", "buy 32")
    assert sum(held(state, 0).values()) == 13
    assert kinds(state) == {"discard"}


def test_rule_8_1_extra_turns_chain():
    before = position("Wa1 Wb1", player("2P 1Au", cards=[*TWO_EACH, 36, 46]), pyramid=[3, 8, 13])
    second = play(before, "buy 3", "pay done")
    third = play(second, "buy 8", "pay done")
    fourth = play(third, "buy 13")  # the gold for the third pearl
    for turn, state in enumerate((before, second, third, fourth), start=1):
        assert (GAME.turns(state), facts(state)["mover"]) == (turn, "A")
    assert GAME.measures(fourth)["ability_again"] == (3, 0)
    assert facts(play(fourth, "take a1"))["mover"] == "B"


# --- 9: royals ---


def crossing(b: str = "") -> object:
    """A position in which A's purchase of card 12 brings the third crown."""
    return position("Wa1", player("3R", cards=[2, 7]), player(b), pyramid=[12])


def test_rule_9_royal_1_steals():
    before = play(crossing("1U 1R 1Au"), "buy 12", "royal 1")
    assert legal(before) == {"steal blue", "steal red"}
    now = facts(play(before, "steal red"))
    assert (now["A.tokens"], now["B.tokens"], now["A.points"], now["mover"]) == ("1R", "1U 1Au", 2, "B")
    silent = facts(play(crossing("1P"), "buy 12", "royal 1"))
    assert (silent["A.tokens"], silent["B.tokens"], silent["mover"]) == ("1P", "-", "B")
    nothing = facts(play(crossing("2Au"), "buy 12", "royal 1"))
    assert (nothing["A.tokens"], nothing["B.tokens"], nothing["mover"]) == ("-", "2Au", "B")


def test_rule_9_royal_2_plays_again():
    now = facts(play(crossing(), "buy 12", "royal 2"))
    assert (now["A.points"], now["mover"], now["phase"], now["A.royals"]) == (2, "A", "main", [2])


def test_rule_9_royal_3_gives_a_privilege():
    before = crossing()
    now = facts(play(before, "buy 12", "royal 3"))
    assert (now["A.points"], now["mover"], now["A.scrolls"], now["pool"]) == (2, "B", 1, 2)


def test_rule_9_royal_4_gives_points_only():
    now = facts(play(crossing("1U"), "buy 12", "royal 4"))
    assert (now["A.points"], now["mover"], now["A.scrolls"], now["B.tokens"]) == (3, "B", 0, "1U")


def test_rule_9_a_single_royal_is_taken_silently():
    before = position(
        "Wa1",
        player("3R", cards=[2, 7, 17, 22, 31], royals=[1]),
        player(royals=[2, 3], cards=[35, 39, 43, 47, 52, 53], wilds={52: "blue", 53: "blue"}),
        pyramid=[12],
    )
    now = facts(play(before, "buy 12"))
    assert (now["A.crowns"], now["A.royals"], now["royals"], now["mover"]) == (6, [1, 4], [], "B")


def test_rule_9_no_royal_between_the_thresholds_or_after_the_sixth_crown():
    for owned, royals in (([2, 7, 17], [1]), ([2, 7, 17, 22, 31, 35], [1, 2]), ([2, 7, 17, 22, 31, 35, 57], [1, 2])):
        before = position("Wa1", player("3R", cards=owned, royals=royals), pyramid=[12])
        now = facts(play(before, "buy 12"))
        assert (now["A.royals"], now["mover"]) == (royals, "B")
