"""The specialist for victory by color."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class ColorRusher(WeightedBot):
    """TODO."""

    weights: ClassVar[Weights] = Weights(color_square=25)
