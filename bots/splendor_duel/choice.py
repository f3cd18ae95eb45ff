"""From the worth of positions to an action, compiled: the best of all legal ones, the lowest id among equals.

Sub-choices are tried one by one and the rest of the turn is settled by simple rules. Of the main choices, takes are
valued by the tokens alone; privileges only as part of a purchase they make possible; a replenish by a refilled board
that is made up, since a View holds no luck.
"""

from pathlib import Path

import numpy as np

from bots.splendor_duel.evaluation import (
    BASE,
    END,
    FIRST_TARGET,
    PRICE,
    PRIZE,
    SLOT,
    TARGET_SIZE,
    TARGETS_SIZE,
    WINS,
    WORTH,
    danger,
    hand_worth,
    lane,
    list_targets,
    position_worth,
    wild_color,
)
from bots.splendor_duel.weights import BLIND_RESERVE, REPLENISH_BELOW, REPLENISH_MARGIN, SAFETY_PERCENT
from harness.games.bits import lowest_bit, popcount
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, hand_size, lane_sum, legal, plain_cells, shortfall
from harness.games.splendor_duel.rules import apply
from harness.games.splendor_duel.state import (
    BOARD,
    BOUGHT,
    CHOOSE_DISCARD,
    CHOOSE_GOLD,
    CHOOSE_MATCH,
    CHOOSE_ROYAL,
    CHOOSE_STEAL,
    CHOOSE_WILD,
    FLAGS,
    MAIN,
    MOVER,
    OVER,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    POOL,
    REPLENISHED,
    ROYALS,
    SCROLLS,
    STATE_SIZE,
    TOKENS,
)
from harness.games.splendor_duel.tables import (
    BUY,
    CARD_BONUS,
    DISCARD,
    FOLDER,
    GOLD,
    GOLD_CELL,
    HAND_LIMIT,
    LANE,
    MATCH,
    MAX_LEGAL,
    NUM_GEMS,
    NUM_PLAIN,
    NUM_ROYALS,
    NUM_SCROLLS,
    NUM_TOKENS,
    PAY_DONE,
    PEARL,
    PRIVILEGE,
    REPLENISH,
    RESERVE,
    RESERVE_DECK,
    ROYAL,
    ROYAL_POINTS,
    STEAL,
    TAKE_CELLS,
    WILD,
)

kernel = compiler(FOLDER, Path(__file__).parent)

_LOWEST = -(1 << 60)
_KEY_BITS = 2  # a take gains 0 to 3 of each colour
_SEEN_WORDS = 1 << (_KEY_BITS * NUM_PLAIN - 6)
_GOLD_TOKEN = 1 << (LANE * GOLD)


@kernel("int64(int64[::1], int64, int64, int64[::1])", inner=True)
def cheapest_discard(targets: Words, tokens: int, scrolls: int, w: Words) -> int:
    """Return the colour that is missed least."""
    best, color = _LOWEST, 0
    for c in range(NUM_TOKENS):
        if lane(tokens, c):
            worth = hand_worth(targets, tokens - (1 << (LANE * c)), scrolls, w)
            if worth > best:
                best, color = worth, c
    return color


@kernel("int64(int64[::1], int64, int64, int64[::1])", inner=True)
def _hand_after_discards(targets: Words, tokens: int, scrolls: int, w: Words) -> int:
    while hand_size(tokens) > HAND_LIMIT:
        tokens -= 1 << (LANE * cheapest_discard(targets, tokens, scrolls, w))
    return hand_worth(targets, tokens, scrolls, w)


@kernel("int64(int64[::1], int64[::1], int64[::1])", inner=True)
def _usual(s: Words, w: Words, targets: Words) -> int:
    """Return the action by which a pending sub-choice is settled; it never misses a win."""
    phase = s[PHASE]
    player, other = PLAYERS + s[MOVER] * PLAYER_SIZE, PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    if phase == CHOOSE_GOLD:
        return GOLD_CELL + lowest_bit(s[BOARD + GOLD])
    if phase == CHOOSE_WILD:
        return WILD + wild_color(s, player)
    if phase == CHOOSE_MATCH:
        return MATCH + lowest_bit(s[BOARD + CARD_BONUS[s[BOUGHT]]])
    if phase == CHOOSE_ROYAL:
        best = lowest_bit(s[ROYALS])
        for royal in range(NUM_ROYALS):
            if (s[ROYALS] >> royal) & 1 and ROYAL_POINTS[royal] > ROYAL_POINTS[best]:
                best = royal
        return ROYAL + best
    if phase == CHOOSE_STEAL:
        best = PEARL  # if he has one, else what he has most of
        for color in range(NUM_GEMS):
            if not lane(s[other + TOKENS], PEARL) and lane(s[other + TOKENS], color) > lane(s[other + TOKENS], best):
                best = color
        return STEAL + best
    if phase == CHOOSE_DISCARD:
        list_targets(s, player, w, targets)
        return DISCARD + cheapest_discard(targets, s[player + TOKENS], s[player + SCROLLS], w)
    return PAY_DONE


