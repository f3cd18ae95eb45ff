"""The base of the bots of Splendor Duel: a page of weights in, a Bot out."""

from functools import cache
from typing import ClassVar

from bots.splendor_duel.weights import Vector, Weights
from harness.api import Bot, View


@cache  # bots are made anew for every game
def _vector(weights: Weights) -> Vector:
    return weights.vector()


class WeightedBot(Bot):
    """Plays the action whose position is worth most by its ``weights``, the lowest id among equals: no luck in it."""

    weights: ClassVar[Weights]

    def __init__(self) -> None:
        from bots.splendor_duel.choice import choose  # here, so that listing bots compiles nothing

        self._best = choose
        self._vector = _vector(self.weights)

    def choose(self, view: View, legal: list[int]) -> int:  # noqa: ARG002
        return int(self._best(view.array, self._vector))
