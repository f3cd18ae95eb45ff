"""Refuses positions that the compiled rules, which check nothing, could not go on from."""

import numpy as np

from harness.games.game import State
from harness.games.splendor_duel import kernels
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from harness.games.splendor_duel.legal import legal

_AFTER_PAYMENT = (st.CHOOSE_WILD, st.CHOOSE_MATCH, st.CHOOSE_STEAL, st.CHOOSE_ROYAL)


def check_playable(state: State) -> None:
    """Raise ValueError, naming the key, unless the phase fits what the position holds and something is legal."""
    phase = int(state[st.PHASE])
    if phase == st.CHOOSE_GOLD:
        _check_reserving(state)
    elif phase == st.CHOOSE_PAYMENT:
        _check_payment(state)
    elif phase in _AFTER_PAYMENT:
        _check_bought(state, phase)
    elif phase == st.CHOOSE_DISCARD and sum(_lanes(state, _mover(state) + st.TOKENS)) <= tb.HAND_LIMIT:
        raise ValueError(f"phase: the seat to move has no more than {tb.HAND_LIMIT} tokens, nothing to discard")
    if phase == st.OVER:
        if not kernels.endings(state):
            raise ValueError(f"result: seat {int(state[st.RESULT])} fulfils no victory condition")
    elif not _may_buy_unknown(state) and legal(state, np.zeros(tb.MAX_LEGAL, dtype=np.int64)) == 0:
        raise ValueError("position: the seat to move has no legal action; is the board empty, or pending missing?")


def _mover(state: State) -> int:
    return st.PLAYERS + int(state[st.MOVER]) * st.PLAYER_SIZE


def _lanes(state: State, word: int) -> list[int]:
    return [(int(state[word]) >> (tb.LANE * color)) & tb.LANE_MASK for color in range(tb.NUM_TOKENS)]


def _may_buy_unknown(state: State) -> bool:
    """Whether, in a View, the mover's choices depend on a reserved card that only he knows."""
    first = _mover(state) + st.RESERVED
    return bool((state[first : first + tb.NUM_RESERVED] >= tb.UNKNOWN_CARD).any())


def _check_reserving(state: State) -> None:
    place, first = int(state[st.CHOSEN]), _mover(state) + st.RESERVED
    left = state[st.SLOTS + place] if place < tb.NUM_SLOTS else state[st.DECK_LEFT + place - tb.NUM_SLOTS]
    if not left:
        raise ValueError(f"pending.place: there is no card at place {place} to reserve")
    if 0 not in state[first : first + tb.NUM_RESERVED]:
        raise ValueError("pending: the seat to move has no free place for a reserved card")


def _check_payment(state: State) -> None:
    """The card must stand at its place and the payment must be one of its price [duel 7]."""
    player, place, card = _mover(state), int(state[st.CHOSEN]), int(state[st.BOUGHT])
    at_place = state[st.SLOTS + place] if place < tb.NUM_SLOTS else state[player + st.RESERVED + place - tb.NUM_SLOTS]
    if not card or card != at_place:
        raise ValueError("pending.card: name the card being bought, and the place where it stands")
    have, bonuses, paid = (
        _lanes(state, player + st.TOKENS),
        _lanes(state, player + st.BONUSES),
        _lanes(state, st.TO_PAY),
    )
    if int(tb.CARD_ABILITY[card]) & tb.IS_WILD and not any(bonuses):
        raise ValueError("pending.card: a wild card needs a bonus to join")
    cost = [(int(tb.CARD_COST[card]) >> (tb.LANE * color)) & tb.LANE_MASK for color in range(tb.NUM_PLAIN)]
    by_gold = [max(0, n - bonuses[color]) - paid[color] for color, n in enumerate(cost)]
    if min(by_gold) < 0 or sum(by_gold) != paid[tb.GOLD] or any(p > h for p, h in zip(paid, have, strict=True)):
        raise ValueError(f"pending.payment: does not pay for card {card} out of the buyer's tokens")


def _check_bought(state: State, phase: int) -> None:
    player, card = _mover(state), int(state[st.BOUGHT])
    low, high = int(state[player + st.CARDS_LOW]), int(state[player + st.CARDS_HIGH])
    if not card or not ((low | high << (tb.FIRST_CARD[1] - 1)) >> (card - 1)) & 1:
        raise ValueError("pending.card: name the card just bought; it must be among the cards of the seat to move")
    if phase == st.CHOOSE_WILD and tb.WILD_INDEX[card] < 0:
        raise ValueError(f"pending.card: {card} is not a wild card")
    if phase == st.CHOOSE_MATCH and not int(tb.CARD_ABILITY[card]) & tb.TAKE_MATCHING:
        raise ValueError(f"pending.card: {card} takes no matching token")
