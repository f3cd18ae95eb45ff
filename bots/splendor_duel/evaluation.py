"""How good a position of Splendor Duel is for one seat, compiled: standing, prospects, and what the opponent may do.

Works on Views: unknown cards are worth nothing and cost more than anyone can pay. Integers only.
"""

from pathlib import Path

from bots.splendor_duel.weights import (
    ABILITY_WORTH,
    BONUS_CURVE,
    BONUS_MAX,
    COLOR_CURVE,
    COLOR_MAX,
    CROWNS_CURVE,
    CROWNS_MAX,
    DENY_PERCENT,
    DISCOUNT,
    DISCOUNT_MAX,
    EXTRA_TURN,
    GOLD_WORTH,
    OUTLOOK,
    POINTS_CURVE,
    POINTS_MAX,
    RANK_PERCENT,
    ROYAL_WORTH,
    SAFETY_PERCENT,
    SAME_BONUS_CURVE,
    SCROLLS_CURVE,
    THREAT,
    TOKEN_WORTH,
)
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, hand_size, lane_sum, shortfall
from harness.games.splendor_duel.state import (
    BONUSES,
    COLOR_POINTS,
    CROWNS,
    MOVER,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    RESERVED,
    RESULT,
    ROYALS,
    SCROLLS,
    SLOTS,
    TOKENS,
)
from harness.games.splendor_duel.tables import (
    CARD_ABILITY,
    CARD_BONUS,
    CARD_BONUS_COUNT,
    CARD_CROWNS,
    CARD_POINTS,
    FOLDER,
    GOLD,
    IS_WILD,
    LANE,
    LANE_MASK,
    NUM_GEMS,
    NUM_RESERVED,
    NUM_SLOTS,
    PURCHASE_COST,
    ROYAL_CROWNS,
    ROYAL_POINTS,
    WIN_COLOR,
    WIN_CROWNS,
    WIN_POINTS,
)

kernel = compiler(FOLDER, Path(__file__).parent)

WIN = 1 << 40

# A list of targets, the cards a player may buy one day. First where it ends, and the worth of all that is no matter of
# tokens; then per card what it costs him in tokens, its worth to him, the part of that which is progress to victory,
# whether it wins, and where it lies (counted as BUY actions are).
END, BASE, FIRST_TARGET = 0, 1, 2
PRICE, WORTH, PRIZE, WINS, SLOT, TARGET_SIZE = 0, 1, 2, 3, 4, 5
TARGETS_SIZE = FIRST_TARGET + TARGET_SIZE * (NUM_SLOTS + NUM_RESERVED)

_BEST_ROYAL = int(ROYAL_POINTS.argmax())
_ROYAL_BEST_POINTS, _ROYAL_LEAST_POINTS = int(ROYAL_POINTS.max()), int(ROYAL_POINTS.min())


@kernel("int64(int64, int64)", inner=True)
def lane(lanes: int, color: int) -> int:
    return (lanes >> (LANE * color)) & LANE_MASK


@kernel("int64(int64[::1], int64)", inner=True)
def wild_color(s: Words, player: int) -> int:
    """Return the colour a wild card had best join: most points, then most bonuses; -1 without a bonus."""
    best, most = -1, -1
    for color in range(NUM_GEMS):
        bonus = lane(s[player + BONUSES], color)
        rank = bonus + (lane(s[player + COLOR_POINTS], color) << LANE)
        if bonus and rank > most:
            best, most = color, rank
    return best


@kernel("UniTuple(int64, 3)(int64[::1], int64, int64, int64, int64[::1])", inner=True)
def card_worth(s: Words, player: int, card: int, wild: int, w: Words) -> tuple[int, int, int]:
    """Return the worth of a card to a player, how much of it is progress to victory, and 1 if buying it wins.

    ``wild`` is the colour a wild card would join.
    """
    ability = CARD_ABILITY[card]
    points, crowns = CARD_POINTS[card], CARD_CROWNS[card]
    color = wild if ability & IS_WILD else CARD_BONUS[card]
    worth, prize, wins = w[ABILITY_WORTH + ability], 0, 0
    if color >= 0:
        before = lane(s[player + COLOR_POINTS], color)
        after = before + points
        wins |= int(after >= WIN_COLOR)
        prize += w[COLOR_CURVE + min(after, COLOR_MAX)] - w[COLOR_CURVE + min(before, COLOR_MAX)]
        held = lane(s[player + BONUSES], color)
        more = held + CARD_BONUS_COUNT[card]
        worth += w[SAME_BONUS_CURVE + min(more, BONUS_MAX)] - w[SAME_BONUS_CURVE + min(held, BONUS_MAX)]
        before = lane_sum(s[player + BONUSES])
        after = before + CARD_BONUS_COUNT[card]
        worth += w[BONUS_CURVE + min(after, BONUS_MAX)] - w[BONUS_CURVE + min(before, BONUS_MAX)]
    if crowns:
        before = s[player + CROWNS]
        after = before + crowns
        wins |= int(after >= WIN_CROWNS)
        prize += w[CROWNS_CURVE + min(after, CROWNS_MAX)] - w[CROWNS_CURVE + min(before, CROWNS_MAX)]
        if (before < ROYAL_CROWNS[0] <= after) or (before < ROYAL_CROWNS[1] <= after):
            worth += w[ROYAL_WORTH]
            points += _ROYAL_BEST_POINTS if (s[ROYALS] >> _BEST_ROYAL) & 1 else _ROYAL_LEAST_POINTS
    before = s[player + POINTS]
    after = before + points
    wins |= int(after >= WIN_POINTS)
    prize += w[POINTS_CURVE + min(after, POINTS_MAX)] - w[POINTS_CURVE + min(before, POINTS_MAX)]
    return worth + prize, prize, wins


