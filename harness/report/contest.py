"""The numbers of a head-to-head: score and Elo by block, results by seat and by victory type."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from harness import store
from harness.stats.elo import Elo, elo, elo_estimate, mean_and_error
from harness.stats.intervals import Deals, Floats, Ints, clustered_mean

WDL = tuple[int, int, int]


@dataclass(frozen=True)
class Contestant:
    """How one bot fared. Score: mean share of the other seats beaten. Ends of intervals are 95 %, by block."""

    bot: str
    games: int
    blocks: int
    score: float
    score_low: float
    score_high: float
    elo: float | None
    """Against the others together; None with more than two seats."""
    elo_low: float | None
    elo_high: float | None
    elo_bound: int
    """+1: at least so much, -1: at most, 0: a plain estimate."""
    wins: int
    """Games won alone; a shared first place is a draw, all else a loss."""
    draws: int
    losses: int
    forfeits: int
    """Games this bot forfeited."""
    by_seat: dict[int, WDL]
    """Seat -> wins, draws, losses."""
    won_by: dict[str, int]
    """Victory type -> games won alone."""
    lost_by: dict[str, int]


def contest(run: Path) -> list[Contestant]:
    """Return the contestants of a run that is one table, best score first."""
    seats = store.load(run).seats
    columns = ["bot", "seat", "deal", "score", "won", "victory_type", "fault"]
    rows = defaultdict(list)
    for row in zip(*(seats[column].tolist() for column in columns), strict=True):
        rows[row[0]].append(row[1:])
    two = len(rows) == 2
    found = [_contestant(str(bot), games, two) for bot, games in rows.items()]
    return sorted(found, key=lambda one: (-one.score, one.bot))


def _contestant(bot: str, games: list[tuple[int, int, float, float, str, object]], two: bool) -> Contestant:
    deal = np.array([game[1] for game in games])
    score = np.array([game[2] for game in games])
    deals = Deals(deal, draws=1)
    cell = np.zeros(len(games), dtype=np.int64)
    estimate = clustered_mean(deals.sums(deal, cell, score, 1), deals.sums(deal, cell, np.ones(len(games)), 1))
    mean, low, high = (float(end[0]) for end in estimate)
    by_seat: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    by_type: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for seat, _deal, _score, won, victory, _fault in games:
        outcome = 0 if won == 1.0 else 1 if won > 0 else 2
        by_seat[seat][outcome] += 1
        by_type[outcome][victory] += 1
    wins, draws, losses = (counter.total() for counter in by_type)
    rating = _elo(deal, score, low, high) if two else None
    return Contestant(
        bot=bot,
        games=len(games),
        blocks=deals.count,
        score=mean,
        score_low=low,
        score_high=high,
        elo=rating.value + 0.0 if rating else None,  # no -0.0
        elo_low=rating.low if rating else None,
        elo_high=rating.high if rating else None,
        elo_bound=rating.bound if rating else 0,
        wins=wins,
        draws=draws,
        losses=losses,
        forfeits=sum(isinstance(game[5], str) and game[5] != "" for game in games),
        by_seat={seat: (w, d, lost) for seat, (w, d, lost) in sorted(by_seat.items())},
        won_by=dict(by_type[0]),
        lost_by=dict(by_type[2]),
    )


def _elo(deal: Ints, score: Floats, low: float, high: float) -> Elo:
    _, block = np.unique(deal, return_inverse=True)
    means = np.bincount(block, score) / np.bincount(block)
    values, counts = np.unique(means, return_counts=True)
    mean, error, blocks = mean_and_error(values, counts)
    if error == 0 and 0 < mean < 1:  # all blocks alike: no spread to tell from, the score's interval has to do
        ends = elo([low, high])
        return Elo(float(elo(mean)), float(ends[0]), float(ends[1]), 0)
    return elo_estimate(mean, error, blocks)
