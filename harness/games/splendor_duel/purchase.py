"""A purchase, compiled: payment, the card, its ability, a royal [duel 7-9]."""

from harness.games.bits import lowest_bit
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import (
    Words,
    lane_sum,
    lanes_held,
    shortfall,
)
from harness.games.splendor_duel.state import (
    BAG,
    BLIND,
    BOARD,
    BONUSES,
    BOUGHT,
    CARDS_HIGH,
    CARDS_LOW,
    CHOOSE_MATCH,
    CHOOSE_PAYMENT,
    CHOOSE_ROYAL,
    CHOOSE_STEAL,
    CHOOSE_WILD,
    CHOSEN,
    COLOR_POINTS,
    COUNT_ABILITIES,
    COUNT_PAYMENTS,
    CROWNS,
    EXTRA_TURN,
    FIRST,
    FLAGS,
    FOURTH,
    MOVER,
    OWN_ROYALS,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    RESERVED,
    ROYAL_DUE,
    ROYALS,
    SECOND,
    SLOTS,
    THIRD,
    TO_PAY,
    TOKENS,
    WILDS,
)
from harness.games.splendor_duel.supply import (
    draw_card,
    gain_scroll,
    take_cell,
)
from harness.games.splendor_duel.tables import (
    AGAIN,
    CARD_ABILITY,
    CARD_BONUS,
    CARD_BONUS_COUNT,
    CARD_COST,
    CARD_CROWNS,
    CARD_LEVEL,
    CARD_POINTS,
    FIRST_CARD,
    FOLDER,
    GIVES_PRIVILEGE,
    GOLD,
    IS_WILD,
    LANE,
    NUM_SLOTS,
    PLAIN_LANES,
    ROYAL_ABILITY,
    ROYAL_CROWNS,
    ROYAL_POINTS,
    STEALING,
    TAKE_MATCHING,
    WILD_INDEX,
)
from harness.games.splendor_duel.turn import (
    finish_action,
)

kernel = compiler(FOLDER)

_LEVEL_1_CARDS = FIRST_CARD[1] - 1


@kernel("void(int64[::1], int64)", inner=True)
def steal(s: Words, color: int) -> None:
    thief = PLAYERS + s[MOVER] * PLAYER_SIZE
    victim = PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    s[victim + TOKENS] -= 1 << (LANE * color)
    s[thief + TOKENS] += 1 << (LANE * color)
    s[thief + COUNT_ABILITIES] += THIRD


@kernel("boolean(int64[::1])", inner=True)
def _steal_or_ask(s: Words) -> bool:
    """Steal a plain token from the opponent [duel 8.5]; True when the mover must choose which."""
    victim = PLAYERS + (1 - s[MOVER]) * PLAYER_SIZE
    colors = lanes_held(s[victim + TOKENS] & PLAIN_LANES)
    if colors & (colors - 1):
        s[PHASE] = CHOOSE_STEAL
        return True
    if colors:
        steal(s, lowest_bit(colors))
    return False


@kernel("void(int64[::1], int64, int64)", inner=True)
def _gain_turn_or_scroll(s: Words, player: int, ability: int) -> None:
    """The abilities that ask nothing, of a card or a royal [duel 8]."""
    if ability & AGAIN:
        s[FLAGS] |= EXTRA_TURN
        s[player + COUNT_ABILITIES] += FIRST
    if ability & GIVES_PRIVILEGE:
        s[player + COUNT_ABILITIES] += FOURTH
        gain_scroll(s, s[MOVER])


@kernel("boolean(int64[::1], int64, int64)", inner=True)
def take_royal(s: Words, player: int, royal: int) -> bool:
    """Take a royal and resolve its ability [duel 9]; True when the mover must choose what to steal."""
    s[FLAGS] &= ~ROYAL_DUE
    s[ROYALS] ^= 1 << royal
    s[player + OWN_ROYALS] |= 1 << royal
    s[player + POINTS] += ROYAL_POINTS[royal]
    ability = ROYAL_ABILITY[royal]
    _gain_turn_or_scroll(s, player, ability)
    return ability & STEALING != 0 and _steal_or_ask(s)


@kernel("void(int64[::1], int64)", inner=True)
def royal_stage(s: Words, player: int) -> None:
    """After the card's ability: the royal that is due, if any, then the end of the turn."""
    on_table = s[ROYALS]
    if s[FLAGS] & ROYAL_DUE and on_table:
        if on_table & (on_table - 1):
            s[PHASE] = CHOOSE_ROYAL
            return
        if take_royal(s, player, lowest_bit(on_table)):
            return
    finish_action(s)


@kernel("void(int64[::1], int64, int64)", inner=True)
def take_matching(s: Words, player: int, cell: int) -> None:
    take_cell(s, player, cell)
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
            take_matching(s, player, lowest_bit(cells))
    if ability & STEALING and _steal_or_ask(s):
        return
    royal_stage(s, player)


@kernel("void(int64[::1], int64, int64)", inner=True)
def join_color(s: Words, player: int, color: int) -> None:
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
def complete_purchase(s: Words, player: int) -> None:
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
        colors = lanes_held(s[player + BONUSES])
        if colors & (colors - 1):
            s[PHASE] = CHOOSE_WILD
        else:
            join_color(s, player, lowest_bit(colors))
    else:
        _ability_stage(s, player)


@kernel("void(int64[::1], int64)", inner=True)
def complete_or_ask_payment(s: Words, player: int) -> None:
    """Complete the purchase once no more gold can stand in for a token [duel 7]."""
    spare_gold = (s[player + TOKENS] >> (LANE * GOLD)) - (s[TO_PAY] >> (LANE * GOLD))
    if spare_gold > 0 and s[TO_PAY] & PLAIN_LANES:
        s[PHASE] = CHOOSE_PAYMENT
    else:
        complete_purchase(s, player)


@kernel("void(int64[::1], int64, int64)", inner=True)
def buy(s: Words, player: int, slot: int) -> None:
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
    complete_or_ask_payment(s, player)
