"""Shards: Parquet files of whole blocks. Names, checks, and reading all of them in one order.

The order of a run is (deal, table, rotation). Every shard is sorted by deal; shards may overlap after a run has grown.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UsageError
from harness.store.files import write_whole
from harness.store.rows import NAMES

log = logging.getLogger(__name__)

GAMES = "games"
DAMAGED = ".damaged"
MEND = "; run the command that made this run again: it sets the file aside and plays its games again"
REPLACES = b"replaces"  # in a merged shard: names of the shards it took in, separated by newlines
GROUP_ROWS = 25_000
ORDER = ("deal", "table", "rotation")


def write_shard(folder: Path, table: pa.Table, taken: set[str]) -> Path:
    """Write rows sorted by deal as a new shard and return its path; its name is added to ``taken``."""
    path = _new_path(folder, _block(table, 0), _block(table, -1), taken)
    write_whole(path, lambda file: pq.write_table(table, file, **_options(table.schema), row_group_size=GROUP_ROWS))
    return path


def merge_shards(folder: Path, paths: Sequence[Path], schema: pa.Schema) -> None:
    """Merge shards into one, in order, with blocks counted anew. Killed at any point, no game is lost or doubled."""
    name = _new_path(folder, 0, _count_blocks(paths) - 1, taken_names(folder))
    merged_schema = schema.with_metadata({REPLACES: "\n".join(path.name for path in paths).encode()})

    def write(file: Any) -> None:
        counted = 0
        with pq.ParquetWriter(file, merged_schema, **_options(schema)) as writer:
            for table in _regrouped(ordered(paths), GROUP_ROWS):
                rotations = table["rotation"].to_numpy()
                blocks = counted + np.cumsum(rotations == 0) - 1
                counted = int(blocks[-1]) + 1
                at = table.schema.get_field_index("block")
                numbered = table.set_column(at, "block", pa.array(blocks, pa.int32()))
                writer.write_table(numbered.cast(merged_schema))

    write_whole(name, write)
    for path in paths:
        path.unlink()


def _options(schema: pa.Schema) -> dict[str, Any]:
    """How shards are written. Dictionaries pay for names and small numbers, not for what differs in each game."""
    leaves = [f"{f.name}.list.element" if pa.types.is_list(f.type) else f.name for f in schema]
    unique = ("game_id", "seconds", "seat_seconds", "max_move_seconds", "actions", "fault_evidence")
    repeated = [leaf for leaf in leaves if not leaf.startswith(unique)]
    return {"compression": "zstd", "write_page_checksum": True, "use_dictionary": repeated}


def taken_names(folder: Path) -> set[str]:
    """Return the names of all shards, and of those that a merged shard took in: they must not be used again."""
    return {path.name for path in folder.iterdir()} | _replaced(folder.glob("part-*.parquet"))


def _new_path(folder: Path, first: int, last: int, taken: set[str]) -> Path:
    name, again = f"part-{first:08d}-{last:08d}.parquet", 1
    while name in taken:
        again += 1
        name = f"part-{first:08d}-{last:08d}.{again}.parquet"
    taken.add(name)
    return folder / name


def shard_paths(folder: Path) -> list[Path]:
    """Return the shards that count. UsageError names one that cannot be read."""
    paths = sorted(folder.glob("part-*.parquet"))
    replaced = _replaced(paths)
    return [path for path in paths if path.name not in replaced]


def _replaced(paths: Iterable[Path]) -> set[str]:
    names: set[str] = set()
    for path in paths:
        metadata = _open(path).schema_arrow.metadata or {}
        names.update(metadata.get(REPLACES, b"").decode().split("\n"))
    return names - {""}


def _open(path: Path, columns: Sequence[str] = NAMES) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, read_dictionary=list(columns), page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        raise damaged(path, error) from error
    except KeyError as error:
        raise damaged(path, ValueError(f"it holds no games: no column {error}")) from error


def damaged(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path} is damaged ({str(error).splitlines()[0]}){MEND}")


def set_aside_damaged(folder: Path, visit: Callable[[pa.Table], None]) -> None:
    """Read every row of every shard, hand the good shards to ``visit`` piece by piece, rename the damaged ones.

    Shards that a merged shard has taken in, left by a writer that was killed, are removed.
    """
    for path in sorted(folder.glob("part-*.parquet")):
        try:
            for _ in _tables(path, None):
                pass
        except UsageError as error:
            aside = path.with_name(path.name + DAMAGED)
            os.rename(path, aside)
            what = str(error).removesuffix(MEND)
            log.warning("%s: set aside as %s, its games are played again", what, aside.name)
    for name in _replaced(folder.glob("part-*.parquet")):
        (folder / name).unlink(missing_ok=True)
    for path in shard_paths(folder):
        for table in _tables(path, ["table", "deal", "rotation", "bots", "ranks", "fault", "fault_evidence"]):
            visit(table)


def _tables(path: Path, columns: Sequence[str] | None) -> Iterator[pa.Table]:
    """Read a shard piece by piece."""
    file = _open(path)
    try:
        for batch in file.iter_batches(GROUP_ROWS // 5, columns=columns):
            yield pa.Table.from_batches([batch])
    except (OSError, pa.ArrowException) as error:
        raise damaged(path, error) from error


def read_all(paths: Sequence[Path], columns: Sequence[str]) -> pa.Table:
    """Read some columns of all shards at once, in order."""
    tables = []
    for path in paths:
        try:
            tables.append(_open(path).read(columns=list(columns)))
        except (OSError, pa.ArrowException) as error:
            raise damaged(path, error) from error
    return in_order(pa.concat_tables(tables).unify_dictionaries())


def in_order(table: pa.Table) -> pa.Table:
    """Return the rows sorted by (deal, table, rotation); at no cost when they are."""
    deals, rotations = table["deal"].to_numpy(), table["rotation"].to_numpy()
    tables = _ranks_of_names(table["table"])
    key = deals.astype(np.int64) << 32 | tables.astype(np.int64) << 8 | rotations
    if (key[1:] >= key[:-1]).all():
        return table
    return table.take(pa.array(np.argsort(key, kind="stable")))


def _ranks_of_names(column: pa.ChunkedArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return each row's place of its name among the names, alphabetically."""
    array = column.combine_chunks()
    encoded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    names = encoded.dictionary.to_pylist()
    place = {name: i for i, name in enumerate(sorted(names))}
    places = np.array([place[name] for name in names], dtype=np.int64)
    return places[encoded.indices.to_numpy()] if len(array) else places


