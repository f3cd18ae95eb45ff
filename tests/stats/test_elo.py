import csv
import json
from pathlib import Path

import numpy as np
import pytest

from harness.stats.elo import elo, elo_estimate, mean_and_error, superiority

ROWS = list(csv.DictReader((Path(__file__).parent / "reference.csv").read_text().splitlines()))
COUNTS = ("elo_wdl", "elo_pentanomial", "pentanomial_statistics")


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["method"] in COUNTS], ids=lambda r: f"{r['case']}-{r['quantity']}"
)
def test_elo_of_counts_is_what_other_programs_print(row):
    data = json.loads(row["data"])
    values, counts = (
        ([0, 0.5, 1], [data[k] for k in "LDW"])
        if "W" in data
        else ([0, 0.25, 0.5, 0.75, 1], data["ptnml_LL_LD_WLDD_WD_WW"])
    )
    mean, error, units = mean_and_error(values, counts)
    found = {
        "score": lambda: mean,
        "variance_per_pair": lambda: error**2 * units,
        "elo": lambda: elo_estimate(mean, error, units).value,
        "elo_err95": lambda: elo_estimate(mean, error, units).half_width,
        "los": lambda: superiority(mean, error),
    }[row["quantity"]]()
    assert found == pytest.approx(float(row["expected"]), abs=float(row["tolerance"]))


def test_elo_and_score_are_inverse():
    scores = np.array([0.01, 0.25, 0.5, 0.9])
    assert 1 / (1 + 10 ** (-elo(scores) / 400)) == pytest.approx(scores)
    assert float(elo(10 / 11)) == pytest.approx(400)


def test_a_clean_sweep_is_a_bound():
    won, lost = elo_estimate(1.0, 0.0, 100), elo_estimate(0.0, 0.0, 100)
    assert (won.bound, lost.bound) == (1, -1)
    assert won.value == pytest.approx(float(elo(0.995)))
    assert won.low < won.value < won.high == np.inf
    assert (lost.value, lost.high) == (-won.value, -won.low)


def test_an_interval_beyond_the_ends_is_open():
    found = elo_estimate(0.9, 0.1, 5)
    assert found.high == np.inf
    assert np.isfinite(found.low)


def test_superiority_of_no_spread():
    assert [superiority(s, 0) for s in (0.4, 0.5, 0.6)] == [0.0, 0.5, 1.0]
