"""A table of a report: a frame, what its columns mean, and how a value is printed. The same cells go to all formats."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

KINDS = ("text", "count", "percent", "elo", "signed", "number", "seconds", "p", "rank")


@dataclass(frozen=True)
class Column:
    """One printed column: ``key`` of the frame, and of its interval if the frame has ``<key>_low`` and ``_high``."""

    key: str
    head: str
    kind: str = "count"
    count: str = ""
    """Key of the count printed with it, e.g. the 122 of "61 % (122)"."""


@dataclass(frozen=True)
class Table:
    """Numbers and words of one table. ``name`` is its file name, ``frame`` exactly what its CSV holds."""

    name: str
    title: str
    frame: pd.DataFrame
    columns: Sequence[Column]
    notes: Sequence[str] = ()
    keys: int = 1
    """How many leading columns name the row."""

    @property
    def empty(self) -> bool:
        return len(self.frame) == 0


def cell(row: dict[str, Any], column: Column, *, interval: bool = True, narrow: bool = False) -> str:
    """Return a value with its count and interval as text: "61 % (122) [55, 67]"; "-" where there is nothing."""
    fine = interval and column.kind == "percent" and _tight(row, column)
    value = number(row[column.key], "fine" if fine else column.kind, narrow)
    if column.count:
        value = f"{value} ({number(row[column.count], 'count')})"
    spread = ends(row, column, narrow) if interval else ""
    return f"{value} {spread}" if spread else value


def ends(row: dict[str, Any], column: Column, narrow: bool = False) -> str:
    """Return the interval of a cell as text, "" if it has none or none is known."""
    low, high = row.get(f"{column.key}_low"), row.get(f"{column.key}_high")
    if low is None or high is None or (math.isnan(low) or math.isnan(high)):
        return ""
    if column.kind == "rank" and low == high:
        return ""
    kind = "bare" if column.kind == "percent" else column.kind
    if kind == "bare" and narrow and not _tight(row, column):
        kind = "whole"
    if low == -math.inf:
        return f"[≤ {number(high, kind)}]"
    if high == math.inf:
        return f"[≥ {number(low, kind)}]"
    separator = "," if narrow else ", "
    return f"[{number(low, kind)}{separator}{number(high, kind)}]"


def _tight(row: dict[str, Any], column: Column) -> bool:
    """Whether an interval of percents is too narrow for whole numbers."""
    low, high = row.get(f"{column.key}_low"), row.get(f"{column.key}_high")
    return low is not None and high is not None and bool(high - low < 0.03)


def number(value: Any, kind: str, narrow: bool = False) -> str:
    """Return one value as text."""
    if kind == "text":
        return "" if value is None else str(value)
    if value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NA:
        return "–"
    return _FORMATS[kind](float(value), narrow)


def _percent(value: float, narrow: bool) -> str:
    return f"{100 * value:.0f}%" if narrow else f"{100 * value:.1f} %"


def _signed(value: float, digits: int) -> str:
    text = f"{value:+.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


_FORMATS: dict[str, Callable[[float, bool], str]] = {
    "count": lambda v, _: f"{v:,.0f}" if v == round(v) else f"{v:,.1f}",
    "percent": _percent,  # "61.3 %", or "61%" where space is short
    "fine": lambda v, narrow: f"{100 * v:.1f}{'%' if narrow else ' %'}",
    "bare": lambda v, _: f"{100 * v:.0f}" if v in (0, 1) else f"{100 * v:.1f}",
    "elo": lambda v, _: _signed(v, 0),
    "whole": lambda v, _: f"{100 * v:.0f}",
    "signed": lambda v, _: _signed(v, 2),
    "number": lambda v, _: f"{v:.2f}" if abs(v) < 10 else f"{v:.1f}",
    "seconds": lambda v, _: f"{v:.3g} s" if v >= 1 else f"{1000 * v:.3g} ms" if v >= 1e-3 else f"{1e6 * v:.3g} µs",
    "rank": lambda v, _: f"{v:.0f}",
    "p": lambda v, _: "< 0.001" if v < 0.001 else f"{v:.3f}",
}


def words(name: str) -> str:
    """Return a key as words: ``turn_limit`` -> "turn limit"."""
    return name.replace("_", " ")
