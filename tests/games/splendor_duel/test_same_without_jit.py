"""The compiled rules and the same source run by Python play the same games, position by position."""

import os
import subprocess
import sys

from tests.games.splendor_duel.random_play import digest

GAMES = 200


def test_first_games_are_the_same_without_the_jit():
    command = [sys.executable, "-W", "error", "-m", "tests.games.splendor_duel.random_play", str(GAMES)]
    plain = subprocess.run(
        command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True, timeout=300
    )
    assert plain.stdout.strip() == digest(GAMES)
