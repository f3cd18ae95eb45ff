import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import pytest

from harness.errors import BotLoadError, HarnessError, UsageError
from harness.plugins import load_plugins
from harness.store import Store, load, read_manifest
from harness.store.shards import shard_paths
from harness.tournament import plan, replay, run, signature

HERE = Path(__file__).parent
PLUGINS = [str(HERE / "toy_games.py"), str(HERE / "bad_bots.py")]
FIELD = ("fair", "safe", "raises=raises?move=2", "late=late_hook")


@pytest.fixture
def play(toy_registry):
    def play(config, out, registry=toy_registry, engine="serial", **more):
        return run(config, out, registry=registry, engine=engine, **more)

    return play


@pytest.fixture
def small_shards(monkeypatch):
    monkeypatch.setattr("harness.store.folder.SHARD_ROWS", 10)
    monkeypatch.setattr("harness.store.folder.ENCODE_ROWS", 4)


def test_a_plan_counts_without_playing(toy_config, toy_registry):
    todo = plan(toy_config(*FIELD, seats=3), toy_registry)
    assert todo.game.name == "high_card"
    assert len(todo.tables) == 4
    assert (todo.blocks, todo.games) == (20, 60)
    assert sum(1 for _ in todo.schedule()) == 20


def test_a_run_stores_every_game_of_its_plan(toy_config, play, tmp_path):
    said = []
    outcome = play(toy_config(*FIELD), tmp_path / "run", progress=said.append)
    assert (outcome.games, outcome.played_now, outcome.interrupted, outcome.clocked) == (60, 60, False, False)
    assert outcome.forfeits == 30  # the broken bot forfeits each of its games
    frames = load(tmp_path / "run")
    assert len(frames.games) == 60
    assert frames.games.groupby("table", observed=False).size().tolist() == [10] * 6
    assert (frames.seats.groupby("game_id").won.sum() == 1).all()
    assert frames.seats[frames.seats.fault.notna()].bot.unique().tolist() == ["raises"]
    last = said[-1]
    assert (last.done_games, last.total_games, last.forfeits) == (60, 60, 30)
    assert [games for _, _, games in last.standing] == [30] * 4
    means = frames.seats.groupby("bot", observed=False).score.mean()
    assert {bot: score for bot, score, _ in last.standing} == pytest.approx(means.to_dict())
    assert last.standing[-1][:2] == ("raises", 0.0)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["fixed"]["seed"] == 11


@pytest.mark.parametrize("seats", [2, 3])
def test_the_signature_is_the_same_for_all_engines_drivers_and_workers(toy_config, play, tmp_path, seats):
    ways = [("high_card", "serial", None), ("compiled_high_card", "serial", None)]
    ways += [("high_card", "local", 1), ("compiled_high_card", "local", 2)]
    signatures = set()
    for number, (game, engine, workers) in enumerate(ways):
        config = toy_config(*FIELD, game=game, seats=seats)
        outcome = play(config, tmp_path / str(number), engine=engine, workers=workers)
        signatures.add(outcome.signature)
        assert outcome.played_now == outcome.games == plan_games(seats)
    assert len(signatures) == 1
    other = play(toy_config(*FIELD, seats=seats, seed=12), tmp_path / "other")
    assert other.signature not in signatures


def plan_games(seats):
    return {2: 6 * 2 * 5, 3: 4 * 3 * 5}[seats]


def test_the_same_command_again_plays_nothing(toy_config, play, tmp_path):
    first = play(toy_config(*FIELD), tmp_path / "run")
    again = play(toy_config(*FIELD), tmp_path / "run", engine="local")
    assert (again.played_now, again.games, again.forfeits) == (0, first.games, first.forfeits)
    assert again.signature == first.signature


def test_runs_grow_by_deals_and_bots(toy_config, play, tmp_path, small_shards):
    play(toy_config("safe", "late=late_hook", deals=2), tmp_path / "grown")
    play(toy_config("safe", "late=late_hook", deals=5), tmp_path / "grown")
    grown = play(toy_config(*FIELD, deals=6), tmp_path / "grown", engine="local", workers=2)
    at_once = play(toy_config(*FIELD, deals=6), tmp_path / "at_once")
    assert grown.played_now == at_once.games - 10
    assert grown.signature == at_once.signature
    assert load(tmp_path / "grown").games.block.tolist() == load(tmp_path / "at_once").games.block.tolist()
    fewer = play(toy_config("safe", "fair", deals=3), tmp_path / "grown")
    assert (fewer.played_now, fewer.interrupted, fewer.signature) == (0, False, at_once.signature)


