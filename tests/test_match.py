import json
import logging
import signal
from dataclasses import replace

import numpy as np
import pytest

from harness.api import Random
from harness.match import Limits, Setting, play, play_block
from harness.records import Block
from harness.seeds import deal_seed
from tests import bad_bots, compiled_high_card, high_card

GAMES = {"plain": high_card.GAME, "compiled": compiled_high_card.GAME}


@pytest.fixture(params=GAMES)
def game(request):
    return GAMES[request.param]


def setting(game, limits=None, options=None, **makers):
    return Setting(game=game, options=options or high_card.Options(), seed=5, makers=makers, limits=limits or Limits())


def play_against_safe(game, maker, limits=None):
    """One game; the bot under test has seat 0."""
    return play(setting(game, limits, a_bot=maker, safe=bad_bots.Safe), Block(0, ("a_bot", "safe"), 3), 0)


def without_seconds(results):
    return [replace(r, seconds=0.0, seat_seconds=(), max_move_seconds=()) for r in results]


def test_a_game_is_played_by_its_rules(game):
    result = play(setting(game, draw=lambda: bad_bots.Answers(0), safe=bad_bots.Safe), Block(0, ("draw", "safe"), 3), 0)
    state = game.new(2, deal_seed(5, 3), high_card.Options())
    for action in np.frombuffer(result.actions, "<u2"):
        assert action == high_card.seat(state)  # the drawer sits at seat 0 and draws (0), the other plays safe (1)
        game.apply(state, int(action))
    assert game.legal_actions(state) == []
    assert (result.bots, result.ranks, result.points) == (("draw", "safe"), game.ranks(state), game.points(state))
    assert (result.victory_type, result.flags) == game.victory(state)
    assert result.ended_by == "rules"
    assert result.turns == result.decisions == game.turns(state)
    assert result.measures == {"draws": ((result.decisions + 1) // 2, 0)}
    assert result.fault is None
    assert 0 < result.max_move_seconds[0] <= result.seat_seconds[0] < result.seconds


def test_both_drivers_give_the_same_results():
    bots = {"fair": bad_bots.Fair, "late": bad_bots.LateHook, "raises": lambda: bad_bots.Raises(ValueError("no"), 2)}
    for options in (high_card.Options(), high_card.Options(turn_limit=7)):
        for table in (("fair", "late"), ("fair", "raises"), ("fair", "late", "raises")):
            for deal in range(6):
                block = Block(0, table, deal)
                plain, compiled = (
                    without_seconds(play_block(setting(g, options=options, **bots), block)) for g in GAMES.values()
                )
                assert [cut_traceback(r) for r in plain] == [cut_traceback(r) for r in compiled]


def cut_traceback(result):
    return result.fault and replace(result.fault, evidence={**result.fault.evidence, "traceback": None}), replace(
        result, fault=None
    )


def test_a_block_gives_every_bot_every_seat_and_the_same_cards(game):
    results = play_block(
        setting(game, draw=lambda: bad_bots.Answers(0), fair=bad_bots.Fair), Block(0, ("draw", "fair"), 1)
    )
    assert [r.game_id for r in results] == ["draw+fair/1/0", "draw+fair/1/1"]
    assert [r.bots for r in results] == [("draw", "fair"), ("fair", "draw")]
    again = play_block(
        setting(game, draw=lambda: bad_bots.Answers(0), fair=bad_bots.Fair), Block(0, ("draw", "fair"), 1)
    )
    assert without_seconds(results) == without_seconds(again)


def test_bots_are_made_anew_for_each_game_with_a_seed_of_their_own(game):
    seeds = []

    class Noting(bad_bots.Safe):
        def start(self, game, seat, seed):
            seeds.append(seed)

    for deal in range(3):
        play_block(setting(game, a=Noting, b=Noting), Block(0, ("a", "b"), deal))
    assert len(set(seeds)) == len(seeds) == 12


def test_a_turn_limit_is_told_apart(game):
    options = high_card.Options(turn_limit=4)
    result = play(setting(game, options=options, a=bad_bots.Safe, b=bad_bots.Safe), Block(0, ("a", "b"), 0), 0)
    assert (result.ended_by, result.victory_type, result.ranks) == ("turn_limit", "turn_limit", (1, 1))


FAULTS = {
    "illegal id": (lambda: bad_bots.Answers(7), "illegal_action", "answered 7"),
    "negative": (lambda: bad_bots.Answers(-1), "illegal_action", "answered -1"),
    "huge": (lambda: bad_bots.Answers(2**70), "illegal_action", "answered 1180591620717411303424"),
    "huge beyond printing": (lambda: bad_bots.Answers(10**6000), "illegal_action", "answered <int whose repr fails>"),
    "None": (lambda: bad_bots.Answers(None), "illegal_action", "answered None"),
    "bool": (lambda: bad_bots.Answers(True), "illegal_action", "answered True"),
    "numpy bool": (lambda: bad_bots.Answers(np.True_), "illegal_action", "answered np.True_"),
    "float": (lambda: bad_bots.Answers(1.0), "illegal_action", "answered 1.0"),
    "text": (lambda: bad_bots.Answers("draw"), "illegal_action", "answered 'draw'"),
    "no repr": (lambda: bad_bots.Answers(bad_bots.WrongType()), "illegal_action", "answered <WrongType whose repr"),
    "cheat": (bad_bots.Cheat, "illegal_action", "answered 5, not one of 2"),
    "raises": (lambda: bad_bots.Raises(ValueError("bad \udc80 idea\nmore")), "exception", "ValueError: bad ? idea"),
    "no text": (lambda: bad_bots.Raises(bad_bots.Text()), "exception", "Text: <its text cannot be shown>"),
    "exits": (lambda: bad_bots.Raises(SystemExit(3)), "exception", "SystemExit: 3"),
    "generator exit": (lambda: bad_bots.Raises(GeneratorExit()), "exception", "GeneratorExit"),
    "memory": (lambda: bad_bots.Raises(MemoryError("too much")), "memory", "MemoryError: too much"),
    "no choose": (lambda: bad_bots.Bot(), "exception", "NotImplementedError: a Bot needs a choose"),
    "cannot start": (bad_bots.FailsToStart, "start", "RuntimeError: cannot start"),
    "cannot be built": (lambda: 1 / 0, "start", "ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_forfeits_the_game(game, kind):
    maker, cause, text = FAULTS[kind]
    result = play_against_safe(game, maker)
    assert result.fault.seat == 0
    assert result.fault.cause == cause
    assert result.fault.text.startswith(text)
    assert (result.victory_type, result.ended_by, result.flags) == ("forfeit", "forfeit", ())
    assert result.ranks == (2, 1)
    assert result.actions == b""
    evidence = json.loads(json.dumps(result.fault.evidence))
    if cause == "illegal_action":
        assert len(evidence["answer"]) <= 200
        assert evidence["legal"] == [0, 1]
    if cause in ("illegal_action", "exception"):
        deal = game.new(2, deal_seed(5, 3), high_card.Options())
        assert evidence["position"] == game.to_dict(deal)
    if cause != "illegal_action":
        assert text[:8] in evidence["traceback"] or kind == "no text"
        assert len(evidence["traceback"]) <= 4000


def test_a_forfeit_in_a_larger_table_puts_the_offender_alone_last(game):
    result = play(
        setting(game, a=bad_bots.Safe, b=lambda: bad_bots.Raises(ValueError(), 2), c=bad_bots.Safe, d=bad_bots.Safe),
        Block(0, ("a", "b", "c", "d"), 0),
        0,
    )
    assert result.ranks == (1, 4, 1, 1)
    assert result.decisions == 4 + 4 + 1  # it moved twice, then failed at its third turn
    assert result.scores == pytest.approx((2 / 3, 0.0, 2 / 3, 2 / 3))


@pytest.mark.parametrize("answer", [np.int32(1), np.uint8(1), bad_bots.EvilAnswer()], ids=lambda a: type(a).__name__)
def test_whatever_has_an_index_is_an_action(game, answer):
    result = play_against_safe(game, lambda: bad_bots.Answers(answer))
    assert result.fault is None
    assert set(result.actions[::2]) == {1}


def test_a_subclass_of_int_cannot_slip_through(game):
    class Sly(int):
        def __le__(self, other):
            return True

        def __lt__(self, other):
            return True

        def __ge__(self, other):
            return True

        def __eq__(self, other):
            return True

        __hash__ = int.__hash__

    assert play_against_safe(game, lambda: bad_bots.Answers(Sly(99))).fault.cause == "illegal_action"


def test_an_index_that_raises_is_the_bots_fault(game):
    class Odd:
        def __index__(self):
            raise OSError("no index")

    fault = play_against_safe(game, lambda: bad_bots.Answers(Odd())).fault
    assert (fault.cause, fault.text) == ("exception", "OSError: no index")


def test_scribbling_on_the_view_harms_nobody(game):
    class Scribbler(bad_bots.Safe):
        def choose(self, view, legal):
            view.array[:] = 3
            legal.clear()
            return 1

    class Plain(bad_bots.Safe):
        pass

    clean, dirty = (without_seconds([play_against_safe(game, maker)]) for maker in (Plain, Scribbler))
    assert clean == dirty


def test_late_moves_are_forfeited_when_they_return(game):
    slow = lambda: bad_bots.Slow(move=0.03)  # noqa: E731
    move = play_against_safe(game, slow, Limits(move_seconds=0.01)).fault
    assert move.cause == "move_time"
    assert move.evidence["limit_seconds"] == 0.01
    assert move.evidence["seconds"] >= 0.03
    bank = play_against_safe(game, slow, Limits(bank_seconds=0.1))
    assert bank.fault.cause == "game_time"
    assert bank.decisions in (4, 6)  # its third or fourth move is over
    start = play_against_safe(game, lambda: bad_bots.Slow(start=0.03), Limits(start_seconds=0.01))
    assert start.fault.cause == "start"
    assert play_against_safe(game, slow, Limits(move_seconds=5, bank_seconds=50, start_seconds=5)).fault is None


def test_the_cpu_clock_forgives_waiting_but_not_computing(game):
    limits = Limits(clock="cpu", move_seconds=0.02)
    assert play_against_safe(game, lambda: bad_bots.Slow(move=0.03), limits).fault is None

    class Busy(bad_bots.Safe):
        def choose(self, view, legal):
            sum(range(4_000_000))
            return legal[-1]

    assert play_against_safe(game, Busy, limits).fault.cause == "move_time"


def test_a_bot_that_always_fails_to_finish_is_told_once(game, caplog):
    class Late(bad_bots.Safe):
        def finish(self, result):
            raise ValueError("late")

    shared = setting(game, a_bot=Late, safe=bad_bots.Safe)
    with caplog.at_level(logging.WARNING):
        for deal in range(3):
            play(shared, Block(deal, ("a_bot", "safe"), deal), 0)
    assert caplog.text.count("ValueError: late") == 1


def test_what_a_bot_says_cannot_steer_a_terminal(game):
    result = play_against_safe(game, lambda: bad_bots.Raises(ValueError("\x1b[2J\x00\x9b31m\ud800")))
    assert result.fault.text == "ValueError: ?[2J??31m?"
    assert not set("\x1b\x00\x9b") & set(result.fault.evidence["traceback"])


def test_finish_reaches_all_that_were_started_and_changes_nothing(game, caplog):
    told = []

    class Told(bad_bots.Safe):
        def finish(self, result):
            told.append(result)

    class NeverStarted(bad_bots.FailsToStart):
        finish = Told.finish

    result = play(setting(game, a=Told, b=NeverStarted), Block(0, ("a", "b"), 0), 0)
    assert told == [replace(result, fault=replace(result.fault, evidence={}))]
    with caplog.at_level(logging.WARNING):
        late = play_against_safe(game, bad_bots.LateHook)
    assert late.fault is None
    assert "SystemExit: late in finish() of bot a_bot" in caplog.text


def test_no_bot_learns_the_luck_of_a_deal_that_others_still_play(game):
    told = []

    class Told(bad_bots.Safe):
        def finish(self, result):
            told.append(result)

    result = play(setting(game, a=lambda: bad_bots.Answers(99), b=Told), Block(0, ("a", "b"), 3), 0)
    assert result.fault.evidence["position"] == game.to_dict(game.new(2, deal_seed(5, 3), high_card.Options()))
    assert [(r.fault.cause, r.fault.evidence) for r in told] == [("illegal_action", {})]


def test_what_a_bot_does_to_its_result_is_not_stored(game):
    class Spoils(bad_bots.Safe):
        def finish(self, result):
            result.measures.clear()
            object.__setattr__(result, "ranks", (1, 2))

    fair = play(setting(game, a=bad_bots.Safe, b=bad_bots.Safe), Block(0, ("a", "b"), 3), 0)
    spoilt = play(setting(game, a=Spoils, b=Spoils), Block(0, ("a", "b"), 3), 0)
    assert without_seconds([spoilt]) == without_seconds([fair])
    assert spoilt.measures


def test_ctrl_c_is_nobodys_fault(game):
    with pytest.raises(KeyboardInterrupt):
        play_against_safe(game, lambda: bad_bots.Raises(KeyboardInterrupt()))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a worker: there the bot raised it itself
    try:
        assert play_against_safe(game, lambda: bad_bots.Raises(KeyboardInterrupt())).fault.cause == "exception"
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_error_of_the_game_is_not_blamed_on_a_bot():
    def broken(state, action):
        raise RuntimeError("rules broke")

    with pytest.raises(RuntimeError, match="rules broke"):
        play_against_safe(replace(high_card.GAME, apply=broken), bad_bots.Safe)


def test_a_game_makes_its_own_views(game):
    class Named(high_card.View):
        pass

    seen = []

    class Looks(bad_bots.Safe):
        def choose(self, view, legal):
            seen.append((type(view), view.seat, int(view.array[high_card.DECK + int(view.array[high_card.TURN])])))
            return legal[-1]

    named = replace(game, view_class=Named, view=lambda state, seat: Named(high_card.view(state, seat)._raw, seat))
    play_against_safe(named, Looks)
    assert set(seen) == {(Named, 0, high_card.UNKNOWN)}


def test_random_functions_follow_their_seed(game):
    rolls = []

    class Rolls(bad_bots.Fair):
        def start(self, game, seat, seed):
            super().start(game, seat, seed)
            rolls.append(Random(seed).random())

    for _ in range(2):
        play_against_safe(game, Rolls)
    assert rolls[0] == rolls[1]
