"""What actions do, compiled: a turn from its optional actions to the victory check [duel 4-10]."""

from harness.games import luck
from harness.games.bits import lowest_bit, popcount
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, free_place, hand_size, lane_sum, shortfall
from harness.games.splendor_duel.state import (
    BAG,
    BLIND,
    BOARD,
    BONUSES,
    BOUGHT,
    CARDS_HIGH,
    CARDS_LOW,
    CHOOSE_DISCARD,
    CHOOSE_GOLD,
    CHOOSE_MATCH,
    CHOOSE_PAYMENT,
    CHOOSE_ROYAL,
    CHOOSE_STEAL,
    CHOOSE_WILD,
    CHOSEN,
    COLOR_POINTS,
    COUNT_ABILITIES,
    COUNT_PAYMENTS,
    COUNT_RESERVES,
    COUNT_SCROLLS,
    COUNT_TAKES,
    COUNTER_BITS,
    CROWNS,
    DECK_BITS,
    DECK_ENTRY,
    DECK_LEFT,
    DECK_PER_WORD,
    DECK_WORD,
    EXTRA_TURN,
    FIRST,
    FLAGS,
    FOURTH,
    KEY,
    LIMIT_REACHED,
    MAIN,
    MOVER,
    OVER,
    OWN_ROYALS,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    POOL,
    REPLENISHED,
    REPLENISHES,
    RESERVED,
    RESULT,
    ROYAL_DUE,
    ROYALS,
    SCROLLS,
    SECOND,
    SLOTS,
    THIRD,
    TO_PAY,
    TOKENS,
    TURN,
    TURN_LIMIT,
    TURNS,
    WILDS,
)
from harness.games.splendor_duel.tables import (
    AGAIN,
    ALL_CELLS,
    BUY,
    BUY_RESERVED,
    CARD_ABILITY,
    CARD_BONUS,
    CARD_BONUS_COUNT,
    CARD_COST,
    CARD_CROWNS,
    CARD_LEVEL,
    CARD_POINTS,
    CELLS,
    DISCARD,
    FIRST_CARD,
    FOLDER,
    GEM_TOP_BITS,
    GIVES_PRIVILEGE,
    GOLD,
    GOLD_CELL,
    HAND_LIMIT,
    IS_WILD,
    LANE,
    LANE_MASK,
    MATCH,
    NUM_GEMS,
    NUM_PLAIN,
    NUM_SCROLLS,
    NUM_SLOTS,
    NUM_TOKENS,
    PAIR,
    PAY_DONE,
    PAY_GOLD,
    PEARL,
    PLAIN_LANES,
    PRIVILEGE,
    REPLENISH,
    RESERVE,
    RESERVE_DECK,
    ROYAL,
    ROYAL_ABILITY,
    ROYAL_CROWNS,
    ROYAL_POINTS,
    SLOT_LEVEL,
    SPIRAL,
    STEAL,
    STEALING,
    TAKE_CELLS,
    TAKE_MATCHING,
    TRIPLE,
    WILD,
    WILD_INDEX,
    WIN_COLOR,
    WIN_CROWNS,
    WIN_POINTS,
)

kernel = compiler(FOLDER)

EVENT_BAG = 1 << 16  # events of luck: the deal of the board is the bag's number 0, replenish n its number n
_COLOR_WIN = sum((0x80 - WIN_COLOR) << (LANE * color) for color in range(NUM_GEMS))
_LEVEL_1_CARDS = FIRST_CARD[1] - 1


# --- Decks, bag and scrolls ---


@kernel("int64(int64[::1], int64)", inner=True)
def draw_card(s: Words, level: int) -> int:
    """Take the top card of a deck; 0 when the deck is empty (or its order is hidden)."""
    left = s[DECK_LEFT + level]
    if left == 0:
        return 0
    s[DECK_LEFT + level] = left - 1
    word = DECK_WORD[level] + (left - 1) // DECK_PER_WORD
    shift = DECK_BITS * ((left - 1) % DECK_PER_WORD)
    entry = (s[word] >> shift) & DECK_ENTRY
    s[word] ^= entry << shift
    return FIRST_CARD[level] + entry - 1 if entry else 0


