"""What every bot of this package keeps to: legal, deterministic, honest, and the same with and without the JIT."""

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from random import Random

import numpy as np
import pytest

from harness.games.game import View
from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from tests import high_card
from tests.bots.play import FACTORIES, WEIGHTED, choices, play, positions, started


@pytest.fixture(scope="module")
def some_positions() -> list[tuple[View, list[int]]]:
    """Thousands of positions of mixed games, and among them every phase."""
    found = list(positions(40))
    assert len(found) > 3_000
    assert {int(view.array[st.PHASE]) for view, _ in found} == set(range(st.OVER))
    return found


def test_five_bots_are_registered():
    assert list(FACTORIES) == ["random", "greedy", "points_rusher", "crown_rusher", "color_rusher"]


@pytest.mark.parametrize("name", FACTORIES)
def test_chooses_a_legal_action_and_leaves_the_view_alone(name, some_positions):
    bot = started(name)
    for view, legal in some_positions:
        before = view.array.tobytes()
        action = bot.choose(view, list(legal))
        assert type(action) is int
        assert action in legal, GAME.show(view)
        assert view.array.tobytes() == before


@pytest.mark.parametrize("name", FACTORIES)
def test_the_same_seed_gives_the_same_choices(name, some_positions):
    first, second = started(name, seed=5), started(name, seed=5)
    assert [first.choose(*position) for position in some_positions] == [
        second.choose(*position) for position in some_positions
    ]


@pytest.mark.parametrize("name", WEIGHTED)
def test_nothing_is_kept_from_one_decision_to_the_next(name, some_positions):
    sample = some_positions[::7]
    bot, backwards = started(name), started(name)
    forth = [bot.choose(*position) for position in sample]
    back = [backwards.choose(*position) for position in reversed(sample)]
    assert forth == back[::-1]


@pytest.mark.parametrize("name", WEIGHTED)
def test_hidden_cards_and_luck_do_not_matter(name, some_positions):
    """Another true state behind the same View gives the same choice."""
    rng = Random(8)
    for view, legal in some_positions[::5]:
        redealt = GAME.view(GAME.sample(view, rng.getrandbits(64)), view.seat)
        assert redealt == view
        assert started(name).choose(redealt, legal) == started(name).choose(view, legal)


def run_without_jit(module: str, arrays: list[np.ndarray], folder: Path) -> str:
    """Run a test module on some positions by plain Python; return what it prints."""
    file = folder / "positions.npy"
    np.save(file, np.stack(arrays))
    command = [sys.executable, "-W", "error", "-m", module, str(file)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_choices_are_the_same_without_the_jit(some_positions, tmp_path):
    by_phase = defaultdict(list)
    for view, _ in some_positions[::3]:
        by_phase[int(view.array[st.PHASE])].append(view.array)
    sample = [array for arrays in by_phase.values() for array in arrays[:12]]
    assert len(sample) > 80
    assert run_without_jit("tests.bots.play", sample, tmp_path) == choices(str(tmp_path / "positions.npy"))


def test_the_short_ways_to_value_takes_and_reserves_are_exact(some_positions, tmp_path):
    sample = [view.array for view, _ in some_positions[::80]]
    assert int(run_without_jit("tests.bots.shortcuts", sample, tmp_path)) > 500


def test_random_is_uniform_and_plays_any_game():
    bot = FACTORIES["random"]()
    bot.start(high_card.GAME, 0, 12)
    state = high_card.GAME.new(2, 1, high_card.Options())
    view = high_card.GAME.view(state, 0)
    counts = np.bincount([bot.choose(view, [0, 1, 2, 3]) for _ in range(4_000)])
    assert counts.min() > 880
    assert counts.max() < 1_120


def test_random_has_its_own_seed(some_positions):
    def line(seed):
        bot = started("random", seed=seed)
        return [bot.choose(*position) for position in some_positions[:50]]

    assert line(1) == line(1) != line(2)


def test_a_whole_game_is_the_same_again():
    assert [play(("greedy", "crown_rusher"), deal) for deal in range(5)] == [
        play(("greedy", "crown_rusher"), deal) for deal in range(5)
    ]
