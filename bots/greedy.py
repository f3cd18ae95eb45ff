"""A sensible all-rounder of Splendor Duel."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class Greedy(WeightedBot):
    """Takes what helps most now: cheap bonuses first, then points by whatever road is nearest."""

    weights: ClassVar[Weights] = Weights()
