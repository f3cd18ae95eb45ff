"""Ratings of many bots: Bradley-Terry on all pairs of seats of a game, any number of seats, with a term per seat.

A game of n seats gives n(n-1)/2 pairs of weight 1/(n-1), so each bot counts once a game; ties count half.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.stats import rankdata, t

from harness.stats.elo import SCALE, elo
from harness.stats.intervals import Z95, Deals, Floats, Ints, wilson

SEAT_PRIOR = 1e-3  # precision that keeps a seat term finite when one seat won every game; it moves others by < 0.001
MAX_STEP = 2.0
FLAT = 1e-6  # Elo


@dataclass(frozen=True)
class Pairs:
    """All pairs of seats of some games, one entry each, mirrors left out; and their grouping into cells."""

    game: Ints
    """Index of the game of each entry."""
    score: Floats
    """1, 1/2 or 0 for the first of the pair."""
    weight: float
    cell: Ints
    """Cell of each entry: the same two bots in the same two seats."""
    cells: Ints
    """Shape (cells, 4): first bot, second bot, seat of the first, seat of the second."""


def pairs_of_seats(bots: Ints, ranks: Ints) -> Pairs:
    """Return the pairs of games given as bot numbers and ranks, both of shape (games, seats)."""
    games, seats = bots.shape
    one, two = np.triu_indices(seats, k=1)
    game = np.repeat(np.arange(games), len(one))
    sides = np.stack(
        [bots[:, one].ravel(), bots[:, two].ravel(), np.tile(one, games), np.tile(two, games)], axis=1
    ).astype(np.int64)
    ahead = np.sign(ranks[:, two] - ranks[:, one]).ravel()
    keep = sides[:, 0] != sides[:, 1]
    cells, cell = np.unique(sides[keep], axis=0, return_inverse=True)
    return Pairs(game[keep], (1 + ahead[keep]) / 2, 1 / (seats - 1), cell.reshape(-1), cells)


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo, mean 0, best guess and draws, by bot number."""

    value: Floats
    low: Floats
    high: Floats
    bound: Ints
    """+1: at least (nobody beyond its group took a point off it), -1: at most, 0: a plain estimate."""
    rank_low: Ints
    rank_high: Ints
    draws: Floats
    """Shape (draws, bots): for differences, whose intervals do not follow from those of two ratings."""
    seat: Floats
    """Elo a seat is worth against the mean seat, by seat; NaN when the schedule cannot tell."""
    seat_low: Floats
    seat_high: Floats
    deals: Deals = field(repr=False)

    def difference(self, one: int, two: int) -> tuple[float, float, float]:
        """Return rating(one) - rating(two) with the ends of its 95 % interval; infinite where it is a bound."""
        gap = self.draws[:, one] - self.draws[:, two]
        low, high = (float(end) for end in self.deals.interval(gap))
        if high - low < FLAT:
            low, high = low - _allowance(self.deals), high + _allowance(self.deals)
        up = self.bound[one] > 0 or self.bound[two] < 0
        down = self.bound[one] < 0 or self.bound[two] > 0
        if up and self.bound[one] != self.bound[two]:
            low, high = self._least(one, two), np.inf
        elif down and self.bound[one] != self.bound[two]:
            low, high = -np.inf, -self._least(two, one)
        return float(self.value[one] - self.value[two]), low, high

    def _least(self, strong: int, weak: int) -> float:
        top = self.low[strong] if self.bound[strong] > 0 else self.value[strong]
        bottom = self.high[weak] if self.bound[weak] < 0 else self.value[weak]
        return float(top - bottom)

    def p_value(self, one: int, two: int) -> float:
        """Return the two-sided p-value of equal ratings; a sign test on the deals where a rating is a bound."""
        units = self.deals.units
        if units < 2:
            return 1.0
        if self.bound[one] != self.bound[two]:
            return min(1.0, 2 * 0.5**units)
        spread = float(np.std(self.draws[:, one] - self.draws[:, two])) * np.sqrt(units / (units - 1))
        gap = abs(float(self.value[one] - self.value[two]))
        if spread < 1e-9:
            return 1.0 if gap < 1e-9 else min(1.0, 2 * 0.5**units)
        return float(2 * t.sf(gap / spread, units - 1))