@kernel("void(int64[::1])", inner=True)
def lay_tokens(s: Words) -> None:
    """Empty the bag, in an order luck decides, onto the empty cells along the spiral [duel 4.3]."""
    a, b, c, k = luck.start(s[KEY], s[KEY + 1], s[KEY + 2], EVENT_BAG + s[REPLENISHES])
    bag = s[BAG]
    left = hand_size(bag)
    occupied = s[BOARD + GOLD]
    for color in range(NUM_PLAIN):
        occupied |= s[BOARD + color]
    for i in range(CELLS):
        if left == 0:
            break
        cell = 1 << SPIRAL[i]
        if occupied & cell:
            continue
        a, b, c, k, pick = luck.below(a, b, c, k, left)
        color = 0
        while pick >= (bag >> (LANE * color)) & LANE_MASK:
            pick -= (bag >> (LANE * color)) & LANE_MASK
            color += 1
        bag -= 1 << (LANE * color)
        left -= 1
        s[BOARD + color] |= cell
    s[BAG] = 0


@kernel("void(int64[::1], int64)", inner=True)
def _gain_scroll(s: Words, seat: int) -> None:
    """Give a seat a scroll: from the pool, else from the other player, unless it has all three [duel 4.2]."""
    player = PLAYERS + seat * PLAYER_SIZE
    other = PLAYERS + (1 - seat) * PLAYER_SIZE
    if s[POOL]:
        s[POOL] -= 1
    elif s[player + SCROLLS] < NUM_SCROLLS:
        s[other + SCROLLS] -= 1
        s[other + COUNT_SCROLLS] += THIRD
    else:
        return
    s[player + SCROLLS] += 1
    s[player + COUNT_SCROLLS] += FIRST


# --- The end of a turn ---


@kernel("boolean(int64[::1], int64)", inner=True)
def _wins(s: Words, player: int) -> bool:
    """Whether a player fulfils one of the three conditions [duel 10]."""
    return (
        s[player + POINTS] >= WIN_POINTS
        or s[player + CROWNS] >= WIN_CROWNS
        or ((s[player + COLOR_POINTS] + _COLOR_WIN) & GEM_TOP_BITS) != 0
    )


@kernel("void(int64[::1])", inner=True)
def _end_turn(s: Words) -> None:
    """Check victory, then pass the turn on, or back to the mover when an extra turn is due [duel 8, 10]."""
    if _wins(s, PLAYERS + s[MOVER] * PLAYER_SIZE):
        s[RESULT] = s[MOVER]
        s[PHASE] = OVER
    elif s[TURN] >= s[TURN_LIMIT]:
        s[RESULT] = LIMIT_REACHED
        s[PHASE] = OVER
    else:
        if not s[FLAGS] & EXTRA_TURN:
            s[MOVER] ^= 1
        s[TURN] += 1
        s[PLAYERS + s[MOVER] * PLAYER_SIZE + TURNS] += 1
        s[PHASE] = MAIN
    s[FLAGS] = 0
    s[CHOSEN] = 0
    s[BOUGHT] = 0
    s[TO_PAY] = 0


@kernel("void(int64[::1])", inner=True)
def _finish_action(s: Words) -> None:
    """After the mandatory action: discard down to ten, or end the turn."""
    if hand_size(s[PLAYERS + s[MOVER] * PLAYER_SIZE + TOKENS]) > HAND_LIMIT:
        s[PHASE] = CHOOSE_DISCARD
    else:
        _end_turn(s)


# --- Taking and reserving ---


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
        _gain_scroll(s, 1 - s[MOVER])
    _finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _take_cell(s: Words, player: int, cell: int) -> None:
    """Move the plain token of one cell to a player."""
    for color in range(NUM_PLAIN):
        there = (s[BOARD + color] >> cell) & 1
        s[BOARD + color] ^= there << cell
        s[player + TOKENS] += there << (LANE * color)


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
    _finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _reserve(s: Words, player: int, slot: int) -> None:
    s[CHOSEN] = slot
    gold_cells = s[BOARD + GOLD] & ALL_CELLS
    if gold_cells & (gold_cells - 1):
        s[PHASE] = CHOOSE_GOLD
    else:
        _complete_reserve(s, player, lowest_bit(gold_cells))


# --- Purchase, abilities, royals ---


@kernel("void(int64[::1], int64)", inner=True)
def _steal(s: Words, color: int) -> None:
    thief = PLAYERS + s[MOVER] * PLAYER_SIZE
    victim = PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    s[victim + TOKENS] -= 1 << (LANE * color)
    s[thief + TOKENS] += 1 << (LANE * color)
    s[thief + COUNT_ABILITIES] += THIRD


