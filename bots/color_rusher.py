"""The specialist for ten points in one colour of Splendor Duel: color_rusher."""

from typing import ClassVar

from bots.splendor_duel.player import WeightedBot
from bots.splendor_duel.weights import Weights


class ColorRusher(WeightedBot):
    """Wants points of one colour: each makes the next of that colour worth more, so it stays with what it has begun.

    Other points lose their worth as they add up: 20 of them would end the game too soon. Its cards are few and dear, so
    it is more patient, holds more tokens, and minds more what becomes cheap and what the opponent may take.
    """

    weights: ClassVar[Weights] = Weights(
        color=30,
        color_square=25,
        color_finish=10_000,
        crowns_finish=500,
        points=30,
        points_square=-4,
        bonus_fade=20,
        patience=56,
        second=7,
        token=70,
        scroll=120,
        outlook=20,
        outlook_patience=30,
        deny=20,
        extra_turn=200,
    )