def groups(cells: Ints, bots: int) -> Ints:
    """Return for each bot the number of its group: bots that met, directly or through others, share one."""
    links = sparse.coo_array((np.ones(len(cells)), (cells[:, 0], cells[:, 1])), shape=(bots, bots))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def rate(pairs: Pairs, deal: Ints, deals: Deals, bots: int, seats: int) -> Ratings:
    """Rate ``bots`` bots from pairs of seats; ``deal`` is the deal of each game.

    Raises ValueError when the bots fall into groups that never met: there is no common scale then.
    """
    if len(pairs.cells) == 0 or np.max(groups(pairs.cells, bots)) > 0:
        raise ValueError("bots that never met, directly or through others, have no common scale")
    size = len(pairs.cells)
    entry_deal = deal[pairs.game]
    weight = deals.sums(entry_deal, pairs.cell, np.full(len(pairs.cell), pairs.weight), size)
    score = deals.sums(entry_deal, pairs.cell, pairs.score * pairs.weight, size)
    played, scored = np.asarray(weight.sum(axis=0)), np.asarray(score.sum(axis=0))
    model = Model(pairs.cells, bots, seats)
    mended, bound = connect(pairs.cells, played, scored, bots)
    value, seat = model.fit(played[None], mended[None])
    draws, seat_draws, unbeaten = _draws(model, deals, weight, score, value[0], seat[0])
    low, high = deals.interval(draws)
    for bot in map(int, np.flatnonzero(bound == 0)):
        # Its few losses (or wins) are missing from so many draws that the draws do not reach this far.
        if unbeaten[0, bot] > 1 - deals.tails[1]:
            high[bot] = max(high[bot], _with_fewer_losses(model, played, scored, bot, deals)[bot])
        if unbeaten[1, bot] > deals.tails[0]:
            low[bot] = min(low[bot], -_with_fewer_losses(model, played, played - scored, bot, deals)[bot])
    flat = high - low < FLAT  # nothing varied, which few deals can do by chance
    low, high = np.where(flat, low - _allowance(deals), low), np.where(flat, high + _allowance(deals), high)
    if bound.any():
        # The share Wilson's interval allows where none was seen, on the number of deals.
        allowed = Z95**2 / (deals.count + Z95**2)
        far, _ = model.fit(played[None], connect(pairs.cells, played, scored, bots, allowed)[0][None])
        low = np.where(bound > 0, far[0], np.where(bound < 0, -np.inf, low))
        high = np.where(bound < 0, far[0], np.where(bound > 0, np.inf, high))
    rank_low, rank_high = _rank_interval(draws, deals)
    seat_low, seat_high = deals.interval(seat_draws)
    return Ratings(value[0], low, high, bound, rank_low, rank_high, draws, seat[0], seat_low, seat_high, deals)


def _allowance(deals: Deals) -> float:
    """Return how far from even, in Elo, bots may be that shared every deal equally (Wilson's interval)."""
    return float(elo(wilson(deals.count / 2, deals.count).high))


def _with_fewer_losses(model: "Model", played: Floats, scored: Floats, bot: int, deals: Deals) -> Floats:
    """Fit with the losses of one bot cut down to the low end of Wilson's interval for them, on the number of deals."""
    first, second = model.cells[:, 0] == bot, model.cells[:, 1] == bot
    losses = np.where(first, played - scored, np.where(second, scored, 0.0))
    share = losses.sum() / played[first | second].sum()
    losses *= 1 - wilson(share * deals.count, deals.count).low / share
    value, _ = model.fit(played[None], (scored + np.where(first, losses, -losses))[None])
    return np.asarray(value[0])


