"""How a run shows that it goes on: a live bar with the standing on a terminal, else a line every 30 seconds."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group

    from harness.tournament import Progress

LINE_EVERY = 30.0
STANDING = 10
"""Bots shown in the live standing."""


@contextmanager
def progress(shown: bool) -> Iterator["Callable[[Progress], None] | None"]:
    """Give what a run calls with its Progress, or None when nothing is to be shown. All of it goes to stderr."""
    if not shown:
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True)
    if not sys.stderr.isatty() or console.is_dumb_terminal:  # isatty: FORCE_COLOR must not animate a pipe
        yield Lines()
        return
    from rich.live import Live

    bar = Bar()
    with Live(console=console, get_renderable=bar.picture, refresh_per_second=4, transient=True):
        yield bar.update


class Pace:
    """Games per second and what is left, counted from the first Progress: a resumed run has games already."""

    def __init__(self) -> None:
        self._began: float | None = None
        self._before = 0

    def of(self, done: int, total: int) -> tuple[float, float | None]:
        """Return games per second, and seconds left or None when that is not known yet."""
        now = time.monotonic()
        if self._began is None:
            self._began, self._before = now, done
        passed = now - self._began
        rate = (done - self._before) / passed if passed > 0 else 0.0
        return rate, (total - done) / rate if rate > 0 else None


class Lines:
    """Prints a line every 30 seconds, the first after 30 seconds."""

    def __init__(self, every: float = LINE_EVERY) -> None:
        self._pace, self._every, self._next = Pace(), every, time.monotonic() + every

    def __call__(self, now: "Progress") -> None:
        rate, left = self._pace.of(now.done_games, now.total_games)
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._every
        best = f", first {now.standing[0][0]} ({now.standing[0][1]:.3f})" if now.standing else ""
        print(f"{_counts(now, rate, left)}{best}", file=sys.stderr, flush=True)


class Bar:
    """The picture of a running tournament for a terminal."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._latest: Progress | None = None
        self._numbers: tuple[float, float | None] = (0.0, None)

    def update(self, now: "Progress") -> None:
        self._latest = now
        self._numbers = self._pace.of(now.done_games, now.total_games)

    def picture(self) -> "Group":
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        now = self._latest
        if now is None:
            return Group(Text("starting"))
        standing = Table(box=None, pad_edge=False)
        standing.add_column("bot", overflow="ellipsis", no_wrap=True)
        standing.add_column("score", justify="right")
        standing.add_column("games", justify="right")
        for bot, score, games in now.standing[:STANDING]:
            standing.add_row(Text(bot), f"{score:.3f}", f"{games:,}")
        below = Table.grid()  # a bar alone ends no line
        below.add_row(ProgressBar(total=max(now.total_games, 1), completed=now.done_games, width=60))
        below.add_row(Text(_counts(now, *self._numbers)))
        return Group(standing, below)


def _counts(now: "Progress", rate: float, left: float | None) -> str:
    eta = "" if left is None else f", {duration(left)} left"
    forfeits = f"{now.forfeits:,} forfeit{'' if now.forfeits == 1 else 's'}"
    return f"{now.done_games:,} of {now.total_games:,} games, {rate:,.0f} games/s{eta}, {forfeits}"


def duration(seconds: float) -> str:
    """Return a time as people say it: ``42 s``, ``3 min 20 s``, ``2 h 05 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
