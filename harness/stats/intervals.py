"""Intervals for rates and means of games that share deals.

A deal is played at all tables, so the deal is the unit of luck: means use one value per deal, and everything else
resamples deal numbers jointly over all tables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.stats import norm, t

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL = 0.95
Z95 = float(norm.ppf(0.5 + LEVEL / 2))
MAX_UNITS = 2000


class Estimate(NamedTuple):
    """A value with the ends of its 95 % interval: arrays of one shape; NaN where the data say nothing."""

    value: Floats
    low: Floats
    high: Floats


def wilson(successes: ArrayLike, trials: ArrayLike) -> Estimate:
    """Return the rate of independent trials with its Wilson score interval (Wilson 1927); NaN for no trials."""
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = k / n
        centre = (k + Z95**2 / 2) / (n + Z95**2)
        half = Z95 / (n + Z95**2) * np.sqrt(k * (1 - rate) + Z95**2 / 4)
    known = n > 0
    low = np.where(rate <= 0, 0.0, centre - half)  # exact at the ends, where rounding would leave 1e-17
    high = np.where(rate >= 1, 1.0, centre + half)
    return Estimate(rate, np.where(known, low, np.nan), np.where(known, high, np.nan))


class Deals:
    """The deals of a run and one set of bootstrap weights over them, shared by all that is estimated.

    Over ``MAX_UNITS`` deals are resampled in that many batches of deals: deals are independent, so the spread is the
    same, and the weights stay small (draws x units).
    """

    def __init__(self, deals: ArrayLike, draws: int = 1000, seed: int = 20260) -> None:
        self.numbers: Ints = np.unique(np.asarray(deals, dtype=np.int64))
        if not len(self.numbers):
            raise ValueError("no deals: there is nothing to estimate from")
        self.count = len(self.numbers)
        self.units = min(self.count, MAX_UNITS)
        rng = np.random.default_rng(seed)
        self.weights: Floats = rng.multinomial(self.units, np.full(self.units, 1 / self.units), draws).astype(float)
        unit = np.arange(self.count) % self.units
        self._to_units = sparse.csr_array((np.ones(self.count), (unit, np.arange(self.count))))

    def sums(self, deal: ArrayLike, cell: ArrayLike, value: ArrayLike, cells: int) -> sparse.csr_array:
        """Return the sums of ``value`` by deal and cell, shape (deals, cells). Cells are ``0 .. cells - 1``."""
        row = np.searchsorted(self.numbers, np.asarray(deal, dtype=np.int64))
        values = np.asarray(value, dtype=float)
        table = sparse.coo_array((values, (row, np.asarray(cell, dtype=np.int64))), shape=(self.count, cells))
        return table.tocsr()

    def resampled(self, per_deal: sparse.csr_array) -> Floats:
        """Return the totals of each cell in each draw, shape (draws, cells)."""
        return np.asarray((self._to_units @ per_deal).T @ self.weights.T).T

    @property
    def tails(self) -> tuple[float, float]:
        """The quantiles that end the 95 % interval, expanded for few units (Hesterberg 2015, section 3.3)."""
        if self.units < 2:
            return 0.0, 1.0
        spread = np.sqrt(self.units / (self.units - 1)) * t.ppf(0.5 + LEVEL / 2, self.units - 1)
        return float(norm.cdf(-spread)), float(norm.cdf(spread))

    def interval(self, draws: Floats) -> tuple[Floats, Floats]:
        """Return the ends of the interval over the first axis of ``draws``; NaN from a single deal."""
        if self.units < 2:
            nothing = np.full(draws.shape[1:], np.nan)
            return nothing, nothing
        return _nan_quantile(draws, self.tails[0]), _nan_quantile(draws, self.tails[1])


def _nan_quantile(draws: Floats, level: float) -> Floats:
    """Quantiles down the first axis; columns without any number give NaN and no warning."""
    empty = np.isnan(draws).all(axis=0)
    filled = np.where(empty, 0.0, draws)
    found = np.nanquantile(filled, level, axis=0) if np.isnan(filled).any() else np.quantile(filled, level, axis=0)
    return np.where(empty, np.nan, found)


def ratio(deals: Deals, above: sparse.csr_array, below: sparse.csr_array, *, rate: bool = True) -> Estimate:
    """Return total(above) / total(below) per cell with the joint bootstrap interval.

    ``rate`` says the ratio is a share of counts in [0, 1]: where it does not vary (0 %, 100 %, one deal) the
    bootstrap would claim certainty, so Wilson's interval on the number of deals stands in.
    """
    parts = [
        _ratio(deals, above[:, start : start + 2000], below[:, start : start + 2000], rate)
        for start in range(0, above.shape[1], 2000)  # draws x cells stays below 16 MB
    ]
    if not parts:
        return Estimate(np.empty(0), np.empty(0), np.empty(0))
    return Estimate(*(np.concatenate(ends) for ends in zip(*parts, strict=True)))


def _ratio(deals: Deals, above: sparse.csr_array, below: sparse.csr_array, rate: bool) -> Estimate:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.asarray(above.sum(axis=0)) / np.asarray(below.sum(axis=0))
        draws = deals.resampled(above) / deals.resampled(below)
    low, high = deals.interval(draws)
    return _stand_in(Estimate(value, low, high), below) if rate else Estimate(value, low, high)


def clustered_mean(total: sparse.csr_array, number: sparse.csr_array, *, rate: bool = True) -> Estimate:
    """Return total / number per cell with a t interval whose unit is the deal (linearised ratio estimate).

    ``total`` and ``number`` are sums by deal and cell. For ``rate`` see `ratio`; the interval of another mean that
    does not vary is unknown (NaN).
    """
    n = np.asarray(number.sum(axis=0))
    units = np.asarray((number != 0).sum(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.asarray(total.sum(axis=0)) / n
        squares = (total * total).sum(axis=0) - 2 * mean * (total * number).sum(axis=0)
        squares = np.asarray(squares + mean**2 * (number * number).sum(axis=0))
        error = np.sqrt(np.maximum(squares, 0) * units / (units - 1)) / n
        half = np.where(units > 1, t.ppf(0.5 + LEVEL / 2, np.maximum(units - 1, 1)) * error, np.nan)
    half = np.where(half < 1e-9, np.nan, half)  # a mean that never varied shows no spread to judge by
    estimate = Estimate(mean, mean - half, mean + half)
    if not rate:
        return estimate
    return _stand_in(Estimate(mean, np.maximum(estimate.low, 0), np.minimum(estimate.high, 1)), number)


def _stand_in(estimate: Estimate, number: sparse.csr_array) -> Estimate:
    """Replace the interval of a rate that did not vary by Wilson's on the number of deals that speak."""
    units = np.asarray((number != 0).sum(axis=0))
    safe = wilson(np.nan_to_num(estimate.value) * units, units)
    flat = ~(estimate.high - estimate.low > 1e-9)
    return Estimate(estimate.value, np.where(flat, safe.low, estimate.low), np.where(flat, safe.high, estimate.high))


def holm(p_values: ArrayLike) -> Floats:
    """Return p-values adjusted for being one family of tests (Holm 1979)."""
    p = np.asarray(p_values, dtype=float)
    order = np.argsort(p, kind="stable")
    steps = p[order] * (len(p) - np.arange(len(p)))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
