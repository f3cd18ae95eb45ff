"""Games between bots of this package, for tests; run as a module it prints what the bots choose in some positions."""

import sys
from collections.abc import Iterator
from random import Random

import numpy as np

import bots
from harness.api import Bot, View
from harness.games.splendor_duel import GAME

SPECIALISTS = {"points_rusher": "points", "crown_rusher": "crowns", "color_rusher": "color"}
WEIGHTED = ("greedy", *SPECIALISTS)
FACTORIES: dict[str, type[Bot]] = {}
bots.register_bots(lambda name, factory, **_: FACTORIES.update({name: factory}))


def started(name: str, seat: int = 0, seed: int = 1) -> Bot:
    """Return a new bot that is ready to choose."""
    bot = FACTORIES[name]()
    bot.start(GAME, seat, seed)
    return bot


def play(names: tuple[str, str], deal: int) -> tuple[int, str]:
    """Play one game, names by seat; return the winning seat (-1 for a draw) and the victory type."""
    kernels = GAME.kernels
    buffer = kernels.new_buffer()
    state = buffer[kernels.STATE : kernels.view_offset]
    state[:] = GAME.new(2, deal, GAME.options())
    players = [started(name, seat, seed=1000 * deal + seat) for seat, name in enumerate(names)]
    count = kernels.step(buffer, kernels.START)
    while count:
        view = View(buffer[kernels.view_offset : kernels.legal_offset].tobytes(), int(buffer[kernels.SEAT]))
        legal = buffer[kernels.legal_offset : kernels.legal_offset + count].tolist()
        count = kernels.step(buffer, players[view.seat].choose(view, legal))
        assert count >= 0, f"{names[view.seat]} chose an illegal action in deal {deal}"
    ranks = GAME.ranks(state)
    return -1 if ranks[0] == ranks[1] else ranks.index(1), GAME.victory(state)[0]


def contest(name: str, other: str, blocks: int) -> tuple[float, dict[str, float]]:
    """Play each deal from both seats; return the score of ``name`` and the shares of its wins by victory type."""
    score, won = 0.0, dict.fromkeys(GAME.victory_types, 0)
    for deal in range(blocks):
        for seat in range(2):
            winner, kind = play((name, other) if seat == 0 else (other, name), deal)
            score += 0.5 if winner < 0 else winner == seat
            won[kind] += winner == seat
    wins = max(sum(won.values()), 1)
    return score / (2 * blocks), {kind: count / wins for kind, count in won.items()}


def positions(games: int, seed: int = 3) -> Iterator[tuple[View, list[int]]]:
    """Yield what the seat to move sees all along games in which every bot, random too, has a turn now and then."""
    rng = Random(seed)
    players = [started(name, seed=seed) for name in FACTORIES]
    for _ in range(games):
        state = GAME.new(2, rng.getrandbits(64), GAME.options())
        while legal := GAME.legal_actions(state):
            view = GAME.view(state, GAME.seat(state))
            yield view, legal
            GAME.apply(state, rng.choice(players).choose(view, legal))


def choices(file: str) -> str:
    """Return the choices of all weighted bots in the positions (rows of a .npy file) as text."""
    views = [View(row.tobytes(), 0) for row in np.load(file)]
    return "\n".join(f"{name} {[int(started(name).choose(view, [])) for view in views]}" for name in WEIGHTED)


if __name__ == "__main__":
    print(choices(sys.argv[1]))
