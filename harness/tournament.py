"""A tournament: config + store -> what is left -> engine -> store."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness import schedule as schedules
from harness.config import RunConfig, checked
from harness.engines import Engine, Recipe, make_engine
from harness.games.game import Game
from harness.interrupts import Interrupts
from harness.match import Limits
from harness.plugins import BotSource, Registry
from harness.provenance import machine, versions
from harness.records import FORFEIT, Block
from harness.replay import Replay, Step, replay
from harness.store import Manifest, Store, signature

__all__ = ["Outcome", "Plan", "Progress", "Replay", "Step", "plan", "replay", "run", "signature"]

PROGRESS_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a run is. ``standing``: (bot, mean score, games), best first, stored games included."""

    done_games: int
    total_games: int
    forfeits: int
    standing: list[tuple[str, float, int]]


@dataclass(frozen=True)
class Outcome:
    """What a run came to. ``games`` and ``forfeits`` count all that is stored, ``played_now`` this call's games."""

    path: Path
    games: int
    played_now: int
    forfeits: int
    signature: str
    clocked: bool
    """Whether a clock decided anything: then the same run again may end otherwise."""
    seconds: float
    interrupted: bool


@dataclass(frozen=True)
class Plan:
    """What a config asks for. ``blocks`` and ``games`` are counts; ``config`` is checked and filled in."""

    game: Game
    config: RunConfig
    tables: list[tuple[str, ...]]
    blocks: int
    games: int

    @property
    def seats(self) -> int:
        return len(self.tables[0])

    def schedule(self) -> Iterator[Block]:
        """Return the Blocks, in order."""
        return schedules.schedule(self.config, self.seats)


def plan(config: RunConfig, registry: Registry) -> Plan:
    """Work out what a config asks for, without playing. Errors as ``harness.config.checked``."""
    config = checked(config, registry)
    game = registry.game(config.game)
    seats = config.seats or game.seats[0]
    tables = schedules.tables(config, seats)
    blocks = len(tables) * config.deals
    return Plan(game, config, tables, blocks, blocks * seats)


def run(
    config: RunConfig,
    out: Path,
    *,
    registry: Registry,
    engine: str = "local",
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Play what is missing of a run in folder ``out``, and store it.

    The first Ctrl-C (or SIGTERM) ends the run after what is being played, a second one at once; both come back as an
    Outcome that is ``interrupted``. HarnessError for everything that stops it; what was played until then is stored.
    """
    began = time.monotonic()
    out = Path(out).absolute()  # before any code of a bot, which may change the current folder
    planned = plan(config, registry)
    recipe = _recipe(planned, registry)
    player = make_engine(engine, recipe, registry, workers)
    with Interrupts(player.stop) as interrupts, Store(out, _manifest(planned, recipe)) as store:
        stored_before = store.tally.games
        complete = _play(planned, store, player, interrupts, progress)
        if complete:
            store.merge()
        return Outcome(
            path=out,
            games=store.committed,
            played_now=store.committed - stored_before,
            forfeits=store.tally.forfeits,
            signature=signature(out),
            clocked=store.tally.clocked,
            seconds=time.monotonic() - began,
            interrupted=not complete,
        )


def _play(
    planned: Plan, store: Store, engine: Engine, interrupts: Interrupts, progress: Callable[[Progress], None] | None
) -> bool:
    """Play and store what is missing; True when nothing is missing any more. All that was added is committed."""
    stored = sum(store.stored_blocks(table, planned.config.deals) for table in planned.tables)
    done, said = stored * planned.seats, 0.0
    try:
        for block, results in engine.run(block for block in planned.schedule() if not store.has(block)):
            with interrupts.held():
                store.add(block, results)
            done += len(results)
            if progress is not None and (now := time.monotonic()) - said >= PROGRESS_SECONDS:
                said = now
                progress(Progress(done, planned.games, store.tally.forfeits, store.tally.standing()))
    except KeyboardInterrupt:  # a second signal: leave at once, with what is there
        pass
    finally:
        with interrupts.held():
            store.flush()
    if progress is not None:
        progress(Progress(done, planned.games, store.tally.forfeits, store.tally.standing()))
    return done == planned.games


def _recipe(planned: Plan, registry: Registry) -> Recipe:
    config = planned.config
    entrants = schedules.entrants(config, planned.seats)
    return Recipe(
        game=config.game,
        options=config.game_options,
        seed=config.seed,
        limits=Limits(**config.limits.model_dump()),
        sources=tuple(registry.source(name, bot.bot, bot.options, planned.game) for name, bot in entrants.items()),
        plugins=registry.extra,
    )


def _manifest(planned: Plan, recipe: Recipe) -> Manifest:
    game = planned.game
    return Manifest(
        fixed={
            "game": game.name,
            "game_version": game.version,
            "game_options": recipe.options,
            "seed": recipe.seed,
            "seats": planned.seats,
            "limits": asdict(recipe.limits),
        },
        bots={source.name: _bot_record(source) for source in sorted(recipe.sources, key=lambda s: s.name)},
        config=planned.config.resolved(),
        plugins=list(recipe.plugins),
        victory_types=[*game.victory_types, FORFEIT],
        limit_types=list(game.limit_types),
        flags=list(game.flags),
        measures=list(game.measure_names),
        versions=versions(),
        machine=machine(),
    )


def _bot_record(source: BotSource) -> dict[str, Any]:
    return {key: value for key, value in asdict(source).items() if key not in ("name", "game")}
