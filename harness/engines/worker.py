"""The worker's side of a process pool: builds the Setting once, then plays chunks of Blocks."""

import os
import signal
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType

from harness.engines.engine import Recipe, build, play_or_explain
from harness.errors import HarnessError
from harness.match import Setting
from harness.plugins import load_plugins
from harness.records import Block, Result

GRACE_SECONDS = 2.0
"""How long a game being played may go on after a stop, or after the parent's death."""

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
"""Environment of workers: the cores are shared out among processes already."""

SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""Environment of a starting worker: else Python looks for modules in the current folder first, where a user may well
have a ``harness/``, a ``bots/`` or a ``random.py``. Not for what a bot may start itself."""


PARENTS_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that a whole process group gets and that only the parent acts on; it ends workers by their lifeline."""


class _Worker:
    setting: Setting | None = None
    failure: HarnessError | None = None
    stopping = False


def start(recipe: Recipe, lifeline: Connection) -> None:
    """Run once in each new worker. A failure is kept for the first chunk: raised here, only a bare death is seen."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave_it)  # a handler, not SIG_IGN: what a bot starts must not inherit it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PARENTS_SIGNALS)  # held since before this process began
    os.environ.update(ONE_THREAD)
    for name in SAFE_PATH:
        os.environ.pop(name, None)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True, name="lifeline").start()
    try:
        _Worker.setting = build(recipe, load_plugins(recipe.plugins))
    except HarnessError as error:
        _Worker.failure = error
    except BaseException as error:
        text = "".join(traceback.format_exception(error))
        _Worker.failure = HarnessError(f"a worker process could not load game and bots:\n{text}")


def _leave_it(_number: int, _frame: FrameType | None) -> None:
    """Let the parent decide."""


def _watch(lifeline: Connection) -> None:
    """Wait for the parent to close its end, by a stop or by its death, and leave no orphan behind."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    _Worker.stopping = True
    time.sleep(GRACE_SECONDS)
    os._exit(0)


def play_chunk(blocks: Sequence[Block]) -> list[list[Result]]:
    """Play Blocks in order; fewer than given after a stop."""
    if _Worker.failure is not None:
        raise _Worker.failure
    assert _Worker.setting is not None
    played: list[list[Result]] = []
    for block in blocks:
        if _Worker.stopping:
            break
        played.append(play_or_explain(_Worker.setting, block))
    return played
