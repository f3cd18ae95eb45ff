"""Plays one game to its end: view, clock, choose, check, apply, record, and forfeits.

Schedules, processes and files are left to others. Two drivers do the same: one makes a single compiled call per
decision, the other uses the plain functions of the game.
"""

import logging
import re
import signal
import struct
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from time import perf_counter, process_time
from typing import Any

import numpy as np

from harness.games.game import Game, GameOptions, Kernels, State, View
from harness.players import Player
from harness.records import FORFEIT, Block, Fault, Result
from harness.seeds import bot_seed, deal_seed

log = logging.getLogger(__name__)

ANSWER_LENGTH = 200
TEXT_LENGTH = 200
MOST_WARNINGS = 100
TRACEBACK_LENGTH = 4000
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # all but tab and newline


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds a bot may take, None for no limit. Judged after the call has returned: hangs are not ended here."""

    clock: str = "wall"
    """``wall``, or ``cpu``: CPU time of the process."""
    move_seconds: float | None = None
    bank_seconds: float | None = None
    """Per seat and game."""
    start_seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What all games of a run share. ``makers`` build a bot anew for each game, by bot name."""

    game: Game
    options: GameOptions
    seed: int
    makers: Mapping[str, Callable[[], Player]]
    limits: Limits = Limits()
    said: set[str] = field(default_factory=set, repr=False, compare=False)
    """Warnings given by this process."""


def play_block(setting: Setting, block: Block) -> list[Result]:
    """Play all rotations of a block, in order."""
    deal = _deal(setting, block)
    return [play(setting, block, rotation, deal) for rotation in range(block.rotations)]


def play(setting: Setting, block: Block, rotation: int, deal: State | None = None) -> Result:
    """Play one game to its end. ``deal`` saves dealing again what is the same for all rotations of a block.

    Whatever a bot does ends in a Result. Raised are only KeyboardInterrupt and errors of the game itself.
    """
    began = perf_counter()
    game = setting.game
    match = _Match(setting, block, rotation, game.copy(_deal(setting, block) if deal is None else deal))
    match.start()
    if match.fault is None:
        if game.kernels is None:
            _drive_plain(match)
        else:
            _drive_compiled(match, game.kernels)
    result = match.result(perf_counter() - began)
    match.finish(result)
    return result


def _deal(setting: Setting, block: Block) -> State:
    return setting.game.new(len(block.table), deal_seed(setting.seed, block.deal), setting.options)


