"""Speed on this machine, in CPU time: uniformly random games in compiled code, and matches with everything on.

Each figure is the median of several repeats and stands beside a pure-Python yardstick taken in the same run, so that
figures from machines and days of different load can be compared.
"""

import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.api import Game, View
from harness.match import Setting, play_block
from harness.players import FunctionPlayer, Player
from harness.provenance import machine, versions
from harness.records import Block

REPEATS = 5
TARGETS = {"random games": 40_000.0, "match games": 3_000.0}
"""Games a second at least, for Splendor Duel on one quiet core."""


@dataclass(frozen=True)
class Figure:
    """One measured speed."""

    what: str
    value: float
    """Median over the repeats, per CPU second."""
    unit: str
    spread: tuple[float, float]
    """Slowest and fastest repeat."""
    target: float | None = None
    note: str = ""


def bench(game: Game, seconds: float) -> list[Figure]:
    """Measure everything for a game, about ``seconds`` a figure."""
    figures = [_yardstick(seconds / 4)]
    reference = _plain_random_games(game, seconds)
    figures.append(reference)
    targets = TARGETS if game.name == "splendor_duel" else {}
    if game.kernels is not None:
        figures.append(_compiled_random_games(game, seconds, targets.get("random games"), reference))
    figures.append(_match_games(game, seconds, targets.get("match games"), reference))
    return figures


def conditions() -> dict[str, Any]:
    """Return what the figures depend on: the machine, its load now, versions."""
    return {**machine(), "load_average": [round(load, 2) for load in os.getloadavg()], **versions()}


def _measure(work: Callable[[int], int], seconds: float, least: int = 1) -> list[float]:
    """Call ``work(amount)``, which returns how much it did, for about ``seconds``; return the speed of each repeat."""
    work(least)  # compile, fill caches
    amount, share = least, seconds / REPEATS
    while True:
        began = time.process_time()
        done = work(amount)
        spent = time.process_time() - began
        if spent > share / 10:
            break
        amount *= 4
    amount = max(least, round(done * share / spent))
    speeds = []
    for _ in range(REPEATS):
        began = time.process_time()
        done = work(amount)
        speeds.append(done / (time.process_time() - began))
    return speeds


def _figure(what: str, speeds: list[float], unit: str, target: float | None = None, note: str = "") -> Figure:
    return Figure(what, statistics.median(speeds), unit, (min(speeds), max(speeds)), target, note)


def _yardstick(seconds: float) -> Figure:
    def additions(amount: int) -> int:
        total = 0
        for number in range(amount):
            total += number & 3
        return amount

    return _figure("Python additions", _measure(additions, seconds, 10_000), "1/s", note="how fast this core is now")


def _plain_random_games(game: Game, seconds: float) -> Figure:
    rng = random.Random(1)
    options = game.options()

    def play(amount: int) -> int:
        for _ in range(amount):
            state = game.new(game.seats[0], rng.getrandbits(63), options)
            while legal := game.legal_actions(state):
                game.apply(state, rng.choice(legal))
        return amount

    return _figure("random games, called from Python", _measure(play, seconds), "games/s")


def _compiled_random_games(game: Game, seconds: float, target: float | None, reference: Figure) -> Figure:
    kernels = game.kernels
    assert kernels is not None
    totals = np.zeros(len(game.victory_types), dtype=np.int64)
    seed = iter(range(1, 1 << 62))

    def play(amount: int) -> int:
        kernels.random_games(next(seed), amount, totals)
        return amount

    figure = _figure("random games, compiled", _measure(play, seconds, 100), "games/s", target)
    return _beside(figure, reference)


def _match_games(game: Game, seconds: float, target: float | None, reference: Figure) -> Figure:
    def maker() -> Player:
        uniform = random.random

        def choose(_view: View, legal: list[int]) -> int:
            return legal[int(uniform() * len(legal))]

        return FunctionPlayer(choose)

    table = tuple("abcdefgh"[: game.seats[0]])
    setting = Setting(game=game, options=game.options(), seed=1, makers=dict.fromkeys(table, maker))
    deal = iter(range(1 << 62))

    def play(amount: int) -> int:
        return sum(len(play_block(setting, Block(0, table, next(deal)))) for _ in range(max(1, amount // len(table))))

    figure = _figure("match games, trivial Python bots", _measure(play, seconds, len(table)), "games/s", target)
    return _beside(figure, reference)


def _beside(figure: Figure, reference: Figure) -> Figure:
    note = f"{figure.value / reference.value:.1f} x called from Python"
    return Figure(figure.what, figure.value, figure.unit, figure.spread, figure.target, note)