@kernel("boolean(int64[::1])", inner=True)
def _steal_or_ask(s: Words) -> bool:
    """Steal a plain token from the opponent [duel 8.5]; True when the mover must choose which."""
    victim = PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    colors, last = 0, -1
    for color in range(NUM_PLAIN):
        if (s[victim + TOKENS] >> (LANE * color)) & LANE_MASK:
            colors += 1
            last = color
    if colors > 1:
        s[PHASE] = CHOOSE_STEAL
        return True
    if colors == 1:
        _steal(s, last)
    return False


@kernel("void(int64[::1], int64, int64)", inner=True)
def _gain_turn_or_scroll(s: Words, player: int, ability: int) -> None:
    """The abilities that ask nothing, of a card or a royal [duel 8]."""
    if ability & AGAIN:
        s[FLAGS] |= EXTRA_TURN
        s[player + COUNT_ABILITIES] += FIRST
    if ability & GIVES_PRIVILEGE:
        s[player + COUNT_ABILITIES] += FOURTH
        _gain_scroll(s, s[MOVER])


@kernel("boolean(int64[::1], int64, int64)", inner=True)
def _take_royal(s: Words, player: int, royal: int) -> bool:
    """Take a royal and resolve its ability [duel 9]; True when the mover must choose what to steal."""
    s[FLAGS] &= ~ROYAL_DUE
    s[ROYALS] ^= 1 << royal
    s[player + OWN_ROYALS] |= 1 << royal
    s[player + POINTS] += ROYAL_POINTS[royal]
    ability = ROYAL_ABILITY[royal]
    _gain_turn_or_scroll(s, player, ability)
    return ability & STEALING != 0 and _steal_or_ask(s)


@kernel("void(int64[::1], int64)", inner=True)
def _royal_stage(s: Words, player: int) -> None:
    """After the card's ability: the royal that is due, if any, then the end of the turn."""
    if s[FLAGS] & ROYAL_DUE:
        on_table = s[ROYALS]
        if on_table & (on_table - 1):
            s[PHASE] = CHOOSE_ROYAL
            return
        if _take_royal(s, player, lowest_bit(on_table)):
            return
    _finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _take_matching(s: Words, player: int, cell: int) -> None:
    _take_cell(s, player, cell)
    s[player + COUNT_ABILITIES] += SECOND


@kernel("void(int64[::1], int64)", inner=True)
def _ability_stage(s: Words, player: int) -> None:
    """The ability of the bought card [duel 8], then what follows it."""
    ability = CARD_ABILITY[s[BOUGHT]]
    _gain_turn_or_scroll(s, player, ability)
    if ability & TAKE_MATCHING:
        cells = s[BOARD + CARD_BONUS[s[BOUGHT]]]
        if cells & (cells - 1):
            s[PHASE] = CHOOSE_MATCH
            return
        if cells:
            _take_matching(s, player, lowest_bit(cells))
    if ability & STEALING and _steal_or_ask(s):
        return
    _royal_stage(s, player)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _join_color(s: Words, player: int, color: int) -> None:
    """Lay the bought wild card on a colour, for ever [duel 8.2]."""
    card = s[BOUGHT]
    s[player + WILDS] |= (color + 1) << (3 * WILD_INDEX[card])
    s[player + BONUSES] += 1 << (LANE * color)
    s[player + COLOR_POINTS] += CARD_POINTS[card] << (LANE * color)
    _ability_stage(s, player)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _own_card(s: Words, player: int, card: int) -> None:
    """Count a card as owned: points, crowns and, unless it is wild, bonus and colour."""
    if card <= _LEVEL_1_CARDS:
        s[player + CARDS_LOW] |= 1 << (card - 1)
    else:
        s[player + CARDS_HIGH] |= 1 << (card - 1 - _LEVEL_1_CARDS)
    s[player + POINTS] += CARD_POINTS[card]
    before = s[player + CROWNS]
    after = before + CARD_CROWNS[card]
    s[player + CROWNS] = after
    if (before < ROYAL_CROWNS[0] <= after) or (before < ROYAL_CROWNS[1] <= after):
        s[FLAGS] |= ROYAL_DUE
    color = CARD_BONUS[card]
    if color >= 0:
        s[player + BONUSES] += CARD_BONUS_COUNT[card] << (LANE * color)
        s[player + COLOR_POINTS] += CARD_POINTS[card] << (LANE * color)