def _draws(
    model: "Model", deals: Deals, weight: sparse.csr_array, score: sparse.csr_array, value: Floats, seat: Floats
) -> tuple[Floats, Floats, Floats]:
    """Fit every bootstrap draw, in slices that keep memory flat; also in which share of them a rating is a bound.

    That share has shape (2, bots): at least, at most.
    """
    played, scored = deals.resampled(weight), deals.resampled(score)
    bounds = np.zeros((2, model.bots))
    for draw in range(len(played)):
        scored[draw], bound = connect(model.cells, played[draw], scored[draw], model.bots)
        bounds += (bound > 0, bound < 0)
    start = np.concatenate([value, np.nan_to_num(seat)]) / SCALE
    parts = [model.fit(played[i : i + 100], scored[i : i + 100], start) for i in range(0, len(played), 100)]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), bounds / len(played)


def _rank_interval(draws: Floats, deals: Deals) -> tuple[Ints, Ints]:
    bots = draws.shape[1]
    if deals.units < 2:
        return np.ones(bots, dtype=np.int64), np.full(bots, bots, dtype=np.int64)
    tidy = np.round(draws, 6)  # equal bots are equal, whatever the last bit says
    best, worst = rankdata(-tidy, axis=1, method="min"), rankdata(-tidy, axis=1, method="max")
    low, high = deals.tails
    first = np.quantile(best, low, axis=0, method="inverted_cdf")
    last = np.quantile(worst, high, axis=0, method="higher")
    return first.astype(np.int64), last.astype(np.int64)


def connect(cells: Ints, played: Floats, scored: Floats, bots: int, share: float | None = None) -> tuple[Floats, Ints]:
    """Make ratings finite: return the scores mended and, per bot, whether its rating is a bound (+1, -1, 0).

    A group that nobody outside took a point off gives half a point away, spread over its games, as if one game had
    been a draw (Ordo's rule); ``share`` gives away that share of its games instead. Groups that took none get one.
    """
    mended, bound = scored.copy(), np.zeros(bots, dtype=np.int64)
    for _ in range(bots):
        one, two = cells[:, 0], cells[:, 1]
        takes, gives = mended > 1e-12, played - mended > 1e-12
        beat = sparse.coo_array(
            (np.ones(takes.sum() + gives.sum()), (np.r_[one[takes], two[gives]], np.r_[two[takes], one[gives]])),
            shape=(bots, bots),
        )
        count, group = connected_components(beat, directed=True, connection="strong")
        if count == 1:
            break
        changed = False
        for sign in (1, -1):
            for lonely in _lonely(beat, group, count, sign):
                inside = group == lonely
                bound[inside & (bound == 0)] = sign
                changed |= _give(cells, played, mended, inside, sign, share)
        if not changed:
            break
    return mended, bound


def _lonely(beat: sparse.coo_array, group: Ints, count: int, sign: int) -> Ints:
    """Return the groups that no other group beat (sign +1) or that beat no other group (sign -1)."""
    winner, loser = group[beat.coords[0]], group[beat.coords[1]]
    outside = winner != loser
    hit = np.zeros(count, dtype=bool)
    hit[(loser if sign > 0 else winner)[outside]] = True
    met = np.zeros(count, dtype=bool)  # a group without any game outside is another pool, not unbeaten
    met[winner[outside]] = met[loser[outside]] = True
    return np.flatnonzero(~hit & met)


def _give(cells: Ints, played: Floats, mended: Floats, inside: Ints, sign: int, share: float | None) -> bool:
    """Move score between a group and the others it met, in proportion to the games; False if it is done already."""
    first, second = inside[cells[:, 0]], inside[cells[:, 1]]
    theirs, ours = (first & ~second), (~first & second)
    edge = theirs | ours
    total = float(played[edge].sum())
    mine = np.where(theirs, mended, played - mended)[edge]
    already = mine.sum() < total - 1e-12 if sign > 0 else mine.sum() > 1e-12
    if already or total <= 0:
        return False
    part = min(0.5, total / 2) / total if share is None else share
    mended -= sign * part * played * (theirs.astype(float) - ours)
    return True


