"""What the rules file says and no case covers, named after its sections; first of all where engines go wrong."""

from collections import Counter
from itertools import product

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    SPIRAL,
    allows,
    bonuses,
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
    tokens,
    tokens_text,
)

# One card of each colour without points and crowns; two of each.
ONE_EACH, TWO_EACH = [1, 6, 11, 16, 21], [1, 4, 6, 9, 11, 14, 16, 19, 21, 24]


def cost(card: int) -> dict[str, int]:
    return {
        color: (int(tb.CARD_COST[card]) >> (tb.LANE * lane)) & tb.LANE_MASK
        for lane, color in enumerate(tb.COLORS[: tb.NUM_PLAIN])
    }


# --- 3, 4: board, scrolls, replenish ---


def test_rule_3_the_spiral():
    assert ["abcde"[int(cell) % 5] + str(int(cell) // 5 + 1) for cell in tb.SPIRAL] == SPIRAL


def test_rule_4_there_is_no_pass_and_only_a_win_or_the_limit_ends_a_game():
    for game in random_positions(100):
        for state in game[:-1]:
            assert GAME.legal_actions(state)
        assert GAME.legal_actions(game[-1]) == []


def test_rule_4_1_several_privileges_need_no_line_and_give_no_penalty():
    before = position("Ra1 Rc3 Re5 Wb1", player(scrolls=3))
    after = play(before, "privilege a1", "privilege e5", "privilege c3")
    gone = dict.fromkeys(("a1", "c3", "e5"), ".")
    assert changes(before, after) == {**gone, "A.tokens": "3R", "A.scrolls": 0, "pool": 3}
    pearls = position("Pb2 Pb3 Wb1", player(scrolls=2))
    after = play(pearls, "privilege b2", "privilege b3")
    assert changes(pearls, after) == {"b2": ".", "b3": ".", "A.tokens": "2P", "A.scrolls": 0, "pool": 3}
    assert kinds(after) == {"take"}


def test_rule_4_1_a_scroll_of_this_turns_purchase_cannot_be_used_in_it():
    start = position("Ga1 Gb1 Gc1 Ud1", player("3W 2K 1P 4R", cards=[*TWO_EACH, 3, 5], scrolls=3), pyramid=[33])
    state = play(start, "privilege a1", "privilege b1", "privilege c1", "buy 33")  # for the pearl alone
    assert (facts(state)["A.scrolls"], facts(state)["pool"]) == (1, 2)
    assert kinds(state) == {"discard"}
    passed = play(state, "discard white", "discard white")
    assert facts(passed)["mover"] == "B"
    assert kinds(passed) == {"take", "replenish"}


def test_rule_4_2_a_gain_comes_from_the_other_player_when_the_pool_is_empty():
    for own, others in ((0, 3), (1, 2), (2, 1)):
        before = position("Ga1", player("4W 2K 1P", scrolls=own), player(scrolls=others), pyramid=[33])
        now = facts(play(before, "buy 33"))
        assert (now["A.scrolls"], now["B.scrolls"], now["pool"]) == (own + 1, others - 1, 0)


def test_rule_4_2_the_giver_can_lose_a_scroll_to_his_own_penalty_or_replenish():
    penalized = position("Ra1 Rb1 Rc1", player(scrolls=2), player(scrolls=1), bag="1W")
    for texts in (["take a1 b1 c1"], ["replenish"]):
        now = facts(play(penalized, *texts))
        assert (now["A.scrolls"], now["B.scrolls"], now["pool"]) == (1, 2, 0)
    last = position("Ra1 Rb1 Rc1", player(scrolls=1), player(scrolls=2), bag="1W")
    assert facts(play(last, "replenish"))["B.scrolls"] == 3
    both = facts(play(last, "replenish", "take a1 b1 c1"))
    assert (both["A.scrolls"], both["B.scrolls"], both["pool"]) == (0, 3, 0)


def test_rule_4_3_occupied_cells_stay_as_they_are():
    before = position("Kc3 Auc4 Pb3 Wd5", bag="2U 1G 2R 1P 1Au")
    after = play(before, "replenish")
    assert {facts(after)[cell] for cell in ("c3", "c4", "b3", "d5")} == {"K", "Au", "P", "W"}
    filled = [cell for cell in SPIRAL if cell not in ("c3", "c4", "b3", "d5")][:7]
    laid = Counter(facts(after)[cell] for cell in filled)
    assert laid == {"U": 2, "G": 1, "R": 2, "P": 1, "Au": 1}
    assert all(facts(after)[cell] == "." for cell in SPIRAL if cell not in (*filled, "c3", "c4", "b3", "d5"))


def test_rule_4_3_the_order_of_replenished_tokens_is_luck():
    orders = set()
    for seed in range(60):
        state = play(position("Wa1", bag="1U 1G 1R", seed=seed), "replenish")
        orders.add("".join(facts(state)[cell] for cell in SPIRAL[:3]))
    assert len(orders) == 6


# --- 5: take tokens ---


def test_rule_5_a_full_board_of_plain_tokens_has_145_takes():
    sizes = Counter(bin(int(cells)).count("1") for cells in tb.TAKE_CELLS)
    assert sizes == {1: 25, 2: 72, 3: 48}
    assert len({int(cells) for cells in tb.TAKE_CELLS}) == 145
    seen = set()
    for seed in range(30):
        state = GAME.new(2, seed, GAME.options())
        board = facts(state)
        lines = {tuple(word[-2:] for word in text.split()[1:]) for text in legal(state, "take")}
        assert lines == {line for line in _all_lines() if all(board[cell] != "Au" for cell in line)}
        seen |= lines
    assert seen == _all_lines()


def _all_lines() -> set[tuple[str, ...]]:
    """Every line of one to three cells, cells in reading order, found by walking."""
    lines = set()
    for row, column, (down, right), length in product(range(5), range(5), ((0, 1), (1, 0), (1, 1), (1, -1)), (1, 2, 3)):
        cells = [(row + i * down, column + i * right) for i in range(length)]
        if all(0 <= r < 5 and 0 <= c < 5 for r, c in cells):
            lines.add(tuple("abcde"[c] + str(r + 1) for r, c in cells))
    return lines


def test_rule_5_one_pearl_or_two_equal_gems_are_free():
    before = position("Pa1 Wb1 Wc1 Pe5")
    assert "B.scrolls" not in changes(before, play(before, "take a1 b1 c1"))


# --- 6: gold and reserve ---


def test_rule_6_every_gold_cell_and_every_card_can_be_chosen():
    pyramid = [1, 2, 3, 4, 6, 31, 32, 34, 35, 55, 56, 57]
    before = position("Aua1 Auc3 Aue5 Wb1", pyramid=pyramid)
    cards = {f"reserve {card}" for card in (*pyramid, "deck1", "deck2", "deck3")}
    assert legal(before, "reserve") == cards
    for card in cards:
        asked = play(before, card)
        assert legal(asked) == {"gold a1", "gold c3", "gold e5"}
        for cell in ("a1", "c3", "e5"):
            after = facts(play(asked, f"gold {cell}"))
            assert [after[c] for c in ("a1", "c3", "e5")] == ["." if c == cell else "Au" for c in ("a1", "c3", "e5")]
            assert after["A.tokens"] == "1Au"


@pytest.mark.parametrize("what", ["1", "deck1"])
def test_rule_6_a_reserved_card_is_replaced_once_card_and_gold_are_chosen(what):
    before = position("Aua1 Auc3 Wb1", pyramid=[1, 2])
    asked = play(before, f"reserve {what}")
    assert changes(before, asked) == {"phase": "gold"}  # no card drawn, none seen yet
    assert GAME.to_dict(GAME.view(asked, 0))["decks"]["1"] == 28
    top = deck(before, 1)[0]
    after = changes(asked, play(asked, "gold a1"))
    if what == "1":
        assert (after["A.reserved"], after["pyramid.1.0"]) == ([1, None, None], top)
    else:
        assert after["A.reserved"] == [top, None, None]
        assert not any(key.startswith("pyramid") for key in after)


def test_rule_6_a_reserved_card_gives_nothing():
    before = position("Aua1 Wb1", player(cards=[2, 7]), pyramid=[55, 56])
    after = play(before, "reserve 55")
    assert {key for key in changes(before, after) if key.startswith("A.")} == {"A.tokens", "A.reserved"}
    assert GAME.to_dict(after)["phase"] == "main"  # no royal for the crowns on it


def test_rule_6_no_fourth_card_and_reserved_cards_cannot_be_discarded():
    before = position("Aua1 Auc3 Wb1", player("4U 4G 2P", reserved=[58, 59, 60]), pyramid=[1])
    assert kinds(before) == {"take"}
    assert kinds(play(before, "take b1")) == {"discard"}


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
        for state in game[::9]:
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
    assert bought > 1000


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
    owned = [*TWO_EACH, 36, 46]
    state = position("Wa1 Wb1", player("2P 1Au", cards=owned), pyramid=[3, 8, 13])
    for turn, card in enumerate((3, 8, 13), start=1):
        assert GAME.turns(state) == turn
        state = play(state, f"buy {card}", *(["pay done"] if "payment" in kinds_after(state, card) else []))
        assert facts(state)["mover"] == "A"
    assert GAME.turns(state) == 4
    assert GAME.measures(state)["turns"][1] == 0
    assert facts(play(state, "take a1"))["mover"] == "B"


def kinds_after(state, card):
    return {GAME.to_dict(play(state, f"buy {card}"))["phase"]}


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


# --- 10: end of turn and victory ---


@pytest.mark.parametrize(
    "hand", ["3W 3U 3G 2Au", "4W 4U 4G 1P", "2W 2U 2G 2R 2K 2P 1Au", "4R 4K 1P 3Au", "4W 4U 4G 4R"]
)
def test_rule_10_every_hand_of_ten_can_be_kept(hand):
    start = tokens(hand)
    spare = sum(start.values()) - 10
    # From the position before the last take: three tokens of the hand still lie on the board.
    state = position("Ke5" if start.get("black", 0) < 4 else "We5", player(hand), phase="discard")
    brute = {
        tokens_text(dict(zip(start, kept, strict=True)))
        for kept in product(*(range(n + 1) for n in start.values()))
        if sum(kept) == 10
    }
    after = list(ends(state, "discard"))
    assert {facts(s)["A.tokens"] for s in after} == brute
    for s in after:
        assert Counter(tokens(facts(s)["bag"])) == Counter(start) - Counter(held(s, 0))
        assert sum(tokens(facts(s)["bag"]).values()) == spare


@pytest.mark.parametrize(
    ("cards", "royals", "kind", "flags"),
    [
        ([33, 54, 57, 58, 60, 64], [], "points", ("points",)),
        ([54, 56, 58, 60, 62, 64], [], "points", ("points",)),
        ([33, 55, 56, 31], [], "color", ("color",)),
        ([55, 57, 59, 61, 2, 7], [1, 4], "crowns", ("crowns",)),
        ([55, 57, 59, 61, 63], [1, 4], "crowns", ("crowns", "points")),
        ([55, 57, 59, 61, 63, 56, 33, 31], [1, 4], "color", ("color", "crowns", "points")),
    ],
)
def test_rule_10_the_first_of_color_crowns_points_and_all_that_hold(cards, royals, kind, flags):
    # Whatever the mandatory action was, the end of the turn is where victory is judged.
    before = position("Ka1 Kb1 Aub2", player(cards=cards, royals=royals))
    for action in ("take a1", "reserve deck1"):
        after = play(before, action)
        assert GAME.victory(after) == (kind, flags)
        assert GAME.ranks(after) == (1, 2)


def test_rule_10_the_second_seat_wins_too():
    before = position("Ka1", b=player("3R", cards=[33, 57, 60, 62, 64]), pyramid=[12], mover=1)
    after = play(before, "buy 12", "royal 4")
    assert GAME.ranks(after) == (2, 1)
    assert GAME.victory(after) == ("points", ("points",))


def test_rule_10_wilds_count_for_their_colour_and_royals_for_none():
    owned = player(cards=[55, 56, 33, 26], wilds={26: "white"})
    assert GAME.victory(play(position("Ka1", owned), "take a1")) == ("color", ("color",))
    laid_elsewhere = player(cards=[55, 56, 33, 6, 26], wilds={26: "blue"})
    assert GAME.legal_actions(play(position("Ka1 Kb1", laid_elsewhere), "take a1"))
    with_royals = player(cards=[55, 56, 33, 2], royals=[4])
    assert GAME.legal_actions(play(position("Ka1 Kb1", with_royals), "take a1"))


def test_rule_10_only_the_mover_is_judged():
    before = position("Ka1 Kb1", b=player(cards=[54, 56, 58, 60, 62, 64]))
    assert GAME.legal_actions(play(before, "take a1"))


# --- 11: decisions ---


def test_rule_11_1_a_privilege_for_the_last_token_is_legal_when_something_stays_possible():
    board, b = "Ra1", player("4U 3G")
    stuck = player("4W 4K 2P", scrolls=1, reserved=[58, 59, 60])
    pyramid = [1, 31, 55]
    assert not allows(position(board, stuck, b, pyramid=pyramid), "privilege a1")
    # A plain token in the bag: the forced replenish brings it.
    bag = position(board, stuck, b, pyramid=pyramid, bag="1G")
    assert legal(play(bag, "privilege a1")) == {"replenish"}
    # A free place and gold, on the board or in the bag.
    free = player("4W 4K 2P", scrolls=1, reserved=[58, 59])
    assert kinds(play(position(board + " Aub1", free, b, pyramid=pyramid), "privilege a1")) == {"reserve"}
    gold_in_bag = play(position(board, free, b, pyramid=pyramid, bag="1Au"), "privilege a1")
    assert legal(gold_in_bag) == {"replenish"}
    assert kinds(play(gold_in_bag, "replenish")) == {"reserve"}
    # A card that can be bought, if only thanks to the token itself.
    helped = player("4W 4K 2P", cards=[4, 6, 11, 16, 18], scrolls=1, reserved=[12, 59, 60])
    before = position(board, helped, b, pyramid=[31, 55])
    assert not allows(before, "buy 12")
    assert legal(play(before, "privilege a1")) == {"buy 12"}
    # Gold in the bag is no help to a player with three reserved cards.
    assert not allows(position(board, stuck, b, pyramid=pyramid, bag="3Au"), "privilege a1")


def test_rule_11_1_in_random_play_there_is_always_a_mandatory_action():
    for game in random_positions(200):
        for state in game[:-1]:
            assert GAME.legal_actions(state)


def test_rule_11_4_a_view_hides_the_decks_the_luck_and_the_others_blind_cards():
    for game in random_positions(30):
        for state in game[::11]:
            full = GAME.to_dict(state)
            for seat in (0, 1):
                seen = GAME.to_dict(GAME.view(state, seat))
                assert "key" not in seen
                assert all(seen["decks"][level] in ([], len(cards)) for level, cards in full["decks"].items())
                for other, (own, shown) in enumerate(zip(full["players"], seen["players"], strict=True)):
                    for entry, known in zip(own["reserved"], shown["reserved"], strict=True):
                        if entry and entry["from_deck"] and other != seat:
                            assert known == {"level": int(tb.CARD_LEVEL[entry["card"]]) + 1, "from_deck": True}
                        else:
                            assert known == entry
                same = [key for key in full if key not in ("key", "decks", "players")]
                assert {key: full[key] for key in same} == {key: seen[key] for key in same}


# --- 12, 13: what cannot happen; the cards ---


def test_rule_12_totals_at_every_step():
    for game in random_positions(100):
        for state in game[::3]:
            data = GAME.to_dict(state)
            on_board = sum(cell != "." for cell in " ".join(data["board"]).split())
            hands = [sum(own["tokens"].values()) for own in data["players"]]
            assert on_board + sum(data["bag"].values()) + sum(hands) == 25
            assert data["pool"] + sum(own["privileges"] for own in data["players"]) == 3
            cards = [card for row in data["pyramid"].values() for card in row if card]
            cards += [card for pile in data["decks"].values() for card in pile]
            for own in data["players"]:
                cards += own["cards"] + [entry["card"] for entry in own["reserved"] if entry]
            assert sorted(cards) == list(range(1, 68))
            royals = data["royals"] + data["players"][0]["royals"] + data["players"][1]["royals"]
            assert sorted(royals) == [1, 2, 3, 4]
            assert hands[1 - data["mover"]] <= 10
            assert max(hands) <= 16
            if data["replenished"] and data["phase"] == "main":
                assert data["bag"] == {}


REGULAR = """
1 Z1X1V1B1    1 0 0 none
1 V3          1 0 1 none
1 V2B2P1      1 0 0 again
1 Z2X2        1 0 0 take_matching
1 Z3B2        1 1 0 none
2 Z2X2B2P1    1 2 1 none
2 V4Z3        1 1 0 steal
2 C4X2P1      1 2 0 privilege
2 V5B2        2 1 0 none
3 Z5X3V3P1    1 3 2 none
3 C6X2V2      1 4 0 none
"""


def test_rule_13_every_colour_has_the_same_eleven_cards():
    ring = ["white", "blue", "green", "red", "black"]
    for place, color in enumerate(ring):
        names = {"C": color, "P": "pearl"}
        names |= {letter: ring[(place + step) % 5] for letter, step in (("V", 1), ("B", 2), ("X", -1), ("Z", -2))}
        expected = Counter()
        for line in REGULAR.strip().splitlines():
            level, printed, *rest = line.split()
            prices = {names[printed[i]]: int(printed[i + 1]) for i in range(0, len(printed), 2)}
            expected[(level, tokens_text(prices), *rest)] += 1
        found = Counter(
            (
                str(int(tb.CARD_LEVEL[card]) + 1),
                tokens_text(cost(card)),
                str(int(tb.CARD_BONUS_COUNT[card])),
                str(int(tb.CARD_POINTS[card])),
                str(int(tb.CARD_CROWNS[card])),
                tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])],
            )
            for card in range(1, 68)
            if tb.CARD_BONUS[card] == tb.COLORS.index(color)
        )
        assert found == expected


