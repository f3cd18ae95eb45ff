"""The numbers of action sequences that the oracle counted once, counted again by the compiled core."""

import numba
import numpy as np
import pytest

from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from harness.games.splendor_duel.legal import legal
from harness.games.splendor_duel.rules import apply
from tests.games.splendor_duel.count_perft import perft, rows, start


@numba.njit("int64(int64[::1], int64)")
def compiled_perft(root, depth):
    """Count the sequences of ``depth`` actions, at least 1, without recursion."""
    states = np.zeros((depth, st.STATE_SIZE), np.int64)
    ids = np.zeros((depth, tb.MAX_LEGAL), np.int64)
    counts, tried = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    states[0] = root
    counts[0] = legal(states[0], ids[0])
    total = level = 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif tried[level] == counts[level]:
            level -= 1
        else:
            action = ids[level, tried[level]]
            tried[level] += 1
            states[level + 1] = states[level]
            level += 1
            apply(states[level], action)
            counts[level] = legal(states[level], ids[level])
            tried[level] = 0
    return total


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['name']}-{row['depth']}")
def test_perft(row):
    assert compiled_perft(start(row["source"]), int(row["depth"])) == int(row["count"])


def _recount(rows_to_count):
    wrong = [row for row in rows_to_count if _oracle_count(row) != int(row["count"])]
    assert wrong == []


def _oracle_count(row):
    return perft(GAME.to_dict(start(row["source"])), int(row["depth"]))


def test_small_stored_counts_are_the_oracles():
    small = [row for row in rows() if int(row["count"]) < 2_000]
    assert len(small) > 20
    _recount(small)


@pytest.mark.slow
def test_all_stored_counts_are_the_oracles():
    _recount(rows())


def test_perft_of_a_finished_game_is_nothing():
    position = {"phase": "over", "result": "turn_limit"}
    assert perft(GAME.to_dict(GAME.from_dict(position)), 1) == 0
    assert compiled_perft(GAME.from_dict(position), 2) == 0
