"""A sensible all-rounder of Splendor Duel: greedy."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class Greedy(WeightedBot):
    """Buys what helps most now: bonuses early, then points, crowns and colours as they come.

    Looks one decision ahead, keeps an eye on what the opponent could win with, and has no plan beyond that.
    """

    weights: ClassVar[Weights] = Weights(
        points=100,
        points_square=2,
        points_finish=1300,
        crowns=140,
        crowns_finish=1600,
        color=12,
        color_square=4,
        color_finish=2000,
    )
