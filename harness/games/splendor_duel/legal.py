"""Which actions are legal, compiled: sets of cells and lanes of tokens, no loops over what a mask can answer."""

import numpy as np
from numpy.typing import NDArray

from harness.games import luck
from harness.games.bits import lowest_bit, popcount
from harness.games.jit import compiler
from harness.games.splendor_duel.state import (
    BAG,
    BOARD,
    BONUSES,
    BOUGHT,
    CHOOSE_DISCARD,
    CHOOSE_GOLD,
    CHOOSE_MATCH,
    CHOOSE_PAYMENT,
    CHOOSE_ROYAL,
    CHOOSE_STEAL,
    CHOOSE_WILD,
    DECK_LEFT,
    FLAGS,
    MAIN,
    MOVER,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    REPLENISHED,
    RESERVED,
    ROYALS,
    SCROLLS,
    SLOTS,
    TO_PAY,
    TOKENS,
)
from harness.games.splendor_duel.tables import (
    BUY,
    CARD_BONUS,
    CELLS,
    DISCARD,
    FOLDER,
    GOLD,
    GOLD_CELL,
    LANE,
    LANE_MASK,
    MAIN_IDS,
    MATCH,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    NUM_GEMS,
    NUM_LEVELS,
    NUM_RESERVED,
    NUM_SLOTS,
    NUM_TOKENS,
    PAY_DONE,
    PAY_GOLD,
    PLAIN_LANES,
    PLAIN_TOP_BITS,
    PURCHASE_COST,
    REPLENISH,
    RESERVE,
    ROYAL,
    STEAL,
    WILD,
)

Words = NDArray[np.int64]
kernel = compiler(FOLDER)

_EVERY_OTHER_LANE = 0x00FF00FF00FF


@kernel("int64(int64, int64)", inner=True)
def shortfall(cost: int, have: int) -> int:
    """Return, per plain lane, how much ``have`` falls short of ``cost``."""
    difference = (cost | PLAIN_TOP_BITS) - (have & PLAIN_LANES)
    short = difference & PLAIN_TOP_BITS  # the top bit of a lane survives where cost >= have
    return difference & (short - (short >> 7))


@kernel("int64(int64)", inner=True)
def lane_sum(lanes: int) -> int:
    """Return the sum of six lanes (below 256)."""
    pairs = (lanes & _EVERY_OTHER_LANE) + ((lanes >> LANE) & _EVERY_OTHER_LANE)
    return (pairs + (pairs >> (2 * LANE)) + (pairs >> (4 * LANE))) & LANE_MASK


@kernel("int64(int64)", inner=True)
def hand_size(tokens: int) -> int:
    """Return the number of tokens in lanes, gold included."""
    return lane_sum(tokens & PLAIN_LANES) + (tokens >> (LANE * GOLD))


@kernel("int64(int64[::1], int64, int64)", inner=True)
def _affordable(s: Words, player: int, tokens: int) -> int:
    """Return the mask of cards (pyramid slots, then own reserve) a player holding ``tokens`` can buy [duel 7].

    A wild card needs a bonus to join [duel 8]. No branches: random positions would make them all mispredicted.
    """
    gold, bonuses = tokens >> (LANE * GOLD), s[player + BONUSES]
    have = (tokens & PLAIN_LANES) + bonuses
    can_join = int(bonuses != 0)
    mask = 0
    for slot in range(NUM_SLOTS):
        missing = lane_sum(shortfall(PURCHASE_COST[can_join, s[SLOTS + slot]], have))
        mask |= int(missing <= gold) << slot
    for place in range(NUM_RESERVED):
        missing = lane_sum(shortfall(PURCHASE_COST[can_join, s[player + RESERVED + place]], have))
        mask |= int(missing <= gold) << (NUM_SLOTS + place)
    return mask


@kernel("int64(int64[::1])", inner=True)
def plain_cells(s: Words) -> int:
    """Return the cells that hold a gem or a pearl."""
    return s[BOARD] | s[BOARD + 1] | s[BOARD + 2] | s[BOARD + 3] | s[BOARD + 4] | s[BOARD + 5]


@kernel("int64(int64[::1], int64)", inner=True)
def free_place(s: Words, player: int) -> int:
    """Return the first free place of a player's reserve, or -1."""
    for place in range(NUM_RESERVED):
        if s[player + RESERVED + place] == 0:
            return place
    return -1


@kernel("int64(int64[::1])", inner=True)
def _reservable(s: Words) -> int:
    """Return the mask of cards to reserve: pyramid slots, then deck tops."""
    mask = 0
    for slot in range(NUM_SLOTS):
        mask |= int(s[SLOTS + slot] != 0) << slot
    for level in range(NUM_LEVELS):
        mask |= int(s[DECK_LEFT + level] != 0) << (NUM_SLOTS + level)
    return mask


@kernel("int64(int64[::1], int64, int64, boolean)", inner=True)
def _privilege_cells(s: Words, player: int, plain: int, can_reserve: bool) -> int:
    """Return the cells a privilege may be used on [duel 4.1, 11.1].

    The last plain token may not be taken when that would leave nothing mandatory to do: no reserve now or after
    a forced replenish, no plain token in the bag, no card to buy with it.
    """
    if s[player + SCROLLS] == 0 or s[FLAGS] & REPLENISHED:
        return 0
    if plain & (plain - 1) == 0 and plain and s[BAG] & PLAIN_LANES == 0 and not can_reserve:
        if s[BAG] and free_place(s, player) >= 0:
            return plain
        color = 0
        while s[BOARD + color] & plain == 0:
            color += 1
        if _affordable(s, player, s[player + TOKENS] + (1 << (LANE * color))) == 0:
            return 0
    return plain


