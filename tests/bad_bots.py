"""A file plugin: well-behaved bots, and one bot for each way to go wrong."""

import os
import signal
import time
from pathlib import Path

from harness.api import Bot, Random, hookimpl


class Fair(Bot):
    """Random, from its own seed alone."""

    def start(self, game, seat, seed):
        self.rng = Random(seed)

    def choose(self, view, legal):
        return self.rng.choice(legal)


class Safe(Bot):
    def choose(self, view, legal):
        return legal[-1]


class Answers(Bot):
    """Gives one fixed answer."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, view, legal):
        return self.answer


class Raises(Fair):
    """Raises at its ``move``-th decision."""

    def __init__(self, error, move=0):
        self.error, self.left = error, move

    def choose(self, view, legal):
        self.left -= 1
        if self.left < 0:
            raise self.error
        return super().choose(view, legal)


class Broken(Bot):
    """Cannot be built at a table, though it can be built to be looked at."""

    built = 0

    def __init__(self):
        type(self).built += 1
        if type(self).built > 2:
            raise OSError("no weights")


class FailsToStart(Bot):
    def start(self, game, seat, seed):
        raise RuntimeError("cannot start")


class Slow(Safe):
    def __init__(self, move=0.0, start=0.0):
        self.move_seconds, self.start_seconds = move, start

    def start(self, game, seat, seed):
        time.sleep(self.start_seconds)

    def choose(self, view, legal):
        time.sleep(self.move_seconds)
        return legal[-1]


class Cheat(Bot):
    """Makes an illegal action look legal in everything it was handed."""

    def choose(self, view, legal):
        legal[:] = [5, 6, 7]
        view.array[:] = 5
        return 5


class LateHook(Safe):
    def finish(self, result):
        raise SystemExit("late")


class EvilAnswer:
    def __index__(self):
        return 1

    def __repr__(self):
        raise RuntimeError("no repr")


class WrongType:
    def __repr__(self):
        raise SystemExit("no repr")


class Dies(Fair):
    """Takes its process along, once ``after`` games were begun in it."""

    games = 0

    def __init__(self, after=0):
        self.after = after

    def choose(self, view, legal):
        type(self).games += 1
        if type(self).games > self.after:
            os._exit(3)
        return super().choose(view, legal)


class Interrupts(Fair):
    """Presses Ctrl-C (in its own process) at the first decision of a game that it begins, ``times`` times."""

    def __init__(self, times=1):
        self.times = times

    def choose(self, view, legal):
        if view.array[1] == 0:
            for _ in range(self.times):
                os.kill(os.getpid(), signal.SIGINT)
        return super().choose(view, legal)


class KillsParent(Fair):
    """SIGKILLs the process that its file names, after some games; harmless once the file is gone."""

    def __init__(self, pid_file, games):
        self.path, self.after = Path(pid_file), games

    def start(self, game, seat, seed):
        super().start(game, seat, seed)
        type(self).begun = getattr(type(self), "begun", 0) + 1
        if type(self).begun > self.after and self.path.exists():
            pid = int(self.path.read_text())
            self.path.unlink()
            os.kill(pid, signal.SIGKILL)


class Text(Exception):
    def __str__(self):
        raise RuntimeError("no text")


@hookimpl
def register_bots(register):
    register("fair", Fair)
    register("safe", Safe)
    register("draw", lambda: Answers(0))
    register("illegal", lambda: Answers(7))
    register("raises", lambda move=0: Raises(ValueError("bad \udc80 idea\nsecond line"), move))
    register("exits", lambda: Raises(SystemExit(3)))
    register("hungry", lambda: Raises(MemoryError("too much")))
    register("fails_to_start", FailsToStart)
    register("slow", Slow)
    register("late_hook", LateHook)
    register("cheat", Cheat)
    register("dies", Dies)
    register("interrupts", Interrupts)
    register("kills_parent", KillsParent)
