"""The specialist for victory by crowns."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class CrownRusher(WeightedBot):
    """TODO."""

    weights: ClassVar[Weights] = Weights(crowns=350)