@kernel("int64(int64[::1], int64, int64[::1], int64[::1], int64[::1])", inner=True)
def _after(s: Words, action: int, w: Words, trial: Words, targets: Words) -> int:
    """Return the worth of an action for the mover, the rest of his turn settled by usual sub-choices."""
    seat = s[MOVER]
    trial[:] = s
    apply(trial, action)
    while trial[PHASE] != MAIN and trial[PHASE] != OVER:
        apply(trial, _usual(trial, w, targets))
    return position_worth(trial, seat, w, targets)


@kernel("UniTuple(int64, 3)(int64[::1], int64)", inner=True)
def _gain(s: Words, cells: int) -> tuple[int, int, int]:
    """Return the tokens that lie on some cells as lanes, the same as a short key, and 1 if taking them is penalized."""
    gained, key = 0, 0
    penalized = popcount(s[BOARD + PEARL] & cells) == 2
    for color in range(NUM_PLAIN):
        count = popcount(s[BOARD + color] & cells)
        gained += count << (LANE * color)
        key += count << (_KEY_BITS * color)
        penalized |= count == 3
    return gained, key, int(penalized)


@kernel("UniTuple(int64, 2)(int64[::1], int64[::1], int64[::1], UniTuple(int64[::1], 2))", inner=True)
def _best_take(s: Words, ids: Words, w: Words, lists: tuple[Words, Words]) -> tuple[int, int]:
    """Return the worth and id of the best take among ``ids`` (all legal main choices, then -1); -1 if there is none.

    ``lists`` are the targets of the mover and of his opponent. Each set of tokens is valued once.
    """
    player, other = PLAYERS + s[MOVER] * PLAYER_SIZE, PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    mine, theirs = lists
    scrolls, given, tokens = s[player + SCROLLS], s[other + SCROLLS], s[player + TOKENS]
    base = mine[BASE]
    rest = base - danger(theirs, s[other + TOKENS], given, w)
    left = scrolls  # after a penalty
    if s[POOL]:
        given += 1
    elif given < NUM_SCROLLS:
        left, given = scrolls - 1, given + 1
    rest_then = base - danger(theirs, s[other + TOKENS], given, w)
    seen = np.zeros(_SEEN_WORDS, dtype=np.int64)
    best, choice = _LOWEST, -1
    for action in ids:
        if action < 0 or action >= PRIVILEGE:
            break
        gained, key, penalized = _gain(s, TAKE_CELLS[action])
        if (seen[key >> 6] >> (key & 63)) & 1:
            continue
        seen[key >> 6] |= 1 << (key & 63)
        fixed, scrolls_then = (rest_then, left) if penalized else (rest, scrolls)
        worth = fixed + hand_worth(mine, tokens + gained, scrolls_then, w)
        if worth > best and hand_size(tokens + gained) > HAND_LIMIT:
            worth = fixed + _hand_after_discards(mine, tokens + gained, scrolls_then, w)
        if worth > best:
            best, choice = worth, action
    return best, choice


@kernel("int64(int64[::1], int64)", inner=True)
def _find(targets: Words, slot: int) -> int:
    """Return where the target of a slot stands in a list, or -1."""
    for i in range(FIRST_TARGET, targets[END], TARGET_SIZE):
        if targets[i + SLOT] == slot:
            return i
    return -1


@kernel("int64(int64[::1], int64, int64[::1], UniTuple(int64[::1], 2))", inner=True)
def _reserve_worth(s: Words, action: int, w: Words, lists: tuple[Words, Words]) -> int:
    """Return the worth of a reserve: one gold more, and the card safe for the mover and lost to his opponent."""
    player, other = PLAYERS + s[MOVER] * PLAYER_SIZE, PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    mine, theirs = lists
    own, lost = _find(mine, action - RESERVE), _find(theirs, action - RESERVE)
    worth, their_worth, their_win = 0, 0, 0
    if own >= 0:
        worth = mine[own + WORTH]
        mine[own + WORTH] = worth + mine[own + PRIZE] * w[SAFETY_PERCENT] // 100
    if lost >= 0:
        their_worth, their_win = theirs[lost + WORTH], theirs[lost + WINS]
        theirs[lost + WORTH], theirs[lost + WINS] = 0, 0
    total = mine[BASE] - danger(theirs, s[other + TOKENS], s[other + SCROLLS], w)
    total += _hand_after_discards(mine, s[player + TOKENS] + _GOLD_TOKEN, s[player + SCROLLS], w)
    if own >= 0:
        mine[own + WORTH] = worth
    if lost >= 0:
        theirs[lost + WORTH], theirs[lost + WINS] = their_worth, their_win
    return total + (w[BLIND_RESERVE] if action >= RESERVE_DECK else 0)