class Model:
    """The logistic model of given cells: bots minus bots plus seat minus seat."""

    def __init__(self, cells: Ints, bots: int, seats: int, *, seat_term: bool = True) -> None:
        self.cells, self.bots, self.seats = cells, bots, seats
        size = len(cells)
        rows = np.repeat(np.arange(size), 4)
        columns = np.stack([cells[:, 0], cells[:, 1], bots + cells[:, 2], bots + cells[:, 3]], axis=1)
        signs = np.tile([1.0, -1.0, 1.0, -1.0], size)
        full = sparse.csr_array((signs, (rows, columns.ravel())), shape=(size, bots + seats))
        # Who always sits in one seat cannot be told from the seat: then the seats get no term.
        self.with_seats = seat_term and bool(np.linalg.matrix_rank(full.toarray()) == bots + seats - 2)
        self.terms = bots + seats if self.with_seats else bots
        self.design = full[:, : self.terms].tocsr()
        self._products = self._outer()
        bots_ones = (np.arange(self.terms) < bots).astype(float)
        # Only differences count: a penalty on both sums picks mean 0 and leaves the likelihood as it is.
        self._fixed = np.outer(bots_ones, bots_ones) + np.outer(1 - bots_ones, 1 - bots_ones)
        self._prior = SEAT_PRIOR * (1 - bots_ones)
        # A draw may lack a bot: then it stays where it started.
        self._floor = np.diag(self._prior + 1e-12)

    def _outer(self) -> sparse.csr_array:
        """Return x x' of each cell, flattened: shape (cells, terms squared)."""
        dense = self.design.tocoo()
        by_cell = sparse.csr_array((dense.data, (dense.coords[0], dense.coords[1])), shape=self.design.shape)
        each = int(by_cell.indptr[1])
        index, data = by_cell.indices.reshape(-1, each), by_cell.data.reshape(-1, each)
        flat = (index[:, :, None].astype(np.int64) * self.terms + index[:, None, :]).ravel()
        values = (data[:, :, None] * data[:, None, :]).ravel()
        rows = np.repeat(np.arange(len(index)), each * each)
        return sparse.csr_array((values, (rows, flat)), shape=(len(index), self.terms**2))

    def fit(self, played: Floats, scored: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
        """Return ratings (draws, bots) and seat terms (draws, seats) in Elo, both of mean 0.

        ``played`` and ``scored`` are weights and scores by draw and cell. Newton's method on a concave likelihood.
        """
        draws = len(played)
        beta = np.zeros((draws, self.terms)) if start is None else np.tile(start[: self.terms], (draws, 1))
        for _ in range(200):
            p = 1 / (1 + np.exp(-np.asarray(self.design @ beta.T).T))
            slope = np.asarray(self.design.T @ (scored - played * p).T).T - self._prior * beta
            curve = np.asarray(self._products.T @ (played * p * (1 - p)).T).T.reshape(draws, self.terms, self.terms)
            curve += self._fixed + self._floor
            step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
            largest = np.abs(step).max(axis=1, keepdims=True)
            beta += step * np.minimum(1.0, MAX_STEP / np.maximum(largest, 1e-300))
            if float(largest.max()) < 1e-10:
                break
        ratings = beta[:, : self.bots] - beta[:, : self.bots].mean(axis=1, keepdims=True)
        if not self.with_seats:
            return SCALE * ratings, np.full((draws, self.seats), np.nan)
        seats = beta[:, self.bots :] - beta[:, self.bots :].mean(axis=1, keepdims=True)
        return SCALE * ratings, SCALE * seats
