"""A run's signature: one hash of everything that was decided in its games."""

import hashlib
from pathlib import Path

import numpy as np
import pyarrow as pa

from harness.store.shards import GAMES, ORDER, ordered, shard_paths

SIGNED = ("game_id", "bots", "actions", "ranks", "victory_type", "fault_seat", "fault")


def signature(run: Path) -> str:
    """SHA-256 over game id, seats, actions, ranks, victory type and fault of all stored games, in the run's order.

    Each column is hashed by itself, whatever shards it is cut in, and the digests are hashed together. Seconds and
    texts are left out.
    """
    streams = [_Streams() for _ in SIGNED]
    columns = list(dict.fromkeys((*ORDER, *SIGNED)))
    for table in ordered(shard_paths(Path(run) / GAMES), columns):
        for name, stream in zip(SIGNED, streams, strict=True):
            for chunk in table[name].chunks:
                stream.feed(chunk)
    digests = [part.digest() for stream in streams for part in (stream.items, stream.lengths, stream.values)]
    return hashlib.sha256(b"".join(digests)).hexdigest()


class _Streams:
    """The hashes of one column. What goes into each is the same however the column is cut into chunks."""

    def __init__(self) -> None:
        self.items, self.lengths, self.values = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()

    def feed(self, array: pa.Array) -> None:
        """Add lengths of lists and strings as int32, values little endian; a missing value is -1 or empty."""
        if pa.types.is_list(array.type):
            self.items.update(np.diff(array.offsets.to_numpy()).astype("<i4").tobytes())
            array = array.flatten()
        if pa.types.is_integer(array.type):
            numbers = (array.fill_null(-1) if array.null_count else array).to_numpy()
            self.values.update(np.ascontiguousarray(numbers, dtype=numbers.dtype.newbyteorder("<")).tobytes())
        elif pa.types.is_binary(array.type):
            _, offsets, data = array.buffers()
            ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
            self.lengths.update(np.diff(ends).astype("<i4").tobytes())
            self.values.update(memoryview(data)[ends[0] : ends[-1]] if data else b"")
        else:
            texts = [text.encode() for text in array.cast(pa.string()).fill_null("").to_pylist()]
            self.lengths.update(np.array([len(text) for text in texts], dtype="<i4").tobytes())
            self.values.update(b"".join(texts))
