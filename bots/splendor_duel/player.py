"""The base of the bots of Splendor Duel: a page of weights in, a Bot out."""

from typing import ClassVar

from bots.splendor_duel.weights import Weights
from harness.api import Bot, View


class WeightedBot(Bot):
    """Chooses the action whose position is worth most by its ``weights``; equals go to the lowest id, no luck in it."""

    weights: ClassVar[Weights]

    def __init__(self) -> None:
        from bots.splendor_duel.choice import choose  # here, so that listing bots compiles nothing

        self._choose = choose
        self._vector = self.weights.vector()

    def choose(self, view: View, legal: list[int]) -> int:  # noqa: ARG002
        return self._choose(view.array, self._vector)
