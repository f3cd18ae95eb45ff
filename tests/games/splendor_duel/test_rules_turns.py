"""Beyond the cases: board, scrolls, replenish, takes, reserves. Tests are named after sections of the rules."""

from collections import Counter
from itertools import product

import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.positions import (
    SPIRAL,
    changes,
    deck,
    facts,
    kinds,
    legal,
    play,
    player,
    position,
    random_positions,
)

# Two cards of each colour without points and crowns.
TWO_EACH = [1, 4, 6, 9, 11, 14, 16, 19, 21, 24]


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