class _Match:
    """A game being played: position, players, clocks, and the fault that ended it, if any."""

    def __init__(self, setting: Setting, block: Block, rotation: int, state: State) -> None:
        self.setting = setting
        self.game = setting.game
        self.block = block
        self.rotation = rotation
        self.state = state
        self.bots = block.seating(rotation)
        self.players: list[Player] = []
        self.chooses: list[Callable[[View, list[int]], Any]] = []
        self.actions: list[int] = []
        self.seconds = [0.0] * len(self.bots)
        self.slowest = [0.0] * len(self.bots)
        self.watch = _watch(setting.limits, len(self.bots))
        self.fault: Fault | None = None

    def start(self) -> None:
        """Build and start the players, seat by seat, until one fails."""
        clock = _limit_clock(self.setting.limits)
        for seat, name in enumerate(self.bots):
            seed = bot_seed(self.setting.seed, self.block.table, self.block.deal, self.rotation, name)
            began = clock()
            try:
                player = self.setting.makers[name]()
                player.start(self.game, seat, seed)
                choose = player.choose
            except BaseException as error:
                self.fault = _raised(seat, error, "start", {})
                return
            spent, limit = clock() - began, self.setting.limits.start_seconds
            self.players.append(player)
            self.chooses.append(choose)
            if limit is not None and spent > limit:
                self.fault = _late(seat, "start", spent, limit)
                return

    def illegal(self, seat: int, answer: object, legal: Sequence[int]) -> None:
        shown = _shown(answer)
        self.fault = Fault(
            seat,
            "illegal_action",
            f"answered {shown[:80]}, not one of {len(legal)} legal actions",
            {"answer": shown, "legal": list(legal), "position": self.game.to_dict(self.state)},
        )

    def raised(self, seat: int, error: BaseException, legal: Sequence[int]) -> None:
        evidence: dict[str, object] = {"legal": list(legal), "position": self.game.to_dict(self.state)}
        self.fault = _raised(seat, error, "exception", evidence)

    def result(self, seconds: float) -> Result:
        game, state, fault, seats = self.game, self.state, self.fault, len(self.bots)
        measures = game.measures(state)
        if fault is None:
            ranks = game.ranks(state)
            victory, flags = game.victory(state)
            ended_by = "turn_limit" if victory in game.limit_types else "rules"
        else:
            ranks = tuple(seats if seat == fault.seat else 1 for seat in range(seats))
            victory, flags, ended_by = FORFEIT, (), FORFEIT
        return Result(
            game_id=self.block.game_id(self.rotation),
            bots=self.bots,
            ranks=ranks,
            points=game.points(state),
            victory_type=victory,
            flags=flags,
            ended_by=ended_by,
            turns=game.turns(state),
            actions=struct.pack(f"<{len(self.actions)}H", *self.actions),
            measures={name: tuple(measures[name]) for name in game.measure_names},
            seat_seconds=tuple(self.seconds),
            max_move_seconds=tuple(self.slowest),
            seconds=seconds,
            fault=fault,
        )

    def finish(self, result: Result) -> None:
        """Tell every player that was started; what one does here changes nothing any more."""
        for seat, player in enumerate(self.players):
            try:
                player.finish(_for_bots(result))
            except BaseException as error:
                _pass_on_interrupt(error)
                self._complain(result.game_id, f"{_line(error)} in finish() of bot {self.bots[seat]}")

    def _complain(self, game_id: str, text: str) -> None:
        """Warn of each thing once: a bot that fails in one game most likely fails in all."""
        if text not in self.setting.said and len(self.setting.said) < MOST_WARNINGS:
            self.setting.said.add(text)
            log.warning("%s: %s; this is not said again", game_id, text)


def _for_bots(result: Result) -> Result:
    """A copy, since what is stored must not be a bot's to change; without evidence, whose position shows the deal's
    luck: the same deal is played again from the other seats and at other tables."""
    fault = result.fault and replace(result.fault, evidence={})
    return replace(result, measures=dict(result.measures), fault=fault)


def _drive_compiled(match: _Match, kernels: Kernels) -> None:
    """One compiled call per decision. Everything a turn of the loop needs is a local: this is the hot path."""
    game, chooses, seconds, slowest, watch = match.game, match.chooses, match.seconds, match.slowest, match.watch
    buffer = kernels.new_buffer()
    position = buffer[kernels.STATE : kernels.view_offset]
    position[:] = match.state
    match.state = position  # faults and the result read it where it changes
    words = buffer.data
    view_words, ids = words[kernels.view_offset : kernels.legal_offset], words[kernels.legal_offset :]
    SEAT, num_actions = kernels.SEAT, game.num_actions
    step, make_view, clock, record = kernels.step, game.view_class, perf_counter, match.actions.append
    count = step(buffer, kernels.START)
    while count > 0:
        seat = words[SEAT]
        view, legal = make_view(view_words.tobytes(), seat), ids[:count].tolist()
        if watch is not None:
            watch.begin()
        began = clock()
        try:
            answer = chooses[seat](view, legal)
            action = answer if type(answer) is int else _as_action(answer)
        except BaseException as error:
            seconds[seat] += clock() - began
            return match.raised(seat, error, ids[:count].tolist())
        spent = clock() - began
        seconds[seat] += spent
        if spent > slowest[seat]:
            slowest[seat] = spent
        if watch is not None and (fault := watch.judge(seat)):
            match.fault = fault
            return None
        # Ids out of range, huge ones too, never reach compiled code.
        after = step(buffer, action) if 0 <= action < num_actions else -1
        if after < 0:
            return match.illegal(seat, answer, ids[:count].tolist())
        record(action)
        count = after
    return None