def test_mirrors_and_gauntlets_run(toy_config, play, tmp_path):
    mirrors = play(toy_config("fair", schedule={"mirrors": True}), tmp_path / "mirrors")
    assert mirrors.games == 10
    assert set(load(tmp_path / "mirrors").seats.bot) == {"fair", "fair#2"}
    gauntlet = play(toy_config(*FIELD, schedule={"kind": "gauntlet", "hero": "safe"}), tmp_path / "gauntlet")
    assert gauntlet.games == 30


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 12}, "seed 11 there and 12 here"),
        ({"game": "compiled_high_card"}, 'game "high_card" there and "compiled_high_card" here'),
        ({"game_options": {"target": 12}}, "game_options.target 10 there and 12 here"),
        ({"seats": 3}, "seats 2 there and 3 here"),
        ({"limits": {"move_seconds": 4.0}}, "limits.move_seconds null there and 4.0 here"),
    ],
)
def test_what_cannot_go_on_is_refused(toy_config, play, tmp_path, changes, told):
    play(toy_config(*FIELD), tmp_path / "run")
    with pytest.raises(UsageError, match=told):
        play(toy_config(*FIELD, **changes), tmp_path / "run")
    assert len(load(tmp_path / "run").games) == 60


def test_a_changed_bot_is_named_and_refused(toy_config, play, tmp_path):
    bot = tmp_path / "mine.py"
    bot.write_text("def choose(view, legal):\n    return legal[0]\n")
    config = toy_config("safe", f"mine={bot}")
    play(config, tmp_path / "run", registry=load_plugins(PLUGINS))
    bot.write_text("def choose(view, legal):\n    return legal[-1]\n")
    with pytest.raises(UsageError, match=r"games of mine \(sha256"):
        play(config, tmp_path / "run", registry=load_plugins(PLUGINS))
    options = toy_config("fair", "raises=raises?move=3")
    play(toy_config("fair", "raises=raises?move=2"), tmp_path / "options")
    with pytest.raises(UsageError, match=r"games of raises \(options.move 2 there and 3 here"):
        play(options, tmp_path / "options")


def test_another_version_of_the_rules_is_refused(toy_config, play, tmp_path):
    plugin = tmp_path / "versioned.py"
    text = (
        "from dataclasses import replace\nfrom harness.api import hookimpl\nfrom tests import high_card\n"
        "@hookimpl\ndef register_games(register):\n"
        "    register('versioned', replace(high_card.GAME, name='versioned', version=VERSION))\n"
    )
    for version in (1, 2):
        plugin.write_text(text.replace("VERSION", str(version)))
        registry = load_plugins([*PLUGINS, str(plugin)])
        if version == 1:
            play(toy_config("fair", "safe", game="versioned"), tmp_path / "run", registry=registry)
        else:
            with pytest.raises(UsageError, match="game_version 1 there and 2 here"):
                play(toy_config("fair", "safe", game="versioned"), tmp_path / "run", registry=registry)
            with pytest.raises(UsageError, match="played by version 1 of versioned, here is version 2"):
                replay(tmp_path / "run", "fair+safe/0/0", registry)


def test_a_clock_that_decided_is_told(toy_config, play, tmp_path):
    config = toy_config("safe", "slow=slow?move=0.02", deals=1, limits={"move_seconds": 0.005})
    assert play(config, tmp_path / "move").clocked
    assert play(config, tmp_path / "move").clocked  # read from the store
    config = toy_config("safe", "slow=slow?start=0.02", deals=1, limits={"start_seconds": 0.005})
    assert play(config, tmp_path / "start").clocked
    assert play(config, tmp_path / "start").clocked


def test_wrong_engine_or_workers(toy_config, play, tmp_path):
    with pytest.raises(UsageError, match="--engine cloud: unknown engine; there is: local, serial"):
        play(toy_config(*FIELD), tmp_path / "run", engine="cloud")
    with pytest.raises(UsageError, match="--workers 0"):
        play(toy_config(*FIELD), tmp_path / "run", engine="local", workers=0)
    with pytest.raises(UsageError, match="unknown bot"):
        play(toy_config("fair", "nobody"), tmp_path / "run")


