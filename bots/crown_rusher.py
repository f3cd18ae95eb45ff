"""The specialist for ten crowns in Splendor Duel: crown_rusher."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class CrownRusher(WeightedBot):
    """Wants crowns, each one more than the one before, and buys other cards to pay for them.

    Points lose their worth as they add up: 20 of them would end the game too soon.
    """

    weights: ClassVar[Weights] = Weights(
        crowns=350,
        crowns_square=24,
        crowns_finish=10_000,
        points=30,
        points_square=-2,
        points_finish=1000,
        color_finish=700,
        royal=0,
    )