@kernel("int64(int64[::1], int64, int64[::1])", inner=True)
def standing(s: Words, player: int, w: Words) -> int:
    """Return what a player has for good: points, crowns, points of each colour, bonuses."""
    worth = w[POINTS_CURVE + min(s[player + POINTS], POINTS_MAX)]
    worth += w[CROWNS_CURVE + min(s[player + CROWNS], CROWNS_MAX)]
    worth += w[BONUS_CURVE + min(lane_sum(s[player + BONUSES]), BONUS_MAX)]
    for color in range(NUM_GEMS):
        worth += w[COLOR_CURVE + min(lane(s[player + COLOR_POINTS], color), COLOR_MAX)]
        worth += w[SAME_BONUS_CURVE + min(lane(s[player + BONUSES], color), BONUS_MAX)]
    return worth


@kernel("void(int64[::1], int64, int64[::1], int64[::1])", inner=True)
def list_targets(s: Words, player: int, w: Words, targets: Words) -> None:
    """Write all cards that are worth something to a player into ``targets``, see above.

    The outlook is what these cards promise with bonuses alone: it grows when they become cheaper for good.
    """
    outlook = 0
    bonuses = s[player + BONUSES]
    can_join = int(bonuses != 0)
    wild = wild_color(s, player)
    end = FIRST_TARGET
    for slot in range(NUM_SLOTS + NUM_RESERVED):
        card = s[SLOTS + slot] if slot < NUM_SLOTS else s[player + RESERVED + slot - NUM_SLOTS]
        worth, prize, wins = card_worth(s, player, card, wild, w)
        if worth > 0 or wins:
            price = shortfall(PURCHASE_COST[can_join, card], bonuses)
            outlook += worth * w[OUTLOOK + min(lane_sum(price), DISCOUNT_MAX)]
            targets[end + PRICE] = price
            targets[end + WORTH] = worth if slot < NUM_SLOTS else worth + prize * w[SAFETY_PERCENT] // 100
            targets[end + PRIZE] = prize
            targets[end + WINS] = wins
            targets[end + SLOT] = slot
            end += TARGET_SIZE
    targets[END] = end
    targets[BASE] = standing(s, player, w) + outlook // 10_000


@kernel("int64(int64[::1], int64, int64, int64[::1])", inner=True)
def prospects(targets: Words, tokens: int, scrolls: int, w: Words) -> int:
    """Return what the best three targets promise to a holder of tokens: the less is missing, the more."""
    spare = (tokens >> (LANE * GOLD)) + scrolls
    first, second, third = 0, 0, 0
    for i in range(FIRST_TARGET, targets[END], TARGET_SIZE):
        missing = lane_sum(shortfall(targets[i + PRICE], tokens)) - spare
        hope = targets[i + WORTH] * w[DISCOUNT + min(max(missing, 0), DISCOUNT_MAX)]
        if hope > third:
            if hope > second:
                third = second
                if hope > first:
                    first, second = hope, first
                else:
                    second = hope
            else:
                third = hope
    return (first * w[RANK_PERCENT] + second * w[RANK_PERCENT + 1] + third * w[RANK_PERCENT + 2]) // 100_000


@kernel("int64(int64[::1], int64, int64, int64[::1])", inner=True)
def hand_worth(targets: Words, tokens: int, scrolls: int, w: Words) -> int:
    """Return what tokens and privileges are worth to a player with these targets. Never less with more tokens."""
    gold = tokens >> (LANE * GOLD)
    worth = prospects(targets, tokens, scrolls, w) + w[SCROLLS_CURVE + scrolls]
    return worth + hand_size(tokens) * w[TOKEN_WORTH] + gold * w[GOLD_WORTH]


@kernel("boolean(int64[::1], int64, int64)", inner=True)
def can_win(targets: Words, tokens: int, scrolls: int) -> bool:
    """Whether a player to move can buy a card that wins, with the help of his privileges."""
    spare = (tokens >> (LANE * GOLD)) + scrolls
    for i in range(FIRST_TARGET, targets[END], TARGET_SIZE):
        if targets[i + WINS] and lane_sum(shortfall(targets[i + PRICE], tokens)) <= spare:
            return True
    return False


@kernel("int64(int64[::1], int64, int64, int64[::1])", inner=True)
def danger(targets: Words, tokens: int, scrolls: int, w: Words) -> int:
    """Return what an opponent to move costs with these targets, tokens and privileges, above all if he can win."""
    cost = prospects(targets, tokens, scrolls, w) * w[DENY_PERCENT] // 100 + w[SCROLLS_CURVE + scrolls]
    return cost + (w[THREAT] if can_win(targets, tokens, scrolls) else 0)


@kernel("int64(int64[::1], int64, int64[::1], int64[::1])", inner=True)
def position_worth(s: Words, seat: int, w: Words, targets: Words) -> int:
    """Return the worth of a position between two turns for a seat; ``targets`` is scratch space."""
    if s[RESULT] == seat:
        return WIN
    player, other = PLAYERS + seat * PLAYER_SIZE, PLAYERS + (1 - seat) * PLAYER_SIZE
    list_targets(s, player, w, targets)
    worth = targets[BASE] + hand_worth(targets, s[player + TOKENS], s[player + SCROLLS], w)
    if s[MOVER] == seat:  # again: the opponent has to wait
        return worth + w[EXTRA_TURN] - w[SCROLLS_CURVE + s[other + SCROLLS]]
    list_targets(s, other, w, targets)
    return worth - danger(targets, s[other + TOKENS], s[other + SCROLLS], w)