def test_a_bot_that_kills_its_process_stops_the_run_and_loses_nothing(toy_config, play, tmp_path, small_shards):
    config = toy_config("fair", "dies=dies?after=60", deals=40)
    with pytest.raises(HarnessError, match=r"worker process died.*Being played were games of dies\+fair"):
        play(config, tmp_path / "run", engine="local", workers=1)
    stored = len(load(tmp_path / "run").games)
    assert 0 < stored < 80
    with Store(tmp_path / "run", read_manifest(tmp_path / "run")) as store:
        assert store.tally.games == stored


def test_a_game_that_breaks_is_not_a_bots_fault(toy_config, play, tmp_path):
    plugin = tmp_path / "broken.py"
    plugin.write_text(
        "from dataclasses import replace\nfrom harness.api import hookimpl\nfrom tests import high_card\n"
        "def ranks(state):\n    raise ZeroDivisionError('rules')\n"
        "@hookimpl\ndef register_games(register):\n"
        "    register('broken', replace(high_card.GAME, name='broken', ranks=ranks))\n"
    )
    registry = load_plugins([*PLUGINS, str(plugin)])
    for engine in ("serial", "local"):
        with pytest.raises(HarnessError, match=r"fair\+safe/0/0 could not be played.*(?s:.)*ZeroDivisionError: rules"):
            play(toy_config("fair", "safe", game="broken"), tmp_path / engine, registry=registry, engine=engine)


def test_a_worker_that_cannot_load_says_why(toy_config, play, tmp_path):
    bot = tmp_path / "shy.py"
    bot.write_text(
        "import multiprocessing\nif multiprocessing.parent_process() is not None:\n    raise ImportError('not here')\n"
        "def choose(view, legal):\n    return legal[0]\n"
    )
    with pytest.raises(BotLoadError, match="not here"):
        play(toy_config("safe", f"shy={bot}"), tmp_path / "run", engine="local", workers=1)


# Interruptions


def test_ctrl_c_commits_what_is_complete_and_the_run_goes_on(toy_config, play, tmp_path):
    interrupting = toy_config("safe", "x=interrupts", deals=6)
    outcome = play(interrupting, tmp_path / "run")
    assert outcome.interrupted
    assert (outcome.games, outcome.played_now) == (2, 2)  # the block being played is finished
    while outcome.interrupted:
        before = outcome.games
        outcome = play(interrupting, tmp_path / "run")
        assert outcome.games > before
    calm = play(toy_config("safe", "x=interrupts?times=0", deals=6), tmp_path / "calm")
    assert outcome.signature == calm.signature


def test_a_second_ctrl_c_leaves_at_once(toy_config, play, tmp_path):
    outcome = play(toy_config("safe", "x=interrupts?times=2", deals=6), tmp_path / "run")
    assert outcome.interrupted
    assert outcome.games == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_workers_too(toy_config, play, tmp_path, number):
    config = toy_config("fair", "safe", deals=100_000)
    pressed = []

    def press(_):
        if not pressed:
            pressed.append(psutil.Process().children(recursive=True))
            os.kill(os.getpid(), number)

    outcome = play(config, tmp_path / "run", engine="local", workers=2, progress=press)
    assert outcome.interrupted
    assert 0 < outcome.games < 200_000
    assert outcome.games == len(load(tmp_path / "run").games)
    # deals are played in order, so what is stored has no gap
    deals = load(tmp_path / "run").games.deal
    assert deals.tolist() == [i // 2 for i in range(len(deals))]
    assert len(pressed[0]) >= 3  # the workers, and the server they come from
    left = {p.pid for p in psutil.Process().children(recursive=True)}
    assert len(left & {p.pid for p in pressed[0]}) == len(pressed[0]) - 2


def test_a_slow_game_does_not_delay_the_end_for_long(toy_config, play, tmp_path):
    config = toy_config("fair", "slow=slow?move=0.5", deals=1000)
    began = time.monotonic()

    def press_later():
        time.sleep(2.0)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press_later).start()
    outcome = play(config, tmp_path / "run", engine="local", workers=2)
    assert outcome.interrupted
    assert time.monotonic() - began < 12


