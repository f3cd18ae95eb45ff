import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest, t

from harness.stats.intervals import MAX_UNITS, Deals, clustered_mean, holm, ratio, wilson

ROWS = list(csv.DictReader((Path(__file__).parent / "reference.csv").read_text().splitlines()))


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["method"] == "wilson_ci95"], ids=lambda r: f"{r['case']}-{r['quantity']}"
)
def test_wilson_gives_the_published_ends(row):
    data = json.loads(row["data"])
    ends = wilson(data["wins"], data["games"])
    end = ends.low if row["quantity"].startswith("low") else ends.high
    scale = 100 if row["quantity"].endswith("percent") else 1
    assert float(end) * scale == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]))


@pytest.mark.parametrize(("k", "n"), [(0, 7), (7, 7), (1, 1), (31, 97)])
def test_wilson_agrees_with_scipy(k, n):
    expected = binomtest(k, n).proportion_ci(method="wilson")
    found = wilson(k, n)
    assert (float(found.low), float(found.high)) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_of_nothing_is_unknown():
    assert np.isnan(wilson(0, 0)).all()


def test_sums_add_up_by_deal_and_cell():
    deals = Deals([5, 5, 9])
    table = deals.sums([5, 9, 5, 9], [0, 0, 0, 1], [1, 2, 4, 8], 2).toarray()
    assert table.tolist() == [[5, 0], [2, 8]]


def test_one_value_per_deal_gives_the_textbook_t_interval():
    rng = np.random.default_rng(1)
    values = rng.random(40)
    deals = Deals(np.arange(40))
    cell = np.zeros(40)
    one = deals.sums(np.arange(40), cell, np.ones(40), 1)
    found = clustered_mean(deals.sums(np.arange(40), cell, values, 1), one)
    half = t.ppf(0.975, 39) * values.std(ddof=1) / np.sqrt(40)
    assert found.value[0] == pytest.approx(values.mean())
    assert (found.low[0], found.high[0]) == pytest.approx((values.mean() - half, values.mean() + half))


def test_games_that_repeat_their_deal_add_no_certainty():
    rng = np.random.default_rng(2)
    score = (rng.random(50) < 0.6).astype(float)
    deals = Deals(np.arange(50))

    def width(copies):
        deal, cell = np.repeat(np.arange(50), copies), np.zeros(50 * copies)
        values = deals.sums(deal, cell, np.repeat(score, copies), 1)
        number = deals.sums(deal, cell, np.ones(50 * copies), 1)
        both = clustered_mean(values, number), ratio(deals, values, number)
        return [float(e.high[0] - e.low[0]) for e in both]

    assert width(1) == pytest.approx(width(20))


def test_bootstrap_matches_a_plain_loop():
    rng = np.random.default_rng(3)
    wins, crowns = rng.integers(0, 5, 30), rng.integers(0, 2, 30)
    crowns = np.minimum(wins, crowns)
    deals = Deals(np.arange(30), draws=500)
    cell = np.zeros(30)
    found = ratio(deals, deals.sums(np.arange(30), cell, crowns, 1), deals.sums(np.arange(30), cell, wins, 1))
    draws = sorted(
        sum(w * c for w, c in zip(row, crowns, strict=True)) / sum(w * c for w, c in zip(row, wins, strict=True))
        for row in deals.weights
    )
    low, high = np.quantile(draws, deals.tails)
    assert found.value[0] == pytest.approx(crowns.sum() / wins.sum())
    assert (found.low[0], found.high[0]) == pytest.approx((low, high))


def test_a_rate_that_never_varied_is_not_certain():
    deals = Deals(np.arange(20))
    cell, ones = np.zeros(20), np.ones(20)
    for values, low, high in ((ones, float(wilson(20, 20).low), 1.0), (0 * ones, 0.0, float(wilson(0, 20).high))):
        above, below = deals.sums(np.arange(20), cell, values, 1), deals.sums(np.arange(20), cell, ones, 1)
        for found in (ratio(deals, above, below), clustered_mean(above, below)):
            assert (found.low[0], found.high[0]) == pytest.approx((low, high))


def test_no_denominator_is_unknown_and_one_deal_is_hardly_known():
    deals = Deals([3])
    none = deals.sums([], [], [], 1)
    assert np.isnan(ratio(deals, none, none)).all()
    one = deals.sums([3, 3], [0, 0], [1, 1], 1)
    found = ratio(deals, one, one)
    assert (found.low[0], found.high[0]) == pytest.approx((float(wilson(1, 1).low), 1.0))
    assert np.isnan(ratio(deals, one, one, rate=False).low)


def test_few_deals_widen_the_tails_and_many_leave_them():
    assert Deals(range(5)).tails[0] < 0.01
    assert Deals(range(1000)).tails[0] == pytest.approx(0.025, abs=2e-4)


def test_many_deals_are_resampled_in_batches_of_the_same_spread():
    number = 4 * MAX_UNITS
    rng = np.random.default_rng(4)
    values = rng.random(number)
    deals = Deals(np.arange(number))
    cell = np.zeros(number)
    found = ratio(
        deals, deals.sums(np.arange(number), cell, values, 1), deals.sums(np.arange(number), cell, np.ones(number), 1)
    )
    assert deals.weights.shape == (1000, MAX_UNITS)
    assert float(found.high[0] - found.low[0]) == pytest.approx(2 * 1.96 * values.std() / number**0.5, rel=0.1)


@pytest.mark.slow
def test_intervals_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(5)
    hits = 0
    for repeat in range(400):
        luck = rng.normal(0, 1, 60)  # shared by the two games of a deal
        wins = rng.random((60, 2)) < 1 / (1 + np.exp(-luck[:, None]))
        deals = Deals(np.arange(60), draws=400, seed=repeat)
        deal = np.repeat(np.arange(60), 2)
        found = ratio(
            deals, deals.sums(deal, np.zeros(120), wins.ravel(), 1), deals.sums(deal, np.zeros(120), np.ones(120), 1)
        )
        hits += found.low[0] <= 0.5 <= found.high[0]
    assert 0.92 <= hits / 400 <= 0.98


def test_holm_steps_down():
    assert holm([0.01, 0.04, 0.03]).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]).tolist() == []


def test_no_deals_at_all_is_an_error():
    with pytest.raises(ValueError, match="no deals"):
        Deals([])
