"""The specialist for victory by points."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class PointsRusher(WeightedBot):
    """TODO."""

    weights: ClassVar[Weights] = Weights(points_square=3)