KILLED = """
import sys
from pathlib import Path
from harness.config import BotConfig, RunConfig
from harness.plugins import load_plugins
from harness.store import folder
from harness.tournament import run

folder.SHARD_ROWS, folder.ENCODE_ROWS = 10, 4
if __name__ == "__main__":
    out, bot, engine, *plugins = sys.argv[1:]
    config = RunConfig(
        game="high_card", seed=11, deals=200,
        bots=[BotConfig(name="safe", bot="safe"), BotConfig(name="x", bot=bot)],
    )
    run(config, Path(out), registry=load_plugins(plugins), engine=engine, workers=2)
"""


@pytest.mark.parametrize("engine", ["serial", "local"])
def test_a_killed_run_goes_on_and_ends_the_same(toy_config, play, tmp_path, engine):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    pid_file = tmp_path / "pid"
    bot = f"kills_parent?pid_file={pid_file}&games=150"
    command = [sys.executable, str(script), str(tmp_path / "run"), bot, engine, *PLUGINS]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    pid_file.write_text(str(process.pid))
    assert process.wait(60) == -signal.SIGKILL
    wait_for_end_of_session(process.pid)
    stored = len(load(tmp_path / "run").games)
    assert 0 < stored < 400
    assert subprocess.run(command, env=environment, timeout=60).returncode == 0
    whole = play(toy_config("safe", f"x={bot}", deals=200), tmp_path / "whole")
    resumed = play(toy_config("safe", f"x={bot}", deals=200), tmp_path / "run")
    assert resumed.played_now == 0
    assert resumed.signature == whole.signature == signature(tmp_path / "run")


def wait_for_end_of_session(session):
    """Workers of a killed parent must go by themselves."""
    for _ in range(100):
        left = [p for p in psutil.process_iter() if is_in(p, session)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"left behind: {left}")


def is_in(process, session):
    try:
        return os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


# Replay


def test_a_replay_reproduces_stored_games(toy_config, play, toy_registry, tmp_path):
    play(toy_config(*FIELD, seats=3), tmp_path / "run")
    frames = load(tmp_path / "run", actions=True)
    for row in frames.games.itertuples():
        again = replay(tmp_path / "run", row.game_id, toy_registry)
        steps = list(again)
        assert [s.index for s in steps] == list(range(row.decisions + 1))
        assert [s.action for s in steps[:-1]] == row.actions.tolist()
        assert steps[-1].action is None
        state = again.game.from_dict(again.game.to_dict(steps[0].state))
        for step, following in pairwise(steps):
            assert step.legal == again.game.legal_actions(state)
            assert step.seat == again.game.seat(state)
            again.game.apply(state, step.action)
            assert np.array_equal(state, following.state)
        if row.ended_by == "forfeit":
            assert steps[-1].legal
            assert again.result["fault"] == "exception"
            assert json.loads(again.result["fault_evidence"])["position"] == again.game.to_dict(state)
        else:
            assert steps[-1].legal == []
            assert again.game.ranks(state) == tuple(again.result["ranks"])


@pytest.mark.parametrize("game_id", ["fair+safe/0/9", "fair+safe", "x/y/z", "", "fair+safe/99999999999/0"])
def test_a_game_that_is_not_there_is_told(toy_config, play, toy_registry, tmp_path, game_id):
    play(toy_config("fair", "safe"), tmp_path / "run")
    with pytest.raises(UsageError, match=re.escape(f"no game {game_id!r}; ids look like fair+safe/0/0")):
        replay(tmp_path / "run", game_id, toy_registry)


def test_a_replay_by_other_rules_is_refused(toy_config, play, toy_registry, tmp_path):
    play(toy_config("fair", "safe"), tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    manifest["fixed"]["game_options"]["target"] = 3
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="is not legal: these rules are not those"):
        list(replay(tmp_path / "run", "fair+safe/0/0", toy_registry))


def test_a_damaged_shard_is_played_again(toy_config, play, tmp_path, small_shards):
    config = toy_config("safe", "x=interrupts", deals=40)
    play(config, tmp_path / "run")
    for _ in range(3):
        play(config, tmp_path / "run")
    shard = shard_paths(tmp_path / "run" / "games")[1]
    shard.write_bytes(shard.read_bytes()[:-20])
    assert play(config, tmp_path / "run").games == 8
    assert shard.with_name(shard.name + ".damaged").exists()
