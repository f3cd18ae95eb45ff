"""Plays in worker processes of this machine, on the pool of the standard library.

It does not survive a bot that kills its process, and does not end one that hangs.
"""

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import BaseContext

from harness.engines import worker
from harness.engines.engine import Recipe
from harness.errors import HarnessError
from harness.records import Block, Result

CHUNK_SECONDS = 1.0  # long enough that handing over costs nothing, short enough to stop and to share out well
CHUNK_GAMES = 1_000  # bounds what waits in the parent's memory
AHEAD = 4  # chunks per worker that are out or waiting for an earlier one
POLL_SECONDS = 0.1

Chunk = tuple[list[Block], "Future[list[list[Result]]]"]


class LocalEngine:
    """See ``Engine``. ``workers`` None means one for each core this process may use."""

    def __init__(self, recipe: Recipe, workers: int | None = None) -> None:
        self.recipe = recipe
        self.workers = workers or len(os.sched_getaffinity(0))
        self._stopping = False
        self._block_seconds = CHUNK_SECONDS
        self._chunk_blocks = 1

    def stop(self) -> None:
        self._stopping = True

    def run(self, blocks: Iterator[Block]) -> Iterator[tuple[Block, list[Result]]]:
        with self._pool() as (pool, hang_up):
            chunks: deque[Chunk] = deque()
            while True:
                while not self._stopping and len(chunks) < AHEAD * self.workers:
                    if not (chunk := list(islice(blocks, self._chunk_blocks))):
                        break
                    chunks.append((chunk, self._submit(pool, chunk, chunks)))
                if not chunks:
                    return
                if self._stopping:
                    hang_up()
                    yield from _complete(chunks)
                    return
                if not wait([chunks[0][1]], timeout=POLL_SECONDS).done:
                    continue
                done, future = chunks[0]
                played = _results(future, chunks)
                chunks.popleft()
                self._pace(played)
                yield from zip(done, played, strict=True)

    def _submit(self, pool: ProcessPoolExecutor, chunk: list[Block], out: deque[Chunk]) -> "Future[list[list[Result]]]":
        try:
            with _signals_held():
                return pool.submit(worker.play_chunk, chunk)
        except BrokenProcessPool as error:
            raise _broken(out) from error

    def _pace(self, played: list[list[Result]]) -> None:
        """Size the next chunks by how long games take; at most four times larger at once."""
        seconds = sum(result.seconds for results in played for result in results) / len(played)
        self._block_seconds = (self._block_seconds + seconds) / 2
        wanted = int(CHUNK_SECONDS / max(self._block_seconds, 1e-6))
        self._chunk_blocks = max(1, min(wanted, 4 * self._chunk_blocks, CHUNK_GAMES // len(played[0])))

    @contextmanager
    def _pool(self) -> "Iterator[tuple[ProcessPoolExecutor, _HangUp]]":
        context = _context()
        theirs, ours = context.Pipe(duplex=False)
        hang_up = _HangUp(ours.close)
        with _environment(worker.ONE_THREAD | worker.SAFE_PATH):
            pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=worker.start, initargs=(self.recipe, theirs)
            )
            try:
                yield pool, hang_up
            finally:
                self._close(pool, hang_up)
                theirs.close()

    def _close(self, pool: ProcessPoolExecutor, hang_up: "_HangUp") -> None:
        """End the workers: at once when they are idle, after a grace when a game is being played, else by force."""
        processes = list((pool._processes or {}).values())
        hang_up()
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.join(worker.GRACE_SECONDS + 1)
            if process.is_alive():
                process.kill()
                process.join()


class _HangUp:
    """Closes the parent's end of the workers' lifeline, once."""

    def __init__(self, close: "Callable[[], None]") -> None:
        self._close: Callable[[], None] | None = close

    def __call__(self) -> None:
        if self._close is not None:
            self._close()
            self._close = None


def _complete(chunks: deque[Chunk]) -> Iterator[tuple[Block, list[Result]]]:
    """After a stop: yield what is played without a gap, waiting a moment for games being played."""
    for blocks, future in chunks:
        future.cancel()
        if future.cancelled() or not wait([future], timeout=worker.GRACE_SECONDS).done:
            return
        try:
            played = future.result()
        except (BrokenProcessPool, HarnessError):
            return
        yield from zip(blocks, played, strict=False)
        if len(played) < len(blocks):
            return


def _results(future: "Future[list[list[Result]]]", chunks: deque[Chunk]) -> list[list[Result]]:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise _broken(chunks) from error


def _broken(chunks: deque[Chunk]) -> HarnessError:
    tables = sorted({"+".join(block.table) for blocks, _ in chunks for block in blocks})
    shown = ", ".join(tables[:5]) + (" ..." if len(tables) > 5 else "")
    return HarnessError(
        "a worker process died, most likely killed by a bot (a crash of its compiled code, os._exit, memory). Being "
        f"played were games of {shown}. What is stored is safe; the same command goes on from there. To find the bot, "
        "play these tables one by one with `harness match`"
    )


def _context() -> BaseContext:
    """Forkserver where there is one: fork copies the threads' locks of this process, and can deadlock."""
    method = "forkserver" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(["harness.engines.worker"])
    return context


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back while processes may be started: a terminal or a service sends them to the whole
    group, and those that are not ready for them would die. They keep the mask until ``worker.start``.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, worker.PARENTS_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    """Set variables that new processes inherit, and put back what was there."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
