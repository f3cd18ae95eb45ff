"""What a player would count after a game of Splendor Duel: takes, privileges, purchases, abilities, points."""

import numpy as np

from harness.games.bits import popcount
from harness.games.game import Measures, State
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, hand_size
from harness.games.splendor_duel.state import (
    CARDS_HIGH,
    CARDS_LOW,
    COLOR_POINTS,
    COUNTER_BITS,
    COUNTER_MASK,
    COUNTER_NAMES,
    COUNTERS,
    CROWNS,
    OWN_ROYALS,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    TOKENS,
    TURNS,
    WILDS,
)
from harness.games.splendor_duel.tables import (
    COLORS,
    FOLDER,
    LANE,
    LANE_MASK,
    LEVEL_SIZES,
    NUM_GEMS,
    NUM_ROYALS,
    ROYAL_POINTS,
    WILD_CARDS,
)

kernel = compiler(FOLDER)

MEASURE_NAMES = (
    "turns",
    *(name for names in COUNTER_NAMES for name in names),
    "ability_wild",
    "purchases_level_1",
    "purchases_level_2",
    "purchases_level_3",
    "royals",
    "crowns",
    *(f"points_{color}" for color in COLORS[:NUM_GEMS]),
    "points_colorless",
    "points_royals",
    "tokens_left",
)
"""takes_N: takes of N tokens; takes_penalized: those with three of one colour or two pearls, also when the opponent had
all privileges already; privileges_lost: taken away by the opponent; tokens_paid: without gold, which is gold_paid;
ability_take_matching, ability_steal: tokens they brought; ability_again, ability_privilege: times they came up, with
or without effect; points_colorless: on points-only cards; tokens_left: in hand at the end."""

_COUNT = len(MEASURE_NAMES)
_PER_WORD, _WORDS, _WILDS = len(COUNTER_NAMES[0]), len(COUNTER_NAMES), len(WILD_CARDS)
_LEVEL_2 = (1 << LEVEL_SIZES[1]) - 1


@kernel("int64(int64[::1], int64, int64[::1], int64)", inner=True)
def _count_player(s: Words, player: int, out: Words, n: int) -> int:
    out[n] = s[player + TURNS]
    n += 1
    for word in range(_WORDS):
        for lane in range(_PER_WORD):
            out[n] = (s[player + COUNTERS + word] >> (COUNTER_BITS * lane)) & COUNTER_MASK
            n += 1
    wilds = 0
    for i in range(_WILDS):
        wilds += int((s[player + WILDS] >> (3 * i)) & 7 != 0)
    out[n] = wilds
    out[n + 1] = popcount(s[player + CARDS_LOW])
    out[n + 2] = popcount(s[player + CARDS_HIGH] & _LEVEL_2)
    out[n + 3] = popcount(s[player + CARDS_HIGH] >> LEVEL_SIZES[1])
    out[n + 4] = popcount(s[player + OWN_ROYALS])
    out[n + 5] = s[player + CROWNS]
    n += 6
    on_colors = 0
    for color in range(NUM_GEMS):
        out[n] = (s[player + COLOR_POINTS] >> (LANE * color)) & LANE_MASK
        on_colors += out[n]
        n += 1
    on_royals = 0
    for royal in range(NUM_ROYALS):
        on_royals += ROYAL_POINTS[royal] * ((s[player + OWN_ROYALS] >> royal) & 1)
    out[n] = s[player + POINTS] - on_colors - on_royals
    out[n + 1] = on_royals
    out[n + 2] = hand_size(s[player + TOKENS])
    return n + 3


@kernel("void(int64[::1], int64[::1])")
def _count(s: Words, out: Words) -> None:
    """Write all measures of seat 0, then of seat 1."""
    n = _count_player(s, PLAYERS, out, 0)
    _count_player(s, PLAYERS + PLAYER_SIZE, out, n)


def measures(state: State) -> Measures:
    """Return every measure by name, one int per seat."""
    out = np.empty(2 * _COUNT, dtype=np.int64)
    _count(state, out)
    counts = out.tolist()
    return dict(zip(MEASURE_NAMES, zip(counts[:_COUNT], counts[_COUNT:], strict=True), strict=True))