class _Stream:
    """A shard being read in order: the rows not yet handed out."""

    def __init__(self, path: Path, columns: Sequence[str] | None) -> None:
        self.pieces = _tables(path, columns)
        self.rows = next(self.pieces)
        self.ended = False

    @property
    def last_deal(self) -> int:
        return int(self.rows["deal"][-1].as_py())

    def take_below(self, deal: float) -> pa.Table:
        cut = int(np.searchsorted(self.rows["deal"].to_numpy(), deal))
        taken, self.rows = self.rows[:cut], self.rows[cut:]
        return taken

    def more(self) -> None:
        piece = next(self.pieces, None)
        if piece is None:
            self.ended = True
        else:
            self.rows = pa.concat_tables([self.rows, piece])


def ordered(paths: Sequence[Path], columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """Read shards as one sequence of tables in the run's order; memory stays flat. ``columns`` include ORDER."""
    waiting = sorted(((_first_deal(path), path) for path in paths), reverse=True)
    streams: list[_Stream] = []
    while waiting or streams:
        # Rows below ``bound`` cannot be followed by smaller ones from any shard.
        bound = min((s.last_deal for s in streams if not s.ended), default=float("inf"))
        while waiting and (waiting[-1][0] <= bound):
            streams.append(_Stream(waiting.pop()[1], columns))
            bound = min(bound, streams[-1].last_deal)
        taken = [stream.take_below(bound) for stream in streams]
        if any(table.num_rows for table in taken):
            yield in_order(pa.concat_tables(taken).unify_dictionaries())
        for stream in streams:
            if not stream.ended and (not stream.rows.num_rows or stream.last_deal <= bound):
                stream.more()
        streams = [s for s in streams if s.rows.num_rows]


def _first_deal(path: Path) -> int:
    file = _open(path)
    at = file.schema_arrow.get_field_index("deal")
    return int(file.metadata.row_group(0).column(at).statistics.min)


def _count_blocks(paths: Sequence[Path]) -> int:
    return sum(int((table["rotation"].to_numpy() == 0).sum()) for p in paths for table in _tables(p, ["rotation"]))


def _block(table: pa.Table, at: int) -> int:
    return int(table["block"][at].as_py())


def _regrouped(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Gather pieces into tables of about ``rows`` rows."""
    pending: list[pa.Table] = []
    for table in tables:
        pending.append(table)
        if sum(t.num_rows for t in pending) >= rows:
            yield pa.concat_tables(pending)
            pending = []
    if pending:
        yield pa.concat_tables(pending)


def find_game(paths: Sequence[Path], game_id: str) -> dict[str, Any] | None:
    """Return the row of one game as Python values, or None."""
    deal = int(game_id.rsplit("/", 2)[-2])
    for path in paths:
        file = _open(path, ())
        try:
            at = file.schema_arrow.get_field_index("deal")
            for group in range(file.num_row_groups):
                span = file.metadata.row_group(group).column(at).statistics
                if span.min <= deal <= span.max:
                    ids = file.read_row_group(group, columns=["game_id"])["game_id"].to_numpy(zero_copy_only=False)
                    hits = np.flatnonzero(ids == game_id)
                    if len(hits):
                        return dict(file.read_row_group(group)[int(hits[0]) : int(hits[0]) + 1].to_pylist()[0])
        except (OSError, pa.ArrowException) as error:
            raise damaged(path, error) from error
    return None
