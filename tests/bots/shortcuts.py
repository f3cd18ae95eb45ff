"""Run as a module without the JIT: the quick ways to value takes and reserves agree with playing them out."""

import sys

import numpy as np

from bots.greedy import Greedy
from bots.splendor_duel import choice
from bots.splendor_duel.evaluation import TARGETS_SIZE, list_targets
from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from harness.games.splendor_duel.legal import legal


def check(view: np.ndarray) -> int:
    """Compare all takes and reserves of one View; return how many."""
    weights = Greedy.weights.vector()
    player = st.PLAYERS + view[st.MOVER] * st.PLAYER_SIZE
    other = st.PLAYERS + (1 - view[st.MOVER]) * st.PLAYER_SIZE
    lists = (np.zeros(TARGETS_SIZE, dtype=np.int64), np.zeros(TARGETS_SIZE, dtype=np.int64))
    list_targets(view, player, weights, lists[0])
    list_targets(view, other, weights, lists[1])
    ids = np.zeros(tb.MAX_LEGAL + 1, dtype=np.int64)
    actions = [int(action) for action in ids[: legal(view, ids)]]
    trial, scratch = np.zeros_like(view), np.zeros(TARGETS_SIZE, dtype=np.int64)
    compared = 0
    for action in actions:
        if action < tb.PRIVILEGE:
            quick, _ = choice._best_take(view, np.array([action, -1]), weights, lists)
        elif tb.RESERVE <= action < tb.RESERVE_DECK:
            quick = choice._reserve_worth(view, action, weights, lists)
        else:
            continue
        full = choice._after(view, action, weights, trial, scratch)
        assert quick == full, f"{GAME.action_text(view, action)}: {quick} by the short way, {full} played out"
        compared += 1
    return compared


if __name__ == "__main__":
    views = np.load(sys.argv[1])
    print(sum(check(view) for view in views if view[st.PHASE] == st.MAIN))
