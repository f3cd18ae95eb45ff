"""Perft: how many sequences of so many actions there are from a position. Counts by the oracle, stored in perft.csv.

``python -m tests.games.splendor_duel.count_perft`` counts every row of perft.csv again with the oracle (minutes) and
prints the file. A row's source is the seed of a deal or a position in the folder perft.
"""

import csv
import json
import sys
from pathlib import Path
from typing import Any

from harness.games.game import State
from harness.games.splendor_duel import GAME
from tests.games.splendor_duel.oracle import Oracle

FOLDER = Path(__file__).parent
FIELDS = ("name", "source", "depth", "count")


def rows() -> list[dict[str, str]]:
    with (FOLDER / "perft.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def start(source: str) -> State:
    """Return the State a row starts from."""
    if source.isdecimal():
        return GAME.new(2, int(source), GAME.options())
    return GAME.from_dict(json.loads((FOLDER / "perft" / source).read_text(encoding="utf-8")))


def perft(position: dict[str, Any], depth: int) -> int:
    """Count the sequences of ``depth`` actions; games that end sooner count nothing."""
    oracle = Oracle(position)
    legal = oracle.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for text in legal:
        after = Oracle(position)
        after.play(text, _laid(position) if text == "replenish" else None)
        total += perft(after.position(), depth - 1)
    return total


def _laid(position: dict[str, Any]) -> dict[str, str]:
    """Return the luck of a replenish, which only the position's key decides."""
    state = GAME.from_dict(position)
    GAME.apply(state, GAME.parse_action(state, "replenish"))
    before, after = Oracle(position).board, Oracle(GAME.to_dict(state)).board
    return {cell: after[cell] for cell in after if cell not in before}


def main() -> None:
    writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    writer.writeheader()
    for row in rows():
        count = perft(GAME.to_dict(start(row["source"])), int(row["depth"]))
        writer.writerow({**row, "count": count})
        sys.stdout.flush()


if __name__ == "__main__":
    main()
