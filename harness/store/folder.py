"""The open Run folder of the one process that writes it: lock, resume, commit, merge."""

import json
import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa

from harness.errors import UsageError
from harness.records import Block, Fault, Result
from harness.store import shards
from harness.store.files import TEMPORARY, locked, remove_temporary, unwritable
from harness.store.manifest import NAME, Manifest, grown, read_manifest, write_manifest
from harness.store.rows import encode, schema

log = logging.getLogger(__name__)

SHARD_ROWS = 25_000
SHARD_SECONDS = 10.0
ENCODE_ROWS = 2_000  # Results are packed early: as Python objects they are ten times larger
EVENTS = "events.jsonl"
CLOCKED_CAUSES = ("move_time", "game_time", "hang")
LIMIT_KEY = "limit_seconds"  # in the evidence of every fault that a clock found


def clocked_by(fault: Fault) -> bool:
    """Whether a clock decided the game."""
    return fault.cause in CLOCKED_CAUSES or LIMIT_KEY in fault.evidence


class Tally:
    """Running totals of a folder, for progress lines; reports count from the store."""

    def __init__(self) -> None:
        self.games = 0
        self.forfeits = 0
        self.clocked = False
        self._scores: dict[tuple[int, ...], tuple[float, ...]] = {}  # by ranks
        self._totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0])  # bot -> score, games

    def add(self, result: Result) -> None:
        self.games += 1
        if result.fault is not None:
            self.forfeits += 1
            self.clocked = self.clocked or clocked_by(result.fault)
        if (scores := self._scores.get(result.ranks)) is None:
            scores = self._scores[result.ranks] = result.scores
        for bot, score in zip(result.bots, scores, strict=True):
            total = self._totals[bot]
            total[0] += score
            total[1] += 1

    def add_table(self, table: pa.Table, seats: int) -> None:
        """Add stored rows."""
        self.games += table.num_rows
        causes, evidence = table["fault"].drop_null().to_pylist(), table["fault_evidence"].drop_null().to_pylist()
        self.forfeits += len(causes)
        self.clocked = self.clocked or any(
            cause in CLOCKED_CAUSES or LIMIT_KEY in text for cause, text in zip(causes, evidence, strict=True)
        )
        bots = table["bots"].combine_chunks().flatten().dictionary_encode()
        ranks = table["ranks"].combine_chunks().flatten().to_numpy().reshape(-1, seats)
        codes, names = bots.indices.to_numpy(), bots.dictionary.to_pylist()
        scores, games = np.bincount(codes, scores_of(ranks).ravel()).tolist(), np.bincount(codes).tolist()
        for name, score, count in zip(names, scores, games, strict=True):
            self._totals[name][0] += score
            self._totals[name][1] += count

    def bots(self) -> set[str]:
        """All that have games."""
        return set(self._totals)

    def standing(self) -> list[tuple[str, float, int]]:
        """(bot, mean score, games), best first."""
        rows = [(bot, score / games, int(games)) for bot, (score, games) in self._totals.items()]
        return sorted(rows, key=lambda row: (-row[1], row[0]))


