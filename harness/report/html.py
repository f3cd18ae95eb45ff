"""One self-contained page: the answer first, then each chart beside the table with the same numbers."""

import json
import math
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from harness.report.charts import Chart, inline
from harness.report.data import RunData
from harness.report.table import Column, Table, ends, number

MAX_ROWS = 600
"""Rows of a table shown in the page; the CSV always holds all."""


@dataclass(frozen=True)
class Cell:
    """One cell: the printed value, its count, its interval, and the number to sort by."""

    text: str
    count: str
    interval: str
    sort: str


@dataclass(frozen=True)
class Section:
    """One chapter of the page; ``matrix`` shows the table as a square instead of a list."""

    id: str
    title: str
    lead: str
    chart: Chart | None
    tables: tuple[Table, ...]
    folded: tuple[Table, ...] = ()
    matrix: bool = False


def page(data: RunData, answer: list[str], sections: list[Section]) -> str:
    """Return the whole page as HTML."""
    environment = Environment(
        loader=PackageLoader("harness.report", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(
        cells=_cells, rows=_rows, picture=_picture, head_class=_head_class, square=_square, max_rows=MAX_ROWS,
        raw=lambda name: Markup(environment.loader.get_source(environment, name)[0]),  # type: ignore
    )  # fmt: skip
    facts = _facts(data)
    return environment.get_template("report.html.j2").render(
        data=data, info=data.info, answer=answer, sections=sections, facts=facts, raw_json=_pretty(data)
    )


def _rows(table: Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.frame.head(MAX_ROWS).to_dict("records")
    return rows


def _cells(table: Table, row: dict[str, Any]) -> list[tuple[Column, Cell]]:
    return [(column, _cell(row, column)) for column in table.columns]


def _cell(row: dict[str, Any], column: Column) -> Cell:
    value = row[column.key]
    plain = isinstance(value, str) or value is None or (isinstance(value, float) and math.isnan(value))
    count = f"n = {number(row[column.count], 'count')}" if column.count else ""
    interval = ends(row, column).strip("[]").replace(", ", " to ")
    return Cell(number(value, column.kind), count, interval, "" if plain else f"{float(value):.6g}")


def _square(table: Table) -> tuple[list[str], dict[tuple[str, str], dict[str, Any]]]:
    """Return the names of a cross-table in order, and its cells by row and column."""
    rows = {(r["bot"], r["against"]): r for r in table.frame.to_dict("records")}
    return list(dict.fromkeys(table.frame["bot"])), rows


def _head_class(column: Column) -> str:
    return "text" if column.kind == "text" else "number"


def _picture(chart: Chart) -> Markup:
    return Markup(inline(chart))


def _facts(data: RunData) -> list[tuple[str, str]]:
    """What to know to play this run again."""
    raw = data.info.raw
    fixed = raw.get("fixed") or {}
    found: list[tuple[str, Any]] = [
        ("Game", f"{data.info.title}, version {fixed['game_version']}" if "game_version" in fixed else data.info.title),
        ("Games", f"{len(data.games):,} games on {data.deals.count:,} deals, {data.players} seats"),
        ("Seed", fixed.get("seed")),
        ("Game options", fixed.get("game_options")),
        ("Limits", fixed.get("limits")),
        ("Bots", _bots(raw.get("bots"))),
        ("Signature", data.info.signature),
        ("Hash of the plan", raw.get("plan_hash")),
        ("Versions", raw.get("versions")),
        ("Machine", raw.get("machine")),
        ("Command", "harness run CONFIG.toml, with the config that stands in run.json below"),
    ]
    return [(key, _text(value)) for key, value in found if value not in (None, "", {}, [])]


def _bots(bots: Any) -> list[str]:
    """Name each bot with its options and the start of its source's hash."""
    if not isinstance(bots, dict):
        return []
    lines = []
    for name, facts in bots.items():
        facts = facts if isinstance(facts, dict) else {}
        options, digest = facts.get("options"), str(facts.get("sha256") or "")
        lines.append(f"{name}{f' ({_text(options)})' if options else ''}{f' {digest[:12]}' if digest else ''}")
    return lines


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items() if item is not None)
    if isinstance(value, list):
        return "; ".join(_text(item) for item in value)
    return str(value)


def _pretty(data: RunData) -> str:
    return json.dumps(data.info.raw, indent=2, ensure_ascii=False, default=str)
