"""``harness run`` and ``harness report``: a tournament from a config, and its report."""

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import (
    Json,
    NoProgress,
    Plugins,
    Quiet,
    load_registry,
    print_json,
    results_only_on_stdout,
    shown,
)
from harness.cli.progress import duration, progress
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.config import RunConfig
    from harness.plugins import Registry
    from harness.tournament import Outcome

INTERRUPTED = 130
MOST_WORKERS = 1_000


class Engine(StrEnum):
    serial = "serial"
    local = "local"
    ray = "ray"


Workers = Annotated[
    int | None, typer.Option(min=1, max=MOST_WORKERS, help="Worker processes of the local engine; default: one a core.")
]
EngineOption = Annotated[
    Engine, typer.Option(help="What plays the games: this process or several; ray is yet to come.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder, such as results/quickstart.")]


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A TOML file.")],
    out: Annotated[Path | None, typer.Option(help="The run's folder; default: results/<name of the config>.")] = None,
    workers: Workers = None,
    engine: EngineOption = Engine.local,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what the config asks for, and stop.")] = False,
    plugins: Plugins = None,
    as_json: Json = False,
    quiet: Quiet = False,
    no_progress: NoProgress = False,
) -> None:
    """Play what a config asks for and is missing, then write the report.

    Interrupted with Ctrl-C, the same command goes on where it stopped.
    """
    from harness.config import load_config

    registry = load_registry(plugins)
    with results_only_on_stdout():
        settings = load_config(config, registry)
    folder = out or Path("results") / config.stem
    if dry_run:
        _show_plan(settings, registry, folder, as_json)
        return
    resume = shlex.join(["harness", *sys.argv[1:]])
    try:
        outcome = play(settings, folder, registry, engine, workers, shown=not (quiet or no_progress))
    except KeyboardInterrupt:  # while starting or ending
        print(f"interrupted; what was stored stays. To go on: {resume}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if outcome.interrupted:
        print(f"interrupted; {outcome.games:,} games are stored. To go on: {resume}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    finish(outcome, as_json=as_json, quiet=quiet)


def report(run: RunFolder, as_json: Json = False, quiet: Quiet = False) -> None:
    """Write the report of a run again."""
    from harness.report import summary, write

    need_folder(run)
    path = write(run)
    if as_json:
        print_json({"run": str(run), "report": str(path)})
        return
    if not quiet:
        print(summary(run))
    print(f"report: {shown(path)}")


def play(
    settings: "RunConfig", folder: Path, registry: "Registry", engine: Engine, workers: int | None, *, shown: bool
) -> "Outcome":
    """Play a run with progress on stderr."""
    from harness import tournament

    if engine is Engine.ray:
        raise UsageError("--engine ray is not available yet; use local or serial")
    if engine is Engine.serial and workers not in (None, 1):
        raise UsageError(f"--workers {workers} is for --engine local; the serial engine plays in one process")
    with results_only_on_stdout(), progress(shown) as observer:
        return tournament.run(
            settings, folder, registry=registry, engine=engine.value, workers=workers, progress=observer
        )


def finish(
    outcome: "Outcome", *, as_json: bool, quiet: bool, tables: bool = True, more: dict[str, Any] | None = None
) -> None:
    """Write the report and print how a run ended; the last two lines name the report and the signature."""
    from harness.report import forfeits, summary, write

    path = write(outcome.path)
    if as_json:
        print_json(
            {
                "run": str(outcome.path),
                "report": str(path),
                "games": outcome.games,
                "played_now": outcome.played_now,
                "forfeits": outcome.forfeits,
                "seconds": round(outcome.seconds, 3),
                "clocked": outcome.clocked,
                "signature": outcome.signature,
                **(more or {}),
            }
        )
        return
    if not quiet:
        if tables:
            print(summary(outcome.path))
        print(f"{_played(outcome)}")
        if outcome.forfeits:  # whoever wrote the bot has to know why, and where to look
            print(*forfeits(outcome.path), sep="\n")
            print(f"To see such a game: harness replay {shlex.quote(shown(outcome.path))} GAME_ID")
        print()
    print(f"report: {shown(path)}")
    clocked = " (a clock decided games: another run may differ)" if outcome.clocked else ""
    print(f"signature: {outcome.signature}{clocked}")


def _played(outcome: "Outcome") -> str:
    if outcome.played_now == 0:
        return f"nothing was missing: {outcome.games:,} games are stored"
    stored = "" if outcome.played_now == outcome.games else f", {outcome.games:,} stored in all"
    rate = outcome.played_now / max(outcome.seconds, 1e-9)
    forfeits = f"{outcome.forfeits:,} forfeit{'' if outcome.forfeits == 1 else 's'}"
    return f"{outcome.played_now:,} games in {duration(outcome.seconds)} ({rate:,.0f} games/s){stored}; {forfeits}"


def _show_plan(settings: "RunConfig", registry: "Registry", folder: Path, as_json: bool) -> None:
    from harness import tournament

    plan = tournament.plan(settings, registry)
    tables = len(plan.tables)
    if as_json:
        counts = {"tables": tables, "blocks": plan.blocks, "games": plan.games}
        print_json({"game": settings.game, **counts, "run": str(folder), "config": settings.resolved()})
        return
    print(
        f"{settings.game}: {len(settings.bots)} bots, {tables:,} table{'' if tables == 1 else 's'} of "
        f"{settings.seats}, {settings.deals:,} deal{'' if settings.deals == 1 else 's'}"
    )
    print(f"{plan.blocks:,} blocks, {plan.games:,} games, into {shown(folder)}")


def need_folder(run: Path) -> None:
    """Refuse a run folder that does not exist."""
    try:
        found = run.is_dir()
    except OSError:  # a name too long, for instance
        found = False
    if not found:
        raise UsageError(f"{run}: no such run; name the folder of one, such as results/quickstart")