def test_rule_13_totals():
    cards = range(1, 68)

    def total(column, chosen) -> list[int]:
        return [sum(int(column[card]) for card in group) for group in chosen]

    by_level = [[card for card in cards if tb.CARD_LEVEL[card] == level] for level in range(3)]
    by_color = [[card for card in cards if tb.CARD_BONUS[card] == color] for color in range(5)]
    wild = [card for card in cards if card in tb.WILD_CARDS]
    colorless = [30, 54, 67]
    assert total(tb.CARD_POINTS, by_level) == [11, 37, 44]
    assert total(tb.CARD_POINTS, [*by_color, wild, colorless]) == [14, 14, 14, 14, 14, 8, 14]
    assert total(tb.CARD_CROWNS, by_level) == [6, 9, 13]
    assert total(tb.CARD_CROWNS, [*by_color, wild, colorless]) == [4, 4, 4, 4, 4, 8, 0]
    assert Counter(int(tb.CARD_CROWNS[card]) for card in cards) == {0: 48, 1: 11, 2: 7, 3: 1}
    assert total(tb.CARD_BONUS_COUNT, by_color) == [12] * 5
    assert [len(group) for group in by_color] == [11] * 5
    assert Counter(tb.ABILITY_NAMES[int(tb.CARD_ABILITY[card])] for card in cards) == {
        "none": 38,
        "wild": 8,
        "again": 5,
        "take_matching": 5,
        "steal": 5,
        "privilege": 5,
        "wild+again": 1,
    }
    assert sorted(sum(cost(card).values()) for card in wild) == [5, 5, 6, 6, 7, 7, 7, 8, 8]
    assert all(cost(card)["pearl"] <= 1 for card in cards)
