"""Uniformly random games: what must hold in every position, how games end, and how long they take."""

import numba
import numpy as np
import pytest

from harness.games import luck
from harness.games.bits import popcount
from harness.games.splendor_duel import kernels
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from harness.games.splendor_duel.legal import hand_size, legal, plain_cells
from harness.games.splendor_duel.rules import apply

GAMES = 10_000
TOKENS_LOST, CELL_SHARED, SCROLLS_LOST, CARDS_LOST, CARD_DOUBLED, IDS_UNSORTED, HAND_TOO_BIG, NO_MOVE = range(1, 9)
PROBLEMS = "", "tokens", "a cell with two tokens", "scrolls", "cards", "a card twice", "order of ids", "hand", "no move"

deck_entry, deal, endings = kernels.deck_entry, kernels.deal, kernels.endings
random_action_start, below = luck.start, luck.below


@numba.njit("int64(int64[::1])")
def wrong_with_tokens(s):
    occupied = 0
    for color in range(tb.NUM_TOKENS):
        if s[st.BOARD + color] & occupied:
            return CELL_SHARED
        occupied |= s[st.BOARD + color]
        count = popcount(s[st.BOARD + color]) + ((s[st.BAG] >> (8 * color)) & 255)
        for player in (st.PLAYERS, st.PLAYERS + st.PLAYER_SIZE):
            count += (s[player + st.TOKENS] >> (8 * color)) & 255
        if count != tb.TOKEN_SUPPLY[color]:
            return TOKENS_LOST
    scrolls = s[st.POOL] + s[st.PLAYERS + st.SCROLLS] + s[st.PLAYERS + st.PLAYER_SIZE + st.SCROLLS]
    return 0 if scrolls == 3 and s[st.POOL] >= 0 else SCROLLS_LOST


@numba.njit("int64(int64[::1], int64[::1])")
def wrong_with_cards(s, seen):
    seen[:] = 0
    for slot in range(tb.NUM_SLOTS):
        seen[s[st.SLOTS + slot]] += 1
    for player in (st.PLAYERS, st.PLAYERS + st.PLAYER_SIZE):
        for place in range(tb.NUM_RESERVED):
            seen[s[player + st.RESERVED + place]] += 1
        for card in range(1, tb.NUM_CARDS + 1):
            word, bit = (st.CARDS_LOW, card - 1) if card <= 30 else (st.CARDS_HIGH, card - 31)
            seen[card] += (s[player + word] >> bit) & 1
    for level in range(tb.NUM_LEVELS):
        for place in range(s[st.DECK_LEFT + level]):
            seen[tb.FIRST_CARD[level] + deck_entry(s, level, place) - 1] += 1
    total = 0
    for card in range(1, tb.NUM_CARDS + 1):
        if seen[card] > 1:
            return CARD_DOUBLED
        total += seen[card]
    return 0 if total == tb.NUM_CARDS else CARDS_LOST


@numba.njit("int64(int64[::1], int64[::1], int64)")
def wrong_with_turn(s, ids, n):
    for i in range(1, n):
        if ids[i - 1] >= ids[i]:
            return IDS_UNSORTED
    other = st.PLAYERS + (1 - s[st.MOVER]) * st.PLAYER_SIZE
    mover = st.PLAYERS + s[st.MOVER] * st.PLAYER_SIZE
    if hand_size(s[other + st.TOKENS]) > tb.HAND_LIMIT or hand_size(s[mover + st.TOKENS]) > 16:
        return HAND_TOO_BIG
    if n == 0 and s[st.PHASE] != st.OVER:
        return NO_MOVE
    return 0


@numba.njit("int64(int64, int64, int64[::1], int64[::1])")
def play_checked(first, games, totals, turns):
    """Play games checking every position; return the first problem found, or 0."""
    s, ids = np.zeros(st.STATE_SIZE, np.int64), np.zeros(tb.MAX_LEGAL, np.int64)
    seen = np.zeros(tb.UNKNOWN_CARD + 3, np.int64)
    for game in range(first, first + games):
        deal(s, 1, 2, game, 400)
        a, b, c, k = random_action_start(3, 4, game, 0)
        while True:
            n = legal(s, ids)
            problem = max(wrong_with_tokens(s), wrong_with_cards(s, seen), wrong_with_turn(s, ids, n))
            if problem:
                return problem
            if n == 0:
                break
            a, b, c, k, pick = below(a, b, c, k, n)
            apply(s, ids[pick])
        bits = endings(s)
        totals[0 if bits & 1 else 1 if bits & 2 else 2 if bits & 4 else 3] += 1
        turns[game - first] = s[st.TURN]
    return 0


def test_ten_thousand_random_games():
    totals, turns = np.zeros(4, np.int64), np.zeros(GAMES, np.int64)
    problem = play_checked(0, GAMES, totals, turns)
    assert problem == 0, PROBLEMS[problem]
    color, crowns, points, limit = 100 * totals / GAMES
    assert limit == 0
    assert color == pytest.approx(4.7, abs=1)
    assert crowns == pytest.approx(3.4, abs=1)
    assert points == pytest.approx(92, abs=1)
    assert turns.mean() == pytest.approx(105, abs=3)
    assert turns.max() < 200


@pytest.mark.slow
def test_half_a_million_random_games():
    games = 500_000
    totals, turns = np.zeros(4, np.int64), np.zeros(games, np.int64)
    problem = play_checked(1_000_000, games, totals, turns)
    assert problem == 0, PROBLEMS[problem]
    assert totals[3] == 0


def test_plain_cells_is_the_board_without_gold():
    s = np.zeros(st.STATE_SIZE, np.int64)
    deal(s, 1, 2, 3, 400)
    assert popcount_of(plain_cells_of(s)) == 22


@numba.njit("int64(int64[::1])")
def plain_cells_of(s):
    return plain_cells(s)


def popcount_of(mask):
    return int(mask).bit_count()
