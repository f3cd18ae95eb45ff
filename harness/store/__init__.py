"""The Run folder: Results in, shards on disk, data frames out. The only place that knows how runs are stored."""

from harness.store.folder import Store
from harness.store.frames import Frames, load
from harness.store.manifest import Manifest, read_manifest
from harness.store.shards import find_game, ordered
from harness.store.signature import signature

__all__ = ["Frames", "Manifest", "Store", "find_game", "load", "ordered", "read_manifest", "signature"]
