"""A Run folder as pandas frames: what every table of a report is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from harness.errors import UsageError
from harness.records import ENDED_BY, FAULT_CAUSES
from harness.store import shards
from harness.store.folder import scores_of
from harness.store.manifest import Manifest, read_manifest
from harness.store.rows import MEASURE

Column = Any  # a numpy array or a pandas Categorical


@dataclass(frozen=True)
class Frames:
    """``games`` has one row per game, ``seats`` one per game and seat, both in the run's order.

    games: game_id, table, deal, rotation, block, seats (n), victory_type, flags (joined by +), turns, decisions,
    ended_by, first_seat_bot, seconds, and with ``actions`` each game's ids as a uint16 array.
    seats: game_id, block, table, deal, rotation, bot, seat, rank, points, score (share of the others beaten), won
    (1/k of k first places), victory_type, fault and fault_text (missing where that seat did nothing wrong), seconds,
    max_move_seconds, and one column per measure.
    Names and types are categoricals whose categories are all that the run can have, in declared order.
    """

    games: pd.DataFrame
    seats: pd.DataFrame


def load(path: Path | str, actions: bool = False) -> Frames:
    """Load the stored games of a run, also while it is being played. UsageError when that is not a run."""
    run = Path(path)
    manifest = read_manifest(run)
    paths = shards.shard_paths(run / shards.GAMES)
    if not paths:
        raise UsageError(f"{run} holds no games yet; run the command that made it again")
    table = shards.read_all(paths, _columns(manifest, actions))
    games = _games(table, manifest)
    seats = _seats(table, games, manifest)
    if actions:
        games["actions"] = _action_arrays(table["actions"])
    return Frames(games, seats)


def _columns(manifest: Manifest, actions: bool) -> list[str]:
    game = ["game_id", "table", "deal", "rotation", "victory_type", "flags", "turns", "decisions", "ended_by"]
    seat = ["bots", "ranks", "points", "seat_seconds", "max_move_seconds"]
    fault = ["fault_seat", "fault", "fault_text"]
    measures = [MEASURE + name for name in manifest.measures]
    return game + ["first_seat_bot", "seconds"] + seat + fault + measures + ["actions"] * actions


def _games(table: pa.Table, manifest: Manifest) -> pd.DataFrame:
    tables = _category(table["table"], None)
    deals, rotations = table["deal"].to_numpy(), table["rotation"].to_numpy()
    first = np.ones(len(deals), dtype=bool)
    first[1:] = (deals[1:] != deals[:-1]) | (tables.codes[1:] != tables.codes[:-1])
    return pd.DataFrame(
        {
            "game_id": table["game_id"].to_pandas(),
            "table": tables,
            "deal": deals,
            "rotation": rotations,
            "block": np.cumsum(first, dtype=np.int32) - np.int32(1),
            "seats": np.full(len(deals), manifest.seats, dtype=np.int8),
            "victory_type": _category(table["victory_type"], manifest.victory_types),
            "flags": _category(table["flags"], None),
            "turns": table["turns"].to_numpy(),
            "decisions": table["decisions"].to_numpy(),
            "ended_by": _category(table["ended_by"], ENDED_BY),
            "first_seat_bot": _category(table["first_seat_bot"], list(manifest.bots)),
            "seconds": table["seconds"].to_numpy(),
        },
        copy=False,
    )


def _seats(table: pa.Table, games: pd.DataFrame, manifest: Manifest) -> pd.DataFrame:
    n, seats = len(games), manifest.seats
    row = np.repeat(np.arange(n), seats)
    ranks = _flat(table["ranks"])
    by_game = ranks.reshape(n, seats)
    firsts = by_game == by_game.min(axis=1, keepdims=True)
    columns: dict[str, Column] = {
        "game_id": table["game_id"].take(pa.array(row)).to_pandas(),
        **{name: _repeat(games[name], seats) for name in ("block", "table", "deal", "rotation")},
        "bot": _category(table["bots"].combine_chunks().flatten(), list(manifest.bots)),
        "seat": np.tile(np.arange(seats, dtype=np.int8), n),
        "rank": ranks,
        "points": _flat(table["points"]),
        "score": scores_of(by_game).ravel(),
        "won": (firsts / firsts.sum(axis=1, keepdims=True)).ravel(),
        "victory_type": _repeat(games["victory_type"], seats),
        **_faults(table, seats),
        "seconds": _flat(table["seat_seconds"]),
        "max_move_seconds": _flat(table["max_move_seconds"]),
        **{name: _flat(table[MEASURE + name]) for name in manifest.measures},
    }
    return pd.DataFrame(columns, copy=False)


def _faults(table: pa.Table, seats: int) -> dict[str, Column]:
    """Cause and text at the seat that did it, missing at all others."""
    seat = table["fault_seat"].fill_null(-1).to_numpy()
    games = np.flatnonzero(seat >= 0)
    at = games * seats + seat[games]
    causes = np.full(table.num_rows * seats, -1, dtype=np.int8)
    texts = np.full(table.num_rows * seats, None, dtype=object)
    causes[at] = [FAULT_CAUSES.index(cause) for cause in table["fault"].take(pa.array(games)).to_pylist()]
    texts[at] = table["fault_text"].take(pa.array(games)).to_pylist()
    return {
        "fault": pd.Categorical.from_codes(causes, categories=list(FAULT_CAUSES)),
        "fault_text": pa.array(texts, pa.string(), from_pandas=True).to_pandas(),
    }


def _flat(column: pa.ChunkedArray) -> np.ndarray[Any, Any]:
    return np.asarray(column.combine_chunks().flatten())


def _repeat(column: pd.Series, times: int) -> Column:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return pd.Categorical.from_codes(np.repeat(column.cat.codes.to_numpy(), times), dtype=column.dtype)
    return np.repeat(column.to_numpy(), times)


def _category(column: pa.Array | pa.ChunkedArray, declared: Sequence[str] | None) -> pd.Categorical:
    """A column of names as a categorical: the declared ones in order, or those found, alphabetically."""
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    categories = sorted(names) if declared is None else list(declared)
    place = {name: i for i, name in enumerate(categories)}
    if missing := [name for name in names if name not in place]:
        raise UsageError(f"the stored games name {missing[0]!r}, which run.json does not know; restore run.json")
    codes = np.array([place[name] for name in names], dtype=np.int32)[encoded.indices.to_numpy()]
    return pd.Categorical.from_codes(codes, categories=categories)


def _action_arrays(column: pa.ChunkedArray) -> list[np.ndarray[Any, Any]]:
    """Each game's ids, as slices of few large arrays."""
    arrays = []
    for chunk in column.chunks:
        _, offsets, data = chunk.buffers()
        ends = np.frombuffer(offsets, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1] // 2
        ids = np.frombuffer(data, dtype="<u2").astype(np.uint16, copy=False) if data else np.empty(0, np.uint16)
        arrays += [ids[begin:end] for begin, end in pairwise(ends.tolist())]
    return arrays
