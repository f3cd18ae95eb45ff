"""What actions do, compiled: taking, reserving, and the entry to everything else [duel 4-6]."""

from harness.games.bits import lowest_bit, popcount
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import (
    Words,
    free_place,
)
from harness.games.splendor_duel.purchase import (
    buy,
    complete_or_ask_payment,
    complete_purchase,
    join_color,
    royal_stage,
    steal,
    take_matching,
    take_royal,
)
from harness.games.splendor_duel.state import (
    BAG,
    BLIND,
    BOARD,
    CHOOSE_GOLD,
    CHOSEN,
    COUNT_PAYMENTS,
    COUNT_RESERVES,
    COUNT_SCROLLS,
    COUNT_TAKES,
    COUNTER_BITS,
    FIRST,
    FLAGS,
    FOURTH,
    MOVER,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    POOL,
    REPLENISHED,
    REPLENISHES,
    RESERVED,
    SCROLLS,
    SECOND,
    SLOTS,
    THIRD,
    TO_PAY,
    TOKENS,
)
from harness.games.splendor_duel.supply import (
    draw_card,
    gain_scroll,
    lay_tokens,
    take_cell,
)
from harness.games.splendor_duel.tables import (
    ALL_CELLS,
    BUY,
    BUY_RESERVED,
    DISCARD,
    FOLDER,
    GOLD,
    GOLD_CELL,
    LANE,
    MATCH,
    NUM_PLAIN,
    NUM_SLOTS,
    NUM_TOKENS,
    PAIR,
    PAY_DONE,
    PAY_GOLD,
    PEARL,
    PRIVILEGE,
    REPLENISH,
    RESERVE,
    RESERVE_DECK,
    ROYAL,
    SLOT_LEVEL,
    STEAL,
    TAKE_CELLS,
    TRIPLE,
    WILD,
)
from harness.games.splendor_duel.turn import (
    finish_action,
)

kernel = compiler(FOLDER)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _take(s: Words, player: int, action: int) -> None:
    """Take tokens in a line; three of one colour or two pearls give the opponent a scroll [duel 5]."""
    cells = TAKE_CELLS[action]
    penalized = popcount(s[BOARD + PEARL] & cells) == 2
    gained = 0
    for color in range(NUM_PLAIN):  # without branches: which colours lie there is anyone's guess
        taken = s[BOARD + color] & cells
        s[BOARD + color] ^= taken
        count = popcount(taken)
        gained += count << (LANE * color)
        penalized |= count == 3
    s[player + TOKENS] += gained
    s[player + COUNT_TAKES] += FIRST if action < PAIR else SECOND if action < TRIPLE else THIRD
    if penalized:
        s[player + COUNT_TAKES] += FOURTH
        gain_scroll(s, 1 - s[MOVER])
    finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _complete_reserve(s: Words, player: int, cell: int) -> None:
    """Take the gold of a cell, then the chosen card; only now is a hidden card drawn [duel 6]."""
    s[BOARD + GOLD] ^= 1 << cell
    s[player + TOKENS] += 1 << (LANE * GOLD)
    place = free_place(s, player)
    slot = s[CHOSEN]
    if slot < NUM_SLOTS:
        level = SLOT_LEVEL[slot]
        s[player + RESERVED + place] = s[SLOTS + slot]
        s[SLOTS + slot] = draw_card(s, level)
    else:
        level = slot - NUM_SLOTS
        s[player + RESERVED + place] = draw_card(s, level)
        s[player + BLIND] |= 1 << place
        s[player + COUNT_RESERVES] += FOURTH
    s[player + COUNT_RESERVES] += 1 << (COUNTER_BITS * level)
    finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _reserve(s: Words, player: int, slot: int) -> None:
    s[CHOSEN] = slot
    gold_cells = s[BOARD + GOLD] & ALL_CELLS
    if gold_cells & (gold_cells - 1):
        s[PHASE] = CHOOSE_GOLD
    else:
        _complete_reserve(s, player, lowest_bit(gold_cells))


@kernel("void(int64[::1], int64, int64)", inner=True)
def _apply_main(s: Words, player: int, action: int) -> None:
    if action < PRIVILEGE:
        _take(s, player, action)
    elif action < REPLENISH:
        s[player + SCROLLS] -= 1
        s[POOL] += 1
        s[player + COUNT_SCROLLS] += SECOND
        take_cell(s, player, action - PRIVILEGE)
    elif action < RESERVE:
        s[REPLENISHES] += 1
        s[FLAGS] |= REPLENISHED
        s[player + COUNT_SCROLLS] += FOURTH
        lay_tokens(s)
        gain_scroll(s, 1 - s[MOVER])
    elif action < BUY:
        _reserve(s, player, action - RESERVE)
    else:
        buy(s, player, action - BUY)


@kernel("void(int64[::1], int64)")
def apply(s: Words, action: int) -> None:
    """Apply a legal action in place."""
    player = PLAYERS + s[MOVER] * PLAYER_SIZE
    if action < GOLD_CELL:
        _apply_main(s, player, action)
    elif action < PAY_GOLD:
        _complete_reserve(s, player, action - GOLD_CELL)
    elif action < PAY_DONE:
        s[TO_PAY] += (1 << (LANE * GOLD)) - (1 << (LANE * (action - PAY_GOLD)))
        complete_or_ask_payment(s, player)
    elif action == PAY_DONE:
        complete_purchase(s, player)
    elif action < MATCH:
        join_color(s, player, action - WILD)
    elif action < STEAL:
        take_matching(s, player, action - MATCH)
        royal_stage(s, player)
    elif action < ROYAL:
        steal(s, action - STEAL)
        royal_stage(s, player)
    elif action < DISCARD:
        if not take_royal(s, player, action - ROYAL):
            finish_action(s)
    else:
        one = 1 << (LANE * (action - DISCARD))
        s[player + TOKENS] -= one
        s[BAG] += one
        s[player + COUNT_PAYMENTS] += FOURTH
        finish_action(s)


assert RESERVE_DECK == RESERVE + NUM_SLOTS  # slots are counted as the actions are
assert BUY_RESERVED == BUY + NUM_SLOTS
assert DISCARD + NUM_TOKENS > ROYAL
