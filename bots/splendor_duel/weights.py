"""The weights of a bot of Splendor Duel: a readable page of numbers, and the vector that compiled code reads.

One point on a card is worth about 100. All weights are ints, so choices are the same with and without the JIT.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Where each curve and number stands in the vector.
POINTS_CURVE, POINTS_MAX = 0, 31
CROWNS_CURVE, CROWNS_MAX = 32, 15
COLOR_CURVE, COLOR_MAX = 48, 15
BONUS_CURVE, SAME_BONUS_CURVE, BONUS_MAX = 64, 96, 31
DISCOUNT, DISCOUNT_MAX = 128, 15
SCROLLS_CURVE = 144  # 4 words
ABILITY_WORTH = 148  # 32 words, by the bits of an ability
ROYAL_WORTH = 180
SAFETY_PERCENT = 181
RANK_PERCENT = 182  # 3 words: how much the best, second and third prospect count
DENY_PERCENT = 186
TOKEN_WORTH = 187
GOLD_WORTH = 188
EXTRA_TURN = 189
BLIND_RESERVE = 190
REPLENISH_MARGIN = 191
REPLENISH_BELOW = 192
THREAT = 193
OUTLOOK = 195  # by the price left, like DISCOUNT
NUM_WORDS = 211

Vector = NDArray[np.int64]
_AGAIN, _TAKE_MATCHING, _STEAL, _PRIVILEGE, _WILD = 1, 2, 4, 8, 16
_WIN_POINTS, _WIN_CROWNS, _WIN_COLOR = 20, 10, 10


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What a bot wants. Roads to victory are its own matter; the other defaults served all bots well in many games.

    ``x`` points, crowns or points of one colour are worth ``x * linear + x * x * square``, plus ``finish`` at the goal.
    A positive square makes it pay to stay with what one has begun, a negative one to keep away from it.
    """

    points: int = 0
    points_square: int = 0
    points_finish: int = 0
    crowns: int = 0
    crowns_square: int = 0
    crowns_finish: int = 0
    color: int = 0
    color_square: int = 0
    color_finish: int = 0
    bonus: int = 500
    """The first bonus; each further one is worth ``bonus_fade`` less, and not less than nothing."""
    bonus_fade: int = 22
    same_bonus: int = 60
    """How much less each further bonus is worth than one before it of the same colour."""
    royal: int = 50
    """A royal, beside its points."""
    again: int = 200
    take_matching: int = 25
    steal: int = 80
    privilege: int = 30
    """These four: a card with the ability."""
    scroll: int = 80
    """The first privilege in hand; each further one is worth ``scroll_decline`` less."""
    scroll_decline: int = 6
    token: int = 50
    """Any token, whatever it is good for."""
    gold: int = 25
    """A gold one, beside that."""
    ready: int = 62
    """Percent of its worth that a card is worth when it can be bought but is not yet ..."""
    patience: int = 50
    """... and percent of that for each token still missing."""
    second: int = 12
    third: int = 10
    """Percent of the second and third best prospect; the best counts in full."""
    outlook: int = 10
    """Percent of the worth of all cards in sight that counts when bonuses alone pay for them ..."""
    outlook_patience: int = 35
    """... and percent of that for each token they still cost."""
    safety: int = 8
    """Percent by which progress to victory counts more when the card is safe in the own reserve."""
    deny: int = 10
    """Percent of the opponent's prospects that count against a position."""
    extra_turn: int = 300
    blind_reserve: int = -80
    """A card reserved unseen."""
    replenish_margin: int = 80
    """How much better than all else the best take must be on a refilled board ..."""
    replenish_below: int = 1
    """... which is looked at with fewer plain tokens than this on the board."""
    threat: int = 20_000
    """An opponent who can win next turn."""

    def vector(self) -> Vector:
        """Return the weights as compiled code reads them: int64, ``NUM_WORDS``."""
        vector: Any = np.zeros(NUM_WORDS, dtype=np.int64)
        curves = (
            (POINTS_CURVE, POINTS_MAX, _WIN_POINTS, self.points, self.points_square, self.points_finish),
            (CROWNS_CURVE, CROWNS_MAX, _WIN_CROWNS, self.crowns, self.crowns_square, self.crowns_finish),
            (COLOR_CURVE, COLOR_MAX, _WIN_COLOR, self.color, self.color_square, self.color_finish),
        )
        for first, last, goal, linear, square, finish in curves:
            for x in range(last + 1):
                reached = min(x, goal)
                vector[first + x] = linear * reached + square * reached * reached + (finish if x >= goal else 0)
        for x in range(1, BONUS_MAX + 1):
            step = max(self.bonus - self.bonus_fade * (x - 1), 0)
            vector[BONUS_CURVE + x] = vector[BONUS_CURVE + x - 1] + step
            vector[SAME_BONUS_CURVE + x] = vector[SAME_BONUS_CURVE + x - 1] - self.same_bonus * (x - 1)
        for x in range(1, 4):
            step = max(self.scroll - self.scroll_decline * (x - 1), 0)
            vector[SCROLLS_CURVE + x] = vector[SCROLLS_CURVE + x - 1] + step
        for first, start, patience in (
            (DISCOUNT, 10 * self.ready, self.patience),
            (OUTLOOK, 100 * self.outlook, self.outlook_patience),
        ):
            left = start
            for missing in range(DISCOUNT_MAX + 1):
                vector[first + missing] = left
                left = left * patience // 100
        for bits in range(32):
            abilities = (_AGAIN, self.again), (_TAKE_MATCHING, self.take_matching), (_STEAL, self.steal)
            abilities += ((_PRIVILEGE, self.privilege),)
            vector[ABILITY_WORTH + bits] = sum(worth for bit, worth in abilities if bits & bit)
        vector[ROYAL_WORTH] = self.royal
        vector[SAFETY_PERCENT] = self.safety
        vector[RANK_PERCENT : RANK_PERCENT + 3] = 100, self.second, self.third
        vector[DENY_PERCENT] = self.deny
        vector[TOKEN_WORTH] = self.token
        vector[GOLD_WORTH] = self.gold
        vector[EXTRA_TURN] = self.extra_turn
        vector[BLIND_RESERVE] = self.blind_reserve
        vector[REPLENISH_MARGIN] = self.replenish_margin
        vector[REPLENISH_BELOW] = self.replenish_below
        vector[THREAT] = self.threat
        return vector
