"""The specialist for 20 points in Splendor Duel: points_rusher."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class PointsRusher(WeightedBot):
    """Wants points wherever they are, royals included, and does not care for their colour.

    Crowns are only worth the royals they bring.
    """

    weights: ClassVar[Weights] = Weights(
        points=140,
        points_square=2,
        points_finish=1300,
        crowns=60,
    )
