import io

from rich.console import Console

from harness.cli import progress as module
from harness.cli.progress import Bar, Lines, Pace, duration, progress
from harness.tournament import Progress


def test_pace_counts_from_the_first_progress(monkeypatch):
    clock = iter([10.0, 12.0, 14.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    pace = Pace()
    assert pace.of(1000, 2000) == (0.0, None)  # stored games were not played now
    assert pace.of(1100, 2000) == (50.0, 18.0)
    assert pace.of(1100, 1100) == (25.0, 0.0)


def test_lines_come_no_more_often_than_asked_for(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    lines = Lines(every=30)
    for now[0] in range(0, 100, 5):
        lines(Progress(int(now[0]) * 10, 2000, 1, [("a", 0.75, 10), ("b", 0.25, 10)]))
    printed = capsys.readouterr().err.splitlines()
    assert printed == [
        "300 of 2,000 games, 10 games/s, 2 min 50 s left, 1 forfeit, first a (0.750)",
        "600 of 2,000 games, 10 games/s, 2 min 20 s left, 1 forfeit, first a (0.750)",
        "900 of 2,000 games, 10 games/s, 1 min 50 s left, 1 forfeit, first a (0.750)",
    ]


def test_the_live_picture_fits_80_columns():
    bar = Bar()
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system=None)
    console.print(bar.picture())
    standing = [("x" * 100, 0.5, 123456), *((f"[bold]bot{n}", 0.4, 10) for n in range(20))]
    bar.update(Progress(5, 10, 0, standing))
    console.print(bar.picture())
    lines = console.file.getvalue().splitlines()
    assert max(len(line) for line in lines) <= 80
    assert "5 of 10 games" in lines[-1]
    assert any("[bold]bot1" in line for line in lines)
    assert not any("bot15" in line for line in lines)


def test_where_it_is_shown(monkeypatch):
    with progress(shown=False) as observer:
        assert observer is None
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(shown=True) as observer:
        assert isinstance(observer, Lines)


def test_durations():
    assert [duration(s) for s in (0, 59.4, 60, 200, 3600, 7500)] == [
        "0 s",
        "59 s",
        "1 min 00 s",
        "3 min 20 s",
        "1 h 00 min",
        "2 h 05 min",
    ]
