"""Plays a stored game again from its deal, by its actions alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import UsageError
from harness.games.game import Game, State
from harness.plugins import Registry
from harness.seeds import deal_seed
from harness.store import find_game, read_manifest
from harness.store.shards import GAMES, ORDER, ordered, shard_paths


@dataclass(frozen=True)
class Step:
    """One decision of a replayed game. The last Step has ``action`` None: the end, or the position of the forfeit."""

    index: int
    state: State
    seat: int
    legal: list[int]
    action: int | None


@dataclass(frozen=True)
class Replay:
    """A stored game played again from its deal, by its actions alone; iterating gives its Steps."""

    game: Game
    result: dict[str, Any]
    """The game's row in the store, as plain Python values."""
    deal: State

    @property
    def actions(self) -> list[int]:
        return [int(action) for action in np.frombuffer(self.result["actions"], dtype="<u2")]

    def __iter__(self) -> Iterator[Step]:
        game, state = self.game, self.deal.copy()
        for index, action in enumerate(self.actions):
            legal = game.legal_actions(state)
            if action not in legal:
                raise UsageError(
                    f"{self.result['game_id']}: action {action} at step {index} is not legal: these rules are not "
                    "those the game was played by; replay it with the version in run.json"
                )
            yield Step(index, state.copy(), game.seat(state), legal, action)
            game.apply(state, action)
        yield Step(len(self.actions), state.copy(), game.seat(state), game.legal_actions(state), None)


def replay(run: Path, game_id: str, registry: Registry) -> Replay:
    """Find a stored game and return its Replay. UsageError: no such run or game, or rules of another version."""
    manifest = read_manifest(Path(run))
    fixed = manifest.fixed
    game = registry.game(fixed["game"])
    if game.version != (played := fixed.get("game_version")):
        raise UsageError(
            f"{run} was played by version {played} of {game.name}, here is version {game.version}; "
            f"install jewel-harness {manifest.versions.get('jewel-harness')} to replay it"
        )
    paths = shard_paths(Path(run) / GAMES)
    row = find_game(paths, game_id) if _is_game_id(game_id) else None
    if row is None:
        example = next((table["game_id"][0].as_py() for table in ordered(paths, ["game_id", *ORDER])), None)
        hint = f"ids look like {example}" if example else "it holds no games yet"
        raise UsageError(f"{run} has no game {game_id!r}; {hint}")
    options = game.options.model_validate(fixed["game_options"])
    return Replay(game, row, game.new(manifest.seats, deal_seed(fixed["seed"], row["deal"]), options))


def _is_game_id(text: str) -> bool:
    parts = text.split("/")
    return len(parts) == 3 and all(part.isdecimal() for part in parts[1:])