def _drive_plain(match: _Match) -> None:
    """The same over the plain functions of the game."""
    game, state, watch, clock = match.game, match.state, match.watch, perf_counter
    while legal := game.legal_actions(state):
        seat = game.seat(state)
        view = game.view(state, seat)
        if watch is not None:
            watch.begin()
        began = clock()
        try:
            answer = match.chooses[seat](view, list(legal))
            action = answer if type(answer) is int else _as_action(answer)
        except BaseException as error:
            match.seconds[seat] += clock() - began
            return match.raised(seat, error, legal)
        spent = clock() - began
        match.seconds[seat] += spent
        match.slowest[seat] = max(match.slowest[seat], spent)
        if watch is not None and (fault := watch.judge(seat)):
            match.fault = fault
            return None
        if action not in legal:
            return match.illegal(seat, answer, legal)
        game.apply(state, action)
        match.actions.append(action)
    return None


def _as_action(answer: Any) -> int:
    """Anything with ``__index__`` but bool as a plain int; -1, which is never legal, for everything else.

    ``__index__`` is the bot's own code: it runs inside the clock, and what it raises counts as raised by the bot.
    """
    if isinstance(answer, (bool, np.bool)):  # some numpy would take its own for an index
        return -1
    try:
        return int.__pos__(index(answer))  # a subclass of int loses its own comparisons here
    except TypeError:
        return -1


class _Watch:
    """Judges move and bank limits after each call, by wall or by CPU time."""

    def __init__(self, limits: Limits, seats: int) -> None:
        self.clock = _limit_clock(limits)
        self.move = float("inf") if limits.move_seconds is None else limits.move_seconds
        self.bank = float("inf") if limits.bank_seconds is None else limits.bank_seconds
        self.used = [0.0] * seats
        self.began = 0.0

    def begin(self) -> None:
        self.began = self.clock()

    def judge(self, seat: int) -> Fault | None:
        spent = self.clock() - self.began
        self.used[seat] += spent
        if spent > self.move:
            return _late(seat, "move_time", spent, self.move)
        if self.used[seat] > self.bank:
            return _late(seat, "game_time", self.used[seat], self.bank)
        return None


def _watch(limits: Limits, seats: int) -> _Watch | None:
    """None when no clock decides, so that the hot path pays nothing."""
    return None if limits.move_seconds is None and limits.bank_seconds is None else _Watch(limits, seats)


def _limit_clock(limits: Limits) -> Callable[[], float]:
    return process_time if limits.clock == "cpu" else perf_counter


def _late(seat: int, cause: str, spent: float, limit: float) -> Fault:
    what = {"move_time": "a move", "game_time": "all moves of a game", "start": "starting"}[cause]
    return Fault(
        seat,
        cause,
        f"took {spent:.3f} s for {what}, the limit is {limit:g} s",
        {"seconds": spent, "limit_seconds": limit},
    )


def _raised(seat: int, error: BaseException, cause: str, evidence: dict[str, object]) -> Fault:
    _pass_on_interrupt(error)
    if isinstance(error, MemoryError):
        cause = "memory"
    text = "".join(traceback.format_exception(error))
    return Fault(seat, cause, _line(error), {**evidence, "traceback": _clean(text[-TRACEBACK_LENGTH:])})


def _pass_on_interrupt(error: BaseException) -> None:
    """Ctrl-C is the user's, not the bot's; but where SIGINT is ignored (workers), only a bot can have raised it."""
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        raise error


def _line(error: BaseException) -> str:
    """One line for people; safe against a ``__str__`` that raises."""
    try:
        message = _clean(str(error).strip().partition("\n")[0])
    except BaseException as second:
        _pass_on_interrupt(second)
        message = "<its text cannot be shown>"
    return f"{type(error).__name__}: {message}"[:TEXT_LENGTH] if message else type(error).__name__


def _shown(answer: object) -> str:
    """``repr`` cut short; it may be the bot's own code, or refuse huge ints."""
    try:
        return _clean(repr(answer)[:ANSWER_LENGTH])
    except BaseException as error:
        _pass_on_interrupt(error)
        return f"<{type(answer).__name__} whose repr fails>"


def _clean(text: str) -> str:
    """Text that any file and terminal takes: lone surrogates and control characters become question marks."""
    return CONTROLS.sub("?", text.encode("utf-8", "replace").decode("utf-8"))
