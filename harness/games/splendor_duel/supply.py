"""What players share, compiled: decks, the bag and the spiral, scrolls [duel 3, 4.2, 4.3]."""

from harness.games import luck
from harness.games.jit import compiler
from harness.games.splendor_duel.legal import Words, hand_size
from harness.games.splendor_duel.state import (
    BAG,
    BOARD,
    COUNT_SCROLLS,
    DECK_BITS,
    DECK_ENTRY,
    DECK_LEFT,
    DECK_PER_WORD,
    DECK_WORD,
    FIRST,
    KEY,
    PLAYER_SIZE,
    PLAYERS,
    POOL,
    REPLENISHES,
    SCROLLS,
    THIRD,
    TOKENS,
)
from harness.games.splendor_duel.tables import (
    CELLS,
    FIRST_CARD,
    FOLDER,
    GOLD,
    LANE,
    LANE_MASK,
    NUM_PLAIN,
    NUM_SCROLLS,
    SPIRAL,
)

kernel = compiler(FOLDER)

EVENT_BAG = 1 << 16  # events of luck: the deal of the board is the bag's number 0, replenish n its number n


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
def gain_scroll(s: Words, seat: int) -> None:
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


@kernel("void(int64[::1], int64, int64)", inner=True)
def take_cell(s: Words, player: int, cell: int) -> None:
    """Move the plain token of one cell to a player."""
    for color in range(NUM_PLAIN):
        there = (s[BOARD + color] >> cell) & 1
        s[BOARD + color] ^= there << cell
        s[player + TOKENS] += there << (LANE * color)
