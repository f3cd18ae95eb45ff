"""A run's signature: one hash of everything that was decided in its games."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from harness.store.shards import GAMES, ORDER, ordered, shard_paths

SIGNED = ("game_id", "bots", "actions", "ranks", "victory_type", "fault_seat", "fault")


def signature(run: Path) -> str:
    """SHA-256 over game id, seats, actions, ranks, victory type and fault of all stored games, in the run's order.

    Each column is hashed as one stream of values and one of list or string lengths, whatever shards it is cut in,
    and the digests are hashed together. Seconds and texts are left out.
    """
    streams = [(hashlib.sha256(), hashlib.sha256()) for _ in SIGNED]
    columns = list(dict.fromkeys((*ORDER, *SIGNED)))
    for table in ordered(shard_paths(Path(run) / GAMES), columns):
        for name, (lengths, values) in zip(SIGNED, streams, strict=True):
            for chunk in table[name].chunks:
                _feed(chunk, lengths.update, values.update)
    together = hashlib.sha256()
    for lengths, values in streams:
        together.update(lengths.digest() + values.digest())
    return together.hexdigest()


Update = Callable[[Any], None]


def _feed(array: pa.Array, lengths: Update, values: Update) -> None:
    """Hash a column: lengths as int32, values as they lie in memory (little endian); a missing value is empty or -1."""
    if pa.types.is_list(array.type):
        lengths(np.diff(array.offsets.to_numpy()).astype("<i4").tobytes())
        _feed(array.flatten(), values, values)
    elif pa.types.is_integer(array.type):
        filled = array.fill_null(-1) if array.null_count else array
        numbers = filled.to_numpy()
        values(np.ascontiguousarray(numbers, dtype=numbers.dtype.newbyteorder("<")).tobytes())
    else:
        strings = array.cast(pa.string()).fill_null("").to_pylist()
        encoded = [text.encode() for text in strings]
        lengths(np.array([len(text) for text in encoded], dtype="<i4").tobytes())
        values(b"".join(encoded))
