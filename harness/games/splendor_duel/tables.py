"""Facts of Splendor Duel that never change: tokens, cells, lines, cards, royals and the numbering of actions.

Cards, royals and the board come from the CSV files beside this module. Card 0 stands for "no card". A set of tokens
or bonuses is packed into lanes of 8 bits, one per colour; a set of board cells is a mask of 25 bits.
"""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent

# Tokens. Gems first, so that "gem" is < PEARL and "plain" (gem or pearl) is < GOLD.
WHITE, BLUE, GREEN, RED, BLACK, PEARL, GOLD = range(7)
COLORS = ("white", "blue", "green", "red", "black", "pearl", "gold")
LETTERS = ("W", "U", "G", "R", "K", "P", "Au")
NUM_GEMS, NUM_PLAIN, NUM_TOKENS = 5, 6, 7
TOKEN_SUPPLY = (4, 4, 4, 4, 4, 2, 3)
ALL_TOKENS = 25

LANE = 8
LANE_MASK = (1 << LANE) - 1
PLAIN_LANES = (1 << (LANE * NUM_PLAIN)) - 1
PLAIN_TOP_BITS = sum(0x80 << (LANE * c) for c in range(NUM_PLAIN))
GEM_TOP_BITS = sum(0x80 << (LANE * c) for c in range(NUM_GEMS))
FULL_BAG = sum(n << (LANE * c) for c, n in enumerate(TOKEN_SUPPLY))

# Board [duel 3]: bit 5 * row + column.
SIDE, CELLS = 5, 25


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _array(values: list[int]) -> NDArray[np.int64]:
    array = np.array(values, dtype=np.int64)
    array.setflags(write=False)
    return array


_SPIRAL_ROWS = sorted(_rows("board.csv"), key=lambda row: int(row["order"]))
SPIRAL = _array([SIDE * int(row["row"]) + int(row["col"]) for row in _SPIRAL_ROWS])

# Lines [duel 5]: a direction is (row step, column step); anchors are the cells a line can start from.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def _lines(length: int) -> list[list[tuple[int, int]]]:
    """Return, per direction, (anchor cell, mask of the line's cells) in ascending order of anchors."""
    found = []
    for row_step, col_step in DIRECTIONS:
        lines = []
        for cell in range(CELLS):
            row, col = divmod(cell, SIDE)
            cells = [(row + i * row_step, col + i * col_step) for i in range(length)]
            if all(0 <= r < SIDE and 0 <= c < SIDE for r, c in cells):
                lines.append((cell, sum(1 << (SIDE * r + c) for r, c in cells)))
        found.append(lines)
    return found


_PAIRS, _TRIPLES = _lines(2), _lines(3)
# A diagonal to the lower left is tested from its right end; shifting wraps rows, so these columns are left out:
NOT_LAST_COLUMN = sum(1 << cell for cell in range(CELLS) if cell % SIDE != SIDE - 1)
NOT_FIRST_COLUMN = sum(1 << cell for cell in range(CELLS) if cell % SIDE != 0)
ALL_CELLS = (1 << CELLS) - 1

# Actions: the fixed numbering. Every range is [FIRST, next FIRST).
TAKE = 0  # 25 single cells, then 72 pairs, then 48 triples
PAIR = TAKE + CELLS
TRIPLE = PAIR + sum(len(lines) for lines in _PAIRS)
PRIVILEGE = TRIPLE + sum(len(lines) for lines in _TRIPLES)  # 25 cells
REPLENISH = PRIVILEGE + CELLS
RESERVE = REPLENISH + 1  # 12 pyramid slots, then the tops of the 3 decks
RESERVE_DECK = RESERVE + 12
BUY = RESERVE_DECK + 3  # 12 pyramid slots, then the 3 own reserved cards
BUY_RESERVED = BUY + 12
GOLD_CELL = BUY_RESERVED + 3  # 25 cells: which gold to take when reserving
PAY_GOLD = GOLD_CELL + CELLS  # 6 colours: one more gold instead of a token of that colour
PAY_DONE = PAY_GOLD + NUM_PLAIN
WILD = PAY_DONE + 1  # 5 colours the wild card joins
MATCH = WILD + NUM_GEMS  # 25 cells: token of the card's colour to take
STEAL = MATCH + CELLS  # 6 colours
ROYAL = STEAL + NUM_PLAIN  # 4 royals
DISCARD = ROYAL + 4  # 7 colours
NUM_ACTIONS = DISCARD + NUM_TOKENS
MAX_LEGAL = 201  # every main choice at once

TAKE_CELLS = _array(
    [1 << cell for cell in range(CELLS)]
    + [mask for lines in _PAIRS for _, mask in lines]
    + [mask for lines in _TRIPLES for _, mask in lines]
)
"""Cells of each take action, indexed by its id."""