def scores_of(ranks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Share of the other seats beaten, ties half. ``ranks``: games x seats; the same shape, float64."""
    mine, other = ranks[:, :, None], ranks[:, None, :]
    beaten = (mine < other).sum(2) + 0.5 * ((mine == other).sum(2) - 1)
    return np.asarray(beaten / (ranks.shape[1] - 1))


class Store:
    """An open Run folder; a context manager. Blocks are added in schedule order and committed in shards.

    ``committed`` counts the games that are safely on disk.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.games_path = path / shards.GAMES
        self.manifest = manifest
        self.schema = schema(manifest.measures)
        self.tally = Tally()
        self.committed = 0
        self._done: dict[str, bytearray] = {}
        self._blocks: list[tuple[Block, Sequence[Result]]] = []
        self._encoded: list[pa.Table] = []
        self._pending = 0
        self._events: list[str] = []
        self._tracebacks: set[tuple[str, str, str]] = set()
        self._taken: set[str] = set()
        self._written_at = time.monotonic()
        self._exits = ExitStack()

    def __enter__(self) -> "Store":
        self._make_folders()
        with self._exits as exits:
            exits.enter_context(locked(self.path))
            self._resume()
            self._exits = exits.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exits.close()

    def _make_folders(self) -> None:
        if (name := str(self.path)) != name.encode(errors="replace").decode():  # Parquet's reader refuses such paths
            raise UsageError(f"{name!r} is not a name in UTF-8; choose another folder with --out")
        try:
            if self.path.is_dir() and not (self.path / NAME).exists():
                self._refuse_strangers()
            self.games_path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(self.path, error) from error

    def _refuse_strangers(self) -> None:
        if any(self.games_path.glob("part-*")):
            raise UsageError(f"{self.path} holds games but no {NAME}; restore it, or choose another folder with --out")
        strangers = [p.name for p in self.path.iterdir() if p.name not in (shards.GAMES, ".lock", EVENTS)]
        strangers = sorted(name for name in strangers if not name.startswith(TEMPORARY))
        if strangers:
            raise UsageError(
                f"{self.path} is no run and not empty (it holds {strangers[0]}); choose another folder with --out"
            )

    def _resume(self) -> None:
        """Take stock of what is there, refuse what cannot go on, and write the manifest."""
        for folder in (self.path, self.games_path):
            remove_temporary(folder)
        old = read_manifest(self.path) if (self.path / NAME).exists() else None
        if old is not None:
            shards.set_aside_damaged(self.games_path, lambda table: self._count(table, old.seats))
            self.manifest = grown(self.path, old, self.manifest, self.tally.bots())
        self.committed = self.tally.games
        self._taken = shards.taken_names(self.games_path)
        write_manifest(self.path, self.manifest)

    def _count(self, table: pa.Table, seats: int) -> None:
        self.tally.add_table(table, seats)
        names = table["table"].combine_chunks()
        codes, deals = names.indices.to_numpy(), table["deal"].to_numpy()
        for code in np.unique(codes):
            self._mark(names.dictionary[int(code)].as_py(), deals[codes == code])

    def _mark(self, table: str, deals: np.ndarray[Any, Any]) -> None:
        marks = self._done.setdefault(table, bytearray())
        if len(marks) <= (last := int(deals.max())):
            marks.extend(bytes(last + 1 - len(marks)))
        np.frombuffer(marks, dtype=np.uint8)[deals] = 1

    def has(self, block: Block) -> bool:
        """Whether this block is stored."""
        marks = self._done.get("+".join(block.table))
        return marks is not None and block.deal < len(marks) and marks[block.deal] == 1

    def stored_blocks(self, table: tuple[str, ...], deals: int) -> int:
        """How many of the first ``deals`` deals of a table were stored when the folder was opened."""
        return sum(self._done.get("+".join(table), b"")[:deals])

    def add(self, block: Block, results: Sequence[Result]) -> None:
        """Take a played block; now and then a shard is committed."""
        for result in results:
            self.tally.add(result)
            if result.fault is not None:
                self._note_forfeit(result, result.fault)
        self._blocks.append((block, results))
        self._pending += len(results)
        if len(self._blocks) * len(results) >= ENCODE_ROWS:
            self._encode()
        if self._pending >= SHARD_ROWS or time.monotonic() - self._written_at >= SHARD_SECONDS:
            self.flush()

    def _note_forfeit(self, result: Result, fault: Fault) -> None:
        """Queue a line for people, and keep a traceback once per bot and message: a broken bot breaks every game."""
        bot = result.bots[fault.seat]
        key = (bot, fault.cause, fault.text)
        if "traceback" in fault.evidence:
            if key in self._tracebacks:
                del fault.evidence["traceback"]
            elif len(self._tracebacks) < 1000:
                self._tracebacks.add(key)
        event = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            "event": "forfeit",
            "game_id": result.game_id,
            "bot": bot,
            "seat": fault.seat,
            "cause": fault.cause,
            "text": fault.text,
        }
        self._events.append(json.dumps(event) + "\n")

    def _encode(self) -> None:
        if self._blocks:
            self._encoded.append(encode(self._blocks, self.manifest.measures))
            self._blocks = []

    def flush(self) -> None:
        """Commit everything added so far. UsageError when it cannot be written; then it stays pending."""
        self._encode()
        self._written_at = time.monotonic()
        if not self._encoded:
            return
        table = pa.concat_tables(self._encoded)
        shards.write_shard(self.games_path, table, self._taken)
        self._encoded, self._pending = [], 0
        pa.default_memory_pool().release_unused()
        self.committed += table.num_rows
        try:
            with open(self.path / EVENTS, "a", encoding="utf-8") as file:
                file.writelines(self._events)
        except OSError as error:
            raise unwritable(self.path / EVENTS, error) from error
        self._events = []

    def merge(self) -> None:
        """Merge all shards into one sorted shard, if there are several."""
        paths = shards.shard_paths(self.games_path)
        if len(paths) > 1:
            shards.merge_shards(self.games_path, paths, self.schema)
