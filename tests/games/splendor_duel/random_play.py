"""Seeded random games in plain Python, for tests; run as a module it prints a digest of the first games."""

import hashlib
import sys
from collections.abc import Iterator
from random import Random

from harness.games.game import State
from harness.games.splendor_duel import GAME


def positions(seed: int, games: int) -> Iterator[tuple[State, list[int]]]:
    """Yield every position of some random games, with its legal actions; the last of a game has none."""
    for game in range(games):
        rng = Random(f"{seed} {game}")
        state = GAME.new(2, rng.getrandbits(128), GAME.options())
        while legal := GAME.legal_actions(state):
            yield state, legal
            GAME.apply(state, rng.choice(legal))
        yield state, legal


def digest(games: int) -> str:
    """Hash every legal action and every position of some random games."""
    found = hashlib.sha256()
    for state, legal in positions(7, games):
        found.update(repr(legal).encode() + state.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    print(digest(int(sys.argv[1])))
