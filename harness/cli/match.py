"""``harness match``: a head-to-head without a config."""

import shlex
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import Json, NoProgress, Plugins, Quiet, load_registry, print_table, results_only_on_stdout
from harness.cli.run import INTERRUPTED, Engine, EngineOption, Workers, finish, play
from harness.errors import UsageError
from harness.records import MAX_DEALS

if TYPE_CHECKING:
    from harness.config import RunConfig
    from harness.plugins import Registry
    from harness.report.contest import Contestant


def match(
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help="Bot specs: greedy, ./my_bot.py, ...")],
    game: Annotated[str, typer.Option(help="The game.")] = "splendor_duel",
    deals: Annotated[
        int, typer.Option(min=1, max=MAX_DEALS, help="Deals; each is played once per rotation of the seats.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The run's seed.")] = 0,
    out: Annotated[Path | None, typer.Option(help="The run's folder; default: a new temporary one.")] = None,
    workers: Workers = None,
    engine: EngineOption = Engine.local,
    plugins: Plugins = None,
    as_json: Json = False,
    quiet: Quiet = False,
    no_progress: NoProgress = False,
) -> None:
    """Play bots against each other on the same deals from every seat: score, Elo and ways of winning."""
    registry = load_registry(plugins)
    with results_only_on_stdout():
        settings = _settings(bots, game, deals, seed, registry)
    folder = out or Path(tempfile.mkdtemp(prefix="harness-match-"))
    outcome = play(settings, folder, registry, engine, workers, shown=not (quiet or no_progress))
    if outcome.interrupted:
        again = f"To go on: {shlex.join(['harness', *sys.argv[1:]])}" + ("" if out else f" --out {folder}")
        print(f"interrupted; {outcome.games:,} games are stored. {again}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    from harness.report.contest import contest

    contestants = contest(outcome.path)
    if not as_json:
        _show(contestants)
    finish(outcome, as_json=as_json, quiet=quiet, tables=False, more={"bots": [_json(one) for one in contestants]})


def _settings(specs: list[str], game_name: str, deals: int, seed: int, registry: "Registry") -> "RunConfig":
    from harness.botspec import name_bots
    from harness.config import BotConfig, RunConfig, checked, placed

    low, high = registry.game(game_name).seats
    if not low <= len(specs) <= high:
        span = f"{low}" if low == high else f"{low} to {high}"
        raise UsageError(
            f"{len(specs)} bot{'' if len(specs) == 1 else 's'} given: a match is one table, and {game_name} has "
            f"{span} seats; "
            + ("name another bot" if len(specs) < low else "for more bots write a config for `harness run`")
        )
    bots = tuple(placed(BotConfig(name=name, bot=spec), Path()) for name, spec in name_bots(specs))
    return checked(RunConfig(game=game_name, seed=seed, deals=deals, seats=len(bots), bots=bots), registry)


def _show(contestants: "list[Contestant]") -> None:
    rows = []
    for one in contestants:
        score = f"{one.score:.3f} [{one.score_low:.3f}, {one.score_high:.3f}]"
        wdl = f"{one.wins}/{one.draws}/{one.losses}"
        rows.append((one.bot, one.games, score, _elo(one), wdl))
    print_table(("bot", "games", "score [95 %]", "Elo [95 %]", "W/D/L"), rows, numbers=("games", "W/D/L"))
    seats = range(len(contestants))
    columns = [f"seat {seat}" for seat in seats]
    by_seat = [
        (one.bot, *("/".join(map(str, one.by_seat.get(seat, (0, 0, 0)))) for seat in seats)) for one in contestants
    ]
    print_table(("W/D/L by seat", *columns), by_seat, numbers=columns)
    types = sorted({kind for one in contestants for kind in (*one.won_by, *one.lost_by)})
    by_type = [
        (one.bot, *(f"{one.won_by.get(kind, 0)} / {one.lost_by.get(kind, 0)}" for kind in types)) for one in contestants
    ]
    print_table(("won / lost by", *types), by_type, numbers=types)


def _elo(one: "Contestant") -> str:
    if one.elo is None or one.elo_low is None or one.elo_high is None:
        return ""
    sign = {1: "> ", -1: "< ", 0: ""}[one.elo_bound]
    return f"{sign}{one.elo:+.0f} [{one.elo_low:+.0f}, {one.elo_high:+.0f}]"


def _json(one: "Contestant") -> dict[str, Any]:
    data = asdict(one)
    return {key: _finite(value) for key, value in data.items()}


def _finite(value: Any) -> Any:
    """JSON has no infinity: an open end of an interval is null."""
    return None if isinstance(value, float) and value in (float("inf"), float("-inf")) else value