def _main_ids() -> NDArray[np.int64]:
    """Return the action of every bit of the six masks of main choices: shape (6, 50), -1 where there is none.

    Masks 0-4 hold two sets of 25 cells each: single cells, the anchors of the pairs in four directions, of the triples
    in four directions, privilege cells; mask 5 holds replenish, 15 reserves, 15 purchases.
    """
    ids = np.full((6, 2 * CELLS), -1, dtype=np.int64)
    sets = [[(cell, 0) for cell in range(CELLS)], *_PAIRS, *_TRIPLES, [(cell, 0) for cell in range(CELLS)]]
    next_id = TAKE
    for number, lines in enumerate(sets):
        for anchor, _ in lines:
            ids[number // 2, CELLS * (number % 2) + anchor] = next_id
            next_id += 1
    ids[5, : GOLD_CELL - REPLENISH] = range(REPLENISH, GOLD_CELL)
    ids.setflags(write=False)
    return ids


MAIN_IDS = _main_ids()

# Cards [duel 7.1, 13]. In the pyramid: slots 0-4 level 1, 5-8 level 2, 9-11 level 3.
NUM_CARDS, NUM_LEVELS = 67, 3
LEVEL_SIZES = (30, 24, 13)
FIRST_CARD = (1, 31, 55)  # of each level
PYRAMID = (5, 4, 3)
FIRST_SLOT = (0, 5, 9)
NUM_SLOTS, NUM_RESERVED = 12, 3
SLOT_LEVEL = _array([level for level, n in enumerate(PYRAMID) for _ in range(n)])
UNKNOWN_CARD = NUM_CARDS + 1  # plus the level (0-2): a reserved card this seat may not know

# Bits of ABILITY, for cards and royals.
AGAIN, TAKE_MATCHING, STEALING, GIVES_PRIVILEGE, IS_WILD = 1, 2, 4, 8, 16
_ABILITIES = {
    "none": 0,
    "again": AGAIN,
    "take_matching": TAKE_MATCHING,
    "steal": STEALING,
    "privilege": GIVES_PRIVILEGE,
    "wild": IS_WILD,
    "wild+again": IS_WILD | AGAIN,
}
ABILITY_NAMES = {bits: name for name, bits in _ABILITIES.items()}

_CARDS = sorted(_rows("cards.csv"), key=lambda row: int(row["id"]))
_ROYALS = sorted(_rows("royals.csv"), key=lambda row: int(row["id"]))
NO_BONUS = -1  # points-only cards, and wild cards until they join a colour
_UNPAYABLE = sum(0x7F << (LANE * c) for c in range(NUM_PLAIN))


def _per_card(values: list[int], other: int) -> NDArray[np.int64]:
    """Index by card number: 0 (no card), 1-67, then the unknown cards of the three levels."""
    return _array([other, *values, other, other, other])


def _card_cost(row: dict[str, str]) -> int:
    return sum(int(row[color]) << (LANE * c) for c, color in enumerate(COLORS[:NUM_PLAIN]))


CARD_LEVEL = _array([-1, *(int(row["level"]) - 1 for row in _CARDS), 0, 1, 2])
CARD_COST = _per_card([_card_cost(row) for row in _CARDS], _UNPAYABLE)
"""Printed cost, 6 plain lanes; no card and unknown cards cost more than anyone can pay."""
CARD_BONUS = _per_card([COLORS.index(r["bonus"]) if r["bonus"] in COLORS else NO_BONUS for r in _CARDS], NO_BONUS)
CARD_BONUS_COUNT = _per_card([int(row["bonus_count"]) for row in _CARDS], 0)
CARD_POINTS = _per_card([int(row["points"]) for row in _CARDS], 0)
CARD_CROWNS = _per_card([int(row["crowns"]) for row in _CARDS], 0)
CARD_ABILITY = _per_card([_ABILITIES[row["ability"]] for row in _CARDS], 0)
WILD_CARDS = tuple(int(row["id"]) for row in _CARDS if row["bonus"] == "wild")
WILD_INDEX = _per_card([WILD_CARDS.index(n) if n in WILD_CARDS else -1 for n in range(1, NUM_CARDS + 1)], -1)

PURCHASE_COST = np.stack([np.where(CARD_ABILITY & IS_WILD, _UNPAYABLE, CARD_COST), CARD_COST])
"""CARD_COST for a buyer without (row 0) and with (row 1) a bonus that a wild card can join [duel 8.2]."""
PURCHASE_COST.setflags(write=False)

NUM_ROYALS, ALL_ROYALS = 4, 0b1111
ROYAL_POINTS = _array([int(row["points"]) for row in _ROYALS])
ROYAL_ABILITY = _array([_ABILITIES[row["ability"]] for row in _ROYALS])

# Numbers of the rules.
NUM_SCROLLS, HAND_LIMIT = 3, 10  # [duel 1, 10]
WIN_POINTS, WIN_CROWNS, WIN_COLOR = 20, 10, 10  # [duel 10]
ROYAL_CROWNS = (3, 6)  # [duel 9]