@kernel("int64(int64[::1], int64[::1], int64, int64[::1])", inner=True)
def _help(helped: Words, targets: Words, i: int, s: Words) -> int:
    """Make ``helped`` the position ``s`` after the privileges that pay for target i; return the first, or -1."""
    player = PLAYERS + s[MOVER] * PLAYER_SIZE
    short = shortfall(targets[i + PRICE], s[player + TOKENS])
    missing = lane_sum(short) - (s[player + TOKENS] >> (LANE * GOLD))
    if missing <= 0 or missing > s[player + SCROLLS]:
        return -1
    helped[:] = s
    first = -1
    for color in range(NUM_PLAIN - 1, -1, -1):  # pearls first: gold is for what is easier to find
        while missing and lane(short, color) and helped[BOARD + color]:
            action = PRIVILEGE + lowest_bit(helped[BOARD + color])
            first = action if first < 0 else first
            apply(helped, action)
            short -= 1 << (LANE * color)
            missing -= 1
    return first if missing == 0 else -1


@kernel("UniTuple(int64, 2)(int64[::1], int64[::1], int64[::1], int64[::1])", inner=True)
def _best_helped_purchase(s: Words, w: Words, mine: Words, trial: Words) -> tuple[int, int]:
    """Return the worth and first privilege of the best purchase that privileges make possible; -1 if there is none."""
    best, choice = _LOWEST, -1
    if s[PLAYERS + s[MOVER] * PLAYER_SIZE + SCROLLS] == 0 or s[FLAGS] & REPLENISHED:
        return best, choice
    helped = np.empty(STATE_SIZE, dtype=np.int64)
    targets = np.empty(TARGETS_SIZE, dtype=np.int64)
    for i in range(FIRST_TARGET, mine[END], TARGET_SIZE):
        first = _help(helped, mine, i, s)
        if first >= 0:
            worth = _after(helped, BUY + mine[i + SLOT], w, trial, targets)
            if worth > best:
                best, choice = worth, first
    return best, choice


@kernel("int64(int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])", inner=True)
def _main_choice(s: Words, ids: Words, w: Words, trial: Words, targets: Words) -> int:
    """Return the best main choice; ``ids`` are all legal ones, then -1."""
    lists = (np.empty(TARGETS_SIZE, dtype=np.int64), np.empty(TARGETS_SIZE, dtype=np.int64))
    list_targets(s, PLAYERS + s[MOVER] * PLAYER_SIZE, w, lists[0])
    list_targets(s, PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE, w, lists[1])
    best, choice = _best_take(s, ids, w, lists)
    can_replenish = False
    for action in ids:
        if action < 0:
            break
        if action < REPLENISH or RESERVE_DECK < action < BUY:  # one deck's top is as good as another's
            continue
        if action == REPLENISH:
            can_replenish = True
            continue
        worth = _reserve_worth(s, action, w, lists) if action < BUY else _after(s, action, w, trial, targets)
        if worth > best:
            best, choice = worth, action
    worth, action = _best_helped_purchase(s, w, lists[0], trial)
    if worth > best:
        best, choice = worth, action
    if can_replenish and (choice < 0 or popcount(plain_cells(s)) < w[REPLENISH_BELOW]):
        trial[:] = s
        apply(trial, REPLENISH)
        ids[legal(trial, ids)] = -1
        list_targets(trial, PLAYERS + s[MOVER] * PLAYER_SIZE, w, lists[0])
        list_targets(trial, PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE, w, lists[1])
        worth, _ = _best_take(trial, ids, w, lists)
        if choice < 0 or worth - w[REPLENISH_MARGIN] > best:
            choice = REPLENISH
    return choice


@kernel("int64(int64[::1], int64[::1])")
def choose(s: Words, w: Words) -> int:
    """Return the best legal action of the View (or State) ``s`` for its mover by the weights ``w``."""
    ids = np.empty(MAX_LEGAL + 1, dtype=np.int64)
    count = legal(s, ids)
    if count == 1:
        return ids[0]
    trial = np.empty(STATE_SIZE, dtype=np.int64)
    targets = np.empty(TARGETS_SIZE, dtype=np.int64)
    ids[count] = -1
    if s[PHASE] == MAIN:
        return _main_choice(s, ids, w, trial, targets)
    best, choice = _LOWEST, ids[0]
    for action in ids[:count]:
        worth = _after(s, action, w, trial, targets)
        if worth > best:
            best, choice = worth, action
    return choice
