"""The one module a bot author imports."""

from collections.abc import Callable
from random import Random

from harness.games.game import Game, State, View
from harness.hookspecs import hookimpl
from harness.records import Result

__all__ = ["Bot", "Choose", "Game", "Random", "Result", "State", "View", "hookimpl"]

Choose = Callable[..., int]
"""A plain function is a bot too: ``choose(view, legal)`` or ``choose(view, legal, rng)`` with its own random.Random."""


class Bot:
    """Something that chooses an Action from a View. A new one is made for every game."""

    def start(self, game: Game, seat: int, seed: int) -> None:
        """Called once before the first decision; ``seed`` is this bot's own 63-bit seed for this game."""

    def choose(self, view: View, legal: list[int]) -> int:
        """Return one of the ints in ``legal`` (ascending, never empty)."""
        raise NotImplementedError("a Bot needs a choose(view, legal) method")

    def finish(self, result: Result) -> None:
        """Called once when the game is over. A fault comes without its evidence: others still play this deal."""
