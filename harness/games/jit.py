"""Compiling a game's kernels with numba, with a disk cache that can be neither stale nor in the way.

Numba's own cache looks only at the file a function stands in: it would go on playing old cards after an edit of a
table, or an old inner function after an edit of another module. So every set of kernels gets a cache folder named by
a hash of all its sources, its data and numba's settings. Where no folder is writable, kernels are compiled in memory.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])
_GAMES = Path(__file__).parent
_NO_MATTER = ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS")  # settings of numba that do not change machine code
_KEEP_UNUSED_SECONDS = 14 * 86_400


def compiler(*sources: Path) -> Callable[..., Callable[[F], F]]:
    """Return the decorator ``kernel(signature, inner=False)`` for kernels made from ``sources``.

    ``sources`` are the files and folders (their ``.py`` and ``.csv`` files) that decide what the kernels do, beside
    the shared modules of this folder. ``inner`` kernels can only be called by other kernels, not from Python, which
    compiles faster. With ``NUMBA_DISABLE_JIT=1`` the functions stay plain Python.
    """
    folder = None if config.DISABLE_JIT else _cache_folder(_fingerprint([_GAMES, *sources]))

    def kernel(signature: str, *, inner: bool = False) -> Callable[[F], F]:
        options: dict[str, Any] = {"error_model": "numpy"}
        if inner:
            options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

        def decorate(function: F) -> F:
            if config.DISABLE_JIT:
                return function
            if folder is None:
                return numba.njit(signature, **options)(function)
            before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
            try:
                return numba.njit(signature, cache=True, **options)(function)
            except OSError:  # the disk is full, or the folder was removed under us
                return numba.njit(signature, **options)(function)
            finally:
                config.CACHE_DIR = before

        return decorate

    return kernel


def _fingerprint(sources: list[Path]) -> str:
    """Hash what the machine code depends on: sources, tables, numba and its settings."""
    digest = hashlib.sha256()
    for source in sources:
        files = sorted(source.glob("*")) if source.is_dir() else [source]
        for file in (f for f in files if f.suffix in (".py", ".csv")):
            digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    settings = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k not in _NO_MATTER)
    digest.update(repr((numba.__version__, sys.version, settings)).encode())
    return digest.hexdigest()[:16]


def _cache_folder(fingerprint: str) -> Path | None:
    """Return a writable folder for this fingerprint, or None."""
    if "NUMBA_CACHE_DIR" in os.environ:
        base = Path(os.environ["NUMBA_CACHE_DIR"])
    else:
        try:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jewel-harness"
        except RuntimeError:  # no home
            return None
    folder = base / f"kernels-{fingerprint}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError:
        return None
    _remove_unused(base, folder)
    return folder


def _remove_unused(base: Path, current: Path) -> None:
    """Remove the caches of versions that nobody has started for a while."""
    oldest = time.time() - _KEEP_UNUSED_SECONDS
    for other in base.glob("kernels-*"):
        try:
            if other != current and other.stat().st_mtime < oldest:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue
