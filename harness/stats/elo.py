"""Elo of a mean score: the logistic scale on which 400 points are odds of ten to one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm

from harness.stats.intervals import Z95, Floats, wilson

SCALE = 400 / np.log(10)
"""Elo points per unit of log odds."""


class Elo(NamedTuple):
    """An Elo difference with its 95 % interval; ``bound`` is +1 (at least), -1 (at most) or 0 (a plain estimate)."""

    value: float
    low: float
    high: float
    bound: int

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


def elo(score: ArrayLike) -> Floats:
    """Return -400 log10(1/score - 1); infinite at 0 and 1."""
    s = np.asarray(score, dtype=float)
    with np.errstate(divide="ignore"):
        return np.asarray(SCALE * (np.log(s) - np.log1p(-s)))


def mean_and_error(values: ArrayLike, counts: ArrayLike) -> tuple[float, float, float]:
    """Return mean, standard error (population variance) and number of scores given as value -> count."""
    a, n = np.asarray(values, dtype=float), np.asarray(counts, dtype=float)
    total = float(n.sum())
    mean = float((a * n).sum() / total)
    variance = float((n * (a - mean) ** 2).sum() / total)
    return mean, float(np.sqrt(variance / total)), total


def elo_estimate(score: float, error: float, units: float) -> Elo:
    """Return the Elo of a mean score with standard error ``error`` from ``units`` independent units.

    At 0 or 1 the value is a bound, as if one unit had been a draw (Ordo's rule), and the finite end of the interval
    comes from Wilson's.
    """
    if score in (0.0, 1.0):
        sign = 1 if score == 1.0 else -1
        value = sign * float(elo(1 - 0.5 / units)) if units > 0.5 else 0.0
        end = sign * float(elo(wilson(units, units).low))
        return Elo(value, end, np.inf, 1) if sign > 0 else Elo(value, -np.inf, end, -1)
    tiny = 1e-12
    low, high = elo(np.clip([score - Z95 * error, score + Z95 * error], tiny, 1 - tiny))
    ends = [-np.inf if score - Z95 * error <= 0 else float(low), np.inf if score + Z95 * error >= 1 else float(high)]
    return Elo(float(elo(score)), ends[0], ends[1], 0)


def superiority(score: float, error: float) -> float:
    """Return LOS, the likelihood that the true score is above one half: Phi((score - 1/2) / error)."""
    if error == 0:
        return 0.5 if score == 0.5 else float(score > 0.5)
    return float(norm.cdf((score - 0.5) / error))
