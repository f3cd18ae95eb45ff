"""The deal and the bag: every card and token equally likely everywhere, the same for the same seed."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from harness.seeds import deal_seed

DEALS = 6_000


@pytest.fixture(scope="module")
def deals() -> list[dict]:
    return [GAME.to_dict(GAME.new(2, deal_seed(2026, deal), GAME.options())) for deal in range(DEALS)]


def test_the_same_seed_is_the_same_deal():
    first, second, other = (GAME.new(2, seed, GAME.options()) for seed in (5, 5, 6))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("bit", [0, 31, 32, 64, 95, 127])
def test_all_bits_of_the_seed_count(bit):
    assert not np.array_equal(GAME.new(2, 0, GAME.options()), GAME.new(2, 1 << bit, GAME.options()))


@pytest.mark.parametrize(("level", "cards"), [("1", 30), ("2", 24), ("3", 13)])
def test_every_card_is_equally_likely_on_top_and_in_the_first_slot(deals, level, cards):
    for pick in (lambda p: p["decks"][level][0], lambda p: p["decks"][level][-1], lambda p: p["pyramid"][level][0]):
        counts = Counter(pick(position) for position in deals)
        assert len(counts) == cards
        assert chisquare(list(counts.values())).pvalue > 0.001


def test_tokens_are_equally_likely_everywhere_on_the_board(deals):
    letters = ("W", "U", "G", "R", "K", "P", "Au")
    supply = np.array([4, 4, 4, 4, 4, 2, 3]) / 25
    cells = [Counter() for _ in range(25)]
    for position in deals:
        for cell, letter in enumerate(" ".join(position["board"]).split()):
            cells[cell][letter] += 1
    for counts in cells:
        assert chisquare([counts[letter] for letter in letters], supply * DEALS).pvalue > 0.0004


def test_decks_board_and_refills_are_unrelated(deals):
    """The first cards of two decks, and a card and the token at the centre, come in all combinations equally often."""
    for pair in (
        lambda p: (p["decks"]["1"][0] % 5, p["decks"]["3"][0] % 4),
        lambda p: (p["decks"]["2"][0] % 5, p["board"][2].split()[2] in ("W", "U")),
    ):
        counts = Counter(pair(position) for position in deals)
        rows = sorted({first for first, _ in counts})
        columns = sorted({second for _, second in counts})
        table = np.array([[counts[row, column] for column in columns] for row in rows])
        expected = table.sum(1, keepdims=True) * table.sum(0) / table.sum()
        statistic = ((table - expected) ** 2 / expected).sum()
        assert statistic < 45  # 12 and 4 degrees of freedom: far beyond chance


def test_a_refill_depends_on_the_bag_its_number_and_the_key_alone():
    def refilled(**changes) -> dict:
        position = {
            "board": [". . . . ."] * 5,
            "players": [{"tokens": {"white": 2}}, {}],
            "seed": 3,
            "replenishes": 1,
            **changes,
        }
        state = GAME.from_dict(position)
        GAME.apply(state, GAME.parse_action(state, "replenish"))
        return GAME.to_dict(state)

    assert refilled()["board"] == refilled(turn=9, mover=1)["board"]
    assert refilled()["board"] != refilled(replenishes=2)["board"]
    assert refilled()["board"] != refilled(seed=4)["board"]


def test_the_players_cannot_change_the_order_of_a_deck():
    state = GAME.new(2, 77, GAME.options())
    decks = GAME.to_dict(state)["decks"]
    rng = np.random.default_rng(1)
    drawn = {"1": [], "2": [], "3": []}
    while legal := GAME.legal_actions(state):
        before = GAME.to_dict(state)["decks"]
        GAME.apply(state, int(rng.choice(legal)))
        after = GAME.to_dict(state)["decks"]
        for level, cards in before.items():
            drawn[level] += cards[: len(cards) - len(after[level])]
    for level, cards in drawn.items():
        assert cards == decks[level][: len(cards)]
        assert cards


def test_the_key_stays_in_the_state_and_out_of_views():
    state = GAME.new(2, 123456789, GAME.options())
    assert state[st.KEY : st.KEY + 3].any()
    assert len(GAME.to_dict(state)["key"]) == 24
    assert not GAME.view(state, 0).array[st.KEY : st.KEY + 3].any()
    assert "key" not in GAME.to_dict(GAME.view(state, 0))
