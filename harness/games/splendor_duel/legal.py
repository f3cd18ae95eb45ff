"""Which actions are legal, compiled: sets of cells and lanes of tokens, no loops over what a mask can answer."""

import numpy as np
from numpy.typing import NDArray

from harness.games.bits import lowest_bit
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
    ALL_CELLS,
    BUY,
    BUY_RESERVED,
    CARD_ABILITY,
    CARD_BONUS,
    CARD_COST,
    DISCARD,
    FOLDER,
    GOLD,
    GOLD_CELL,
    IS_WILD,
    LANE,
    LANE_MASK,
    MATCH,
    NOT_FIRST_COLUMN,
    NOT_LAST_COLUMN,
    NUM_GEMS,
    NUM_LEVELS,
    NUM_PLAIN,
    NUM_RESERVED,
    NUM_SLOTS,
    NUM_TOKENS,
    PAIR_IDS,
    PAY_DONE,
    PAY_GOLD,
    PLAIN_LANES,
    PLAIN_TOP_BITS,
    PRIVILEGE,
    REPLENISH,
    RESERVE,
    RESERVE_DECK,
    ROYAL,
    STEAL,
    TAKE,
    TRIPLE_IDS,
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


@kernel("boolean(int64, int64, int64, int64)", inner=True)
def _affordable(card: int, tokens: int, bonuses: int, gold: int) -> bool:
    """Whether a card (or 0) can be paid, with bonuses and gold [duel 7]; a wild one needs a bonus to join [duel 8]."""
    if CARD_ABILITY[card] & IS_WILD and bonuses == 0:
        return False
    return lane_sum(shortfall(CARD_COST[card], tokens + bonuses)) <= gold


@kernel("boolean(int64[::1], int64, int64)", inner=True)
def _can_buy_anything(s: Words, player: int, tokens: int) -> bool:
    """Whether a player holding ``tokens`` could buy any card."""
    plain, gold, bonuses = tokens & PLAIN_LANES, tokens >> (LANE * GOLD), s[player + BONUSES]
    for slot in range(NUM_SLOTS):
        if _affordable(s[SLOTS + slot], plain, bonuses, gold):
            return True
    for place in range(NUM_RESERVED):  # noqa: SIM110 - kernels know no any()
        if _affordable(s[player + RESERVED + place], plain, bonuses, gold):
            return True
    return False


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


@kernel("int64(int64[::1], int64, int64, int64)", inner=True)
def _put_bits(out: Words, n: int, mask: int, base: int) -> int:
    """Append ``base`` + the index of every bit of a mask."""
    while mask:
        out[n] = base + lowest_bit(mask)
        n += 1
        mask &= mask - 1
    return n


@kernel("int64(int64[::1], int64, int64, int64)", inner=True)
def _put_lanes(out: Words, n: int, lanes: int, base: int) -> int:
    """Append ``base`` + the colour of every lane that is not empty."""
    for color in range(NUM_TOKENS):
        if (lanes >> (LANE * color)) & LANE_MASK:
            out[n] = base + color
            n += 1
    return n


@kernel("int64(int64[::1], int64, int64)", inner=True)
def _put_takes(out: Words, n: int, plain: int) -> int:
    """Append the straight lines of one, two and three neighbours [duel 5].

    A line is named by its anchor: a shifted copy of the set says which anchors have a plain neighbour in a direction.
    """
    pairs = (
        plain & (plain >> 1) & NOT_LAST_COLUMN,
        plain & (plain >> 5),
        plain & (plain >> 6) & NOT_LAST_COLUMN,
        plain & (plain >> 4) & NOT_FIRST_COLUMN,
    )
    steps = (1, 5, 6, 4)
    n = _put_bits(out, n, plain, TAKE)
    for direction in range(4):
        anchors = pairs[direction]
        while anchors:
            out[n] = PAIR_IDS[direction, lowest_bit(anchors)]
            n += 1
            anchors &= anchors - 1
    for direction in range(4):
        anchors = pairs[direction] & (pairs[direction] >> steps[direction])
        while anchors:
            out[n] = TRIPLE_IDS[direction, lowest_bit(anchors)]
            n += 1
            anchors &= anchors - 1
    return n


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
        if not _can_buy_anything(s, player, s[player + TOKENS] + (1 << (LANE * color))):
            return 0
    return plain


@kernel("int64(int64[::1], int64[::1], int64)", inner=True)
def _legal_main(s: Words, out: Words, player: int) -> int:
    plain = plain_cells(s)
    can_reserve = s[BOARD + GOLD] != 0 and free_place(s, player) >= 0
    n = _put_takes(out, 0, plain)
    n = _put_bits(out, n, _privilege_cells(s, player, plain, can_reserve), PRIVILEGE)
    if s[BAG] and not s[FLAGS] & REPLENISHED:
        out[n] = REPLENISH
        n += 1
    if can_reserve:
        for slot in range(NUM_SLOTS):
            if s[SLOTS + slot]:
                out[n] = RESERVE + slot
                n += 1
        for level in range(NUM_LEVELS):
            if s[DECK_LEFT + level]:
                out[n] = RESERVE_DECK + level
                n += 1
    tokens, bonuses = s[player + TOKENS] & PLAIN_LANES, s[player + BONUSES]
    gold = s[player + TOKENS] >> (LANE * GOLD)
    for slot in range(NUM_SLOTS):
        if _affordable(s[SLOTS + slot], tokens, bonuses, gold):
            out[n] = BUY + slot
            n += 1
    for place in range(NUM_RESERVED):
        if _affordable(s[player + RESERVED + place], tokens, bonuses, gold):
            out[n] = BUY_RESERVED + place
            n += 1
    return n


@kernel("int64(int64[::1], int64[::1])")
def legal(s: Words, out: Words) -> int:
    """Write the ids of all legal actions into ``out`` (MAX_LEGAL words), ascending; return how many, 0 when over."""
    phase = s[PHASE]
    player = PLAYERS + s[MOVER] * PLAYER_SIZE
    if phase == MAIN:
        return _legal_main(s, out, player)
    if phase == CHOOSE_DISCARD:
        return _put_lanes(out, 0, s[player + TOKENS], DISCARD)
    if phase == CHOOSE_GOLD:
        return _put_bits(out, 0, s[BOARD + GOLD] & ALL_CELLS, GOLD_CELL)
    if phase == CHOOSE_PAYMENT:
        n = _put_lanes(out, 0, s[TO_PAY] & PLAIN_LANES, PAY_GOLD)
        out[n] = PAY_DONE
        return n + 1
    if phase == CHOOSE_WILD:
        return _put_lanes(out, 0, s[player + BONUSES], WILD)
    if phase == CHOOSE_MATCH:
        return _put_bits(out, 0, s[BOARD + CARD_BONUS[s[BOUGHT]]], MATCH)
    if phase == CHOOSE_STEAL:
        victim = PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
        return _put_lanes(out, 0, s[victim + TOKENS] & PLAIN_LANES, STEAL)
    if phase == CHOOSE_ROYAL:
        return _put_bits(out, 0, s[ROYALS], ROYAL)
    return 0


assert PAY_DONE - PAY_GOLD == NUM_PLAIN  # one id per lane, as _put_lanes numbers them
assert MATCH - WILD == NUM_GEMS