@kernel("void(int64[::1], int64)", inner=True)
def _complete_purchase(s: Words, player: int) -> None:
    """Pay into the bag, replace the card, own it, then resolve a wild's colour and the abilities [duel 7, 8]."""
    paid, card, slot = s[TO_PAY], s[BOUGHT], s[CHOSEN]
    s[player + TOKENS] -= paid
    s[BAG] += paid
    s[player + COUNT_PAYMENTS] += SECOND * lane_sum(paid & PLAIN_LANES) + THIRD * (paid >> (LANE * GOLD))
    if slot < NUM_SLOTS:
        s[SLOTS + slot] = draw_card(s, CARD_LEVEL[card])
    else:
        s[player + RESERVED + slot - NUM_SLOTS] = 0
        s[player + COUNT_PAYMENTS] += FIRST
    s[TO_PAY] = 0
    _own_card(s, player, card)
    if CARD_ABILITY[card] & IS_WILD:
        colors, last = 0, -1
        for color in range(NUM_GEMS):
            if (s[player + BONUSES] >> (LANE * color)) & LANE_MASK:
                colors += 1
                last = color
        if colors > 1:
            s[PHASE] = CHOOSE_WILD
        else:
            _join_color(s, player, last)
    else:
        _ability_stage(s, player)


@kernel("void(int64[::1], int64)", inner=True)
def _complete_or_ask_payment(s: Words, player: int) -> None:
    """Complete the purchase once no more gold can stand in for a token [duel 7]."""
    spare_gold = (s[player + TOKENS] >> (LANE * GOLD)) - (s[TO_PAY] >> (LANE * GOLD))
    if spare_gold > 0 and s[TO_PAY] & PLAIN_LANES:
        s[PHASE] = CHOOSE_PAYMENT
    else:
        _complete_purchase(s, player)


@kernel("void(int64[::1], int64, int64)", inner=True)
def _buy(s: Words, player: int, slot: int) -> None:
    """Announce a purchase: the price in tokens, gold only for what is missing; a reserved card is now public."""
    if slot < NUM_SLOTS:
        card = s[SLOTS + slot]
    else:
        place = slot - NUM_SLOTS
        card = s[player + RESERVED + place]
        s[player + BLIND] &= ~(1 << place)
    price = shortfall(CARD_COST[card], s[player + BONUSES])
    missing = shortfall(price, s[player + TOKENS])
    s[CHOSEN] = slot
    s[BOUGHT] = card
    s[TO_PAY] = price - missing + (lane_sum(missing) << (LANE * GOLD))
    _complete_or_ask_payment(s, player)


# --- The entry ---


@kernel("void(int64[::1], int64, int64)", inner=True)
def _apply_main(s: Words, player: int, action: int) -> None:
    if action < PRIVILEGE:
        _take(s, player, action)
    elif action < REPLENISH:
        s[player + SCROLLS] -= 1
        s[POOL] += 1
        s[player + COUNT_SCROLLS] += SECOND
        _take_cell(s, player, action - PRIVILEGE)
    elif action < RESERVE:
        s[REPLENISHES] += 1
        s[FLAGS] |= REPLENISHED
        s[player + COUNT_SCROLLS] += FOURTH
        lay_tokens(s)
        _gain_scroll(s, 1 - s[MOVER])
    elif action < BUY:
        _reserve(s, player, action - RESERVE)
    else:
        _buy(s, player, action - BUY)


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
        _complete_or_ask_payment(s, player)
    elif action == PAY_DONE:
        _complete_purchase(s, player)
    elif action < MATCH:
        _join_color(s, player, action - WILD)
    elif action < STEAL:
        _take_matching(s, player, action - MATCH)
        _royal_stage(s, player)
    elif action < ROYAL:
        _steal(s, action - STEAL)
        _royal_stage(s, player)
    elif action < DISCARD:
        if not _take_royal(s, player, action - ROYAL):
            _finish_action(s)
    else:
        one = 1 << (LANE * (action - DISCARD))
        s[player + TOKENS] -= one
        s[BAG] += one
        s[player + COUNT_PAYMENTS] += FOURTH
        _finish_action(s)


assert RESERVE_DECK == RESERVE + NUM_SLOTS  # slots are counted as the actions are
assert BUY_RESERVED == BUY + NUM_SLOTS
assert DISCARD + NUM_TOKENS > ROYAL
