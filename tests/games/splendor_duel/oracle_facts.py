"""What the oracle knows of the game: cards, royals, board and what one seat has, on dicts and lists."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import harness.games.splendor_duel as package

GEMS = ("white", "blue", "green", "red", "black")
PLAIN = (*GEMS, "pearl")
COLORS = (*PLAIN, "gold")
LETTER_OF_COLOR = dict(zip(COLORS, ("W", "U", "G", "R", "K", "P", "Au"), strict=True))
COLOR_OF_LETTER = {letter: color for color, letter in LETTER_OF_COLOR.items()}
PYRAMID_SIZES = {"1": 5, "2": 4, "3": 3}


def _read(name: str) -> list[dict[str, str]]:
    with (Path(package.__file__).parent / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _abilities(text: str) -> list[str]:
    return [] if text == "none" else text.split("+")


CARDS: dict[int, dict[str, Any]] = {
    int(row["id"]): {
        "level": row["level"],
        "color": row["bonus"] if row["bonus"] in GEMS else None,
        "bonuses": int(row["bonus_count"]),
        "points": int(row["points"]),
        "crowns": int(row["crowns"]),
        "abilities": _abilities(row["ability"]),
        "cost": {color: int(row[color]) for color in PLAIN if int(row[color])},
    }
    for row in _read("cards.csv")
}
ROYALS: dict[int, dict[str, Any]] = {
    int(row["id"]): {"points": int(row["points"]), "abilities": _abilities(row["ability"])}
    for row in _read("royals.csv")
}


def cell_name(row: int, column: int) -> str:
    return f"{'abcde'[column]}{row + 1}"


CELLS = [cell_name(row, column) for row in range(5) for column in range(5)]
_SPIRAL_ROWS = sorted(_read("board.csv"), key=lambda row: int(row["order"]))
SPIRAL = [cell_name(int(row["row"]), int(row["col"])) for row in _SPIRAL_ROWS]


def _straight_lines() -> list[tuple[str, ...]]:
    """Every line of 1, 2 or 3 neighbouring cells, its cells in reading order."""
    lines: list[tuple[str, ...]] = [(cell,) for cell in CELLS]
    for row in range(5):
        for column in range(5):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                for length in (2, 3):
                    last = row + down * (length - 1), column + right * (length - 1)
                    if all(0 <= place < 5 for place in last):
                        lines.append(tuple(cell_name(row + i * down, column + i * right) for i in range(length)))
    return lines


LINES = _straight_lines()


def without_zeros(counts: Counter[str]) -> dict[str, int]:
    return {name: n for name, n in counts.items() if n}


class Player:
    """What one seat has."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.tokens = Counter(given["tokens"])
        self.privileges: int = given["privileges"]
        self.cards: list[int] = list(given["cards"])
        self.wild_colors: dict[int, str] = {int(card): color for card, color in given["wild_colors"].items()}
        self.royals: list[int] = list(given["royals"])
        self.reserved: list[dict[str, Any] | None] = list(given["reserved"])
        self.turns: int = given["turns"]
        self.counters = Counter(given["counters"])

    def to_dict(self) -> dict[str, Any]:
        return {
            "tokens": without_zeros(self.tokens),
            "privileges": self.privileges,
            "cards": sorted(self.cards),
            "wild_colors": {str(card): color for card, color in self.wild_colors.items()},
            "royals": sorted(self.royals),
            "reserved": list(self.reserved),
            "turns": self.turns,
            "counters": without_zeros(self.counters),
        }

    def color_of(self, card: int) -> str | None:
        """Return the colour of an owned card; None for points-only cards and a wild card not laid yet."""
        return self.wild_colors.get(card, CARDS[card]["color"])

    def bonuses(self) -> Counter[str]:
        """Return the bonuses by colour. A wild card counts one, whatever it lies on [duel 8.2]."""
        found: Counter[str] = Counter()
        for card in self.cards:
            color = self.color_of(card)
            if color is not None:
                found[color] += CARDS[card]["bonuses"]
        return found

    def points(self) -> int:
        return sum(CARDS[card]["points"] for card in self.cards) + sum(ROYALS[royal]["points"] for royal in self.royals)

    def crowns(self) -> int:
        return sum(CARDS[card]["crowns"] for card in self.cards)

    def points_of_color(self, color: str) -> int:
        return sum(CARDS[card]["points"] for card in self.cards if self.color_of(card) == color)

    def price(self, card: int) -> dict[str, int]:
        """Return what the card costs after bonuses, which always apply [duel 7]."""
        bonuses = self.bonuses()
        return {color: max(0, n - bonuses[color]) for color, n in CARDS[card]["cost"].items()}

    def missing(self, card: int) -> dict[str, int]:
        """Return the part of the price that gold must stand for."""
        return {color: max(0, n - self.tokens[color]) for color, n in self.price(card).items()}

    def can_buy(self, card: int) -> bool:
        if "wild" in CARDS[card]["abilities"] and not self.bonuses():
            return False
        return sum(self.missing(card).values()) <= self.tokens["gold"]

    def ways_to_win(self) -> list[str]:
        ways = []
        if any(self.points_of_color(color) >= 10 for color in GEMS):
            ways.append("color")
        if self.crowns() >= 10:
            ways.append("crowns")
        if self.points() >= 20:
            ways.append("points")
        return ways
