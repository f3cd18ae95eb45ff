"""Files that are whole or not there: written under a temporary name, synced, renamed, the folder synced too."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from harness.errors import UsageError

TEMPORARY = ".tmp-"


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Create or replace ``path`` by what ``write(file)`` writes, all or nothing, safe against power loss.

    UsageError with the next step when the disk is full or the folder cannot be written.
    """
    temporary = path.with_name(TEMPORARY + path.name)
    try:
        with open(temporary, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise unwritable(path, error) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def unwritable(path: Path, error: OSError) -> UsageError:
    """Return the error to raise when ``path`` could not be written."""
    return UsageError(
        f"cannot write {path}: {error.strerror or error}. What is stored is safe: free some space or mend the folder, "
        "then run the same command again to go on (or choose another folder with --out)"
    )


def sync_folder(folder: Path) -> None:
    """Make renames and removals in ``folder`` last."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_temporary(folder: Path) -> None:
    """Remove what a killed writer left."""
    for path in folder.glob(TEMPORARY + "*"):
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one writer; UsageError when another process holds it. The kernel frees it with its holder."""
    path = folder / ".lock"
    try:
        file = open(path, "a+")  # noqa: SIM115 - closed below, and kept open between
    except OSError as error:
        raise unwritable(path, error) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise UsageError(
                f"{folder} is being written by another run (process {holder}); wait for it, or choose another folder "
                "with --out"
            ) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