@kernel("UniTuple(int64, 6)(int64[::1], int64)", inner=True)
def main_masks(s: Words, player: int) -> tuple[int, int, int, int, int, int]:
    """Return the legal main choices as six masks; MAIN_IDS gives the action of each bit, in ascending order.

    Lines [duel 5] are named by their anchor: a shifted copy of the plain cells says which anchors have a plain
    neighbour in a direction. Two sets of cells share a mask, so that fewer loops read them.
    """
    plain = plain_cells(s)
    row2 = plain & (plain >> 1) & NOT_LAST_COLUMN
    column2 = plain & (plain >> 5)
    down2 = plain & (plain >> 6) & NOT_LAST_COLUMN
    up2 = plain & (plain >> 4) & NOT_FIRST_COLUMN
    row3, column3, down3, up3 = row2 & (row2 >> 1), column2 & (column2 >> 5), down2 & (down2 >> 6), up2 & (up2 >> 4)
    can_reserve = s[BOARD + GOLD] != 0 and free_place(s, player) >= 0
    cards = int(s[BAG] != 0 and not s[FLAGS] & REPLENISHED)
    if can_reserve:
        cards |= _reservable(s) << (RESERVE - REPLENISH)
    cards |= _affordable(s, player, s[player + TOKENS]) << (BUY - REPLENISH)
    return (
        plain | (row2 << CELLS),
        column2 | (down2 << CELLS),
        up2 | (row3 << CELLS),
        column3 | (down3 << CELLS),
        up3 | (_privilege_cells(s, player, plain, can_reserve) << CELLS),
        cards,
    )


@kernel("int64(int64)", inner=True)
def lanes_held(lanes: int) -> int:
    """Return the mask of the colours whose lane is not empty."""
    mask = 0
    for color in range(NUM_TOKENS):
        mask |= int((lanes >> (LANE * color)) & LANE_MASK != 0) << color
    return mask


@kernel("UniTuple(int64, 2)(int64[::1], int64)", inner=True)
def sub_choices(s: Words, player: int) -> tuple[int, int]:
    """Return the legal choices of a phase other than MAIN: a mask and the action of its bit 0."""
    phase = s[PHASE]
    if phase == CHOOSE_DISCARD:
        return lanes_held(s[player + TOKENS]), DISCARD
    if phase == CHOOSE_GOLD:
        return s[BOARD + GOLD], GOLD_CELL
    if phase == CHOOSE_PAYMENT:
        return lanes_held(s[TO_PAY] & PLAIN_LANES) | (1 << (PAY_DONE - PAY_GOLD)), PAY_GOLD
    if phase == CHOOSE_WILD:
        return lanes_held(s[player + BONUSES]), WILD
    if phase == CHOOSE_MATCH:
        return s[BOARD + CARD_BONUS[s[BOUGHT]]], MATCH
    if phase == CHOOSE_STEAL:
        return lanes_held(s[PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE + TOKENS] & PLAIN_LANES), STEAL
    if phase == CHOOSE_ROYAL:
        return s[ROYALS], ROYAL
    return 0, 0


@kernel("int64(int64[::1], int64[::1])")
def legal(s: Words, out: Words) -> int:
    """Write the ids of all legal actions into ``out`` (MAX_LEGAL words), ascending; return how many, 0 when over."""
    player = PLAYERS + s[MOVER] * PLAYER_SIZE
    n = 0
    if s[PHASE] == MAIN:
        masks = main_masks(s, player)
        for i in range(len(masks)):
            mask = masks[i]
            while mask:
                out[n] = MAIN_IDS[i, lowest_bit(mask)]
                n += 1
                mask &= mask - 1
        return n
    mask, first = sub_choices(s, player)
    while mask:
        out[n] = first + lowest_bit(mask)
        n += 1
        mask &= mask - 1
    return n


@kernel("int64(int64, int64)", inner=True)
def _nth_bit(mask: int, n: int) -> int:
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel("UniTuple(int64, 5)(int64[::1], int64, int64, int64, int64)", inner=True)
def random_action(s: Words, a: int, b: int, c: int, k: int) -> tuple[int, int, int, int, int]:
    """Return the generator after one step and a uniformly random legal action, -1 when the game is over.

    The same choice as an index drawn into the list of ``legal``, without writing the list.
    """
    player = PLAYERS + s[MOVER] * PLAYER_SIZE
    if s[PHASE] == MAIN:
        masks = main_masks(s, player)
        n = 0
        for i in range(len(masks)):
            n += popcount(masks[i])
        a, b, c, k, pick = luck.below(a, b, c, k, n)
        i = 0
        while pick >= popcount(masks[i]):
            pick -= popcount(masks[i])
            i += 1
        return a, b, c, k, MAIN_IDS[i, _nth_bit(masks[i], pick)]
    mask, first = sub_choices(s, player)
    if mask == 0:
        return a, b, c, k, -1
    a, b, c, k, pick = luck.below(a, b, c, k, popcount(mask))
    return a, b, c, k, first + _nth_bit(mask, pick)


assert MATCH - WILD == NUM_GEMS
