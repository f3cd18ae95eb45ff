"""Reports: tables made of a run's games, then charts, then one page. Reads the store, never counts by itself."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from harness.errors import UsageError
from harness.report import charts, headline, html, tables, text, victory
from harness.report.data import RunData, read
from harness.report.html import Section
from harness.report.table import Table

__all__ = ["forfeits", "render", "summary", "write"]

FOLDER = "report"


def write(run: Path) -> Path:
    """Write ``run/report/``: report.html, tables/*.csv and *.md, charts/*.svg and *.png. Return the page's path.

    UsageError when the run holds no games, cannot be read, or the folder cannot be written.
    """
    return render(read(run, sign=True), run / FOLDER)


def summary(run: Path) -> str:
    """Return the answer, the leaderboard and the victory types as text for a terminal (80 columns)."""
    data = read(run)
    made = build(data)
    shown = [made[name] for name in ("leaderboard", "victory_types_wins", "victory_types_losses")]
    lines = [line for sentence in headline.sentences(data, made) for line in text.bullet(sentence)]
    return "\n".join([*lines, "", *(text.plain(table, notes=False) for table in shown)])


def forfeits(run: Path) -> list[str]:
    """Return, wrapped in lines, a sentence for each bot and cause of forfeits, with the game where it came first."""
    lines = []
    for row in tables.faults(read(run)).frame.to_dict("records"):
        lines += text.bullet(
            f"{row['bot']} forfeited {row['forfeits']:,} of its {row['games']:,} games by {row['cause']}, "
            f"first {row['game_id']}; most often: {row['example'] or 'no reason given'}"
        )
    return lines


def build(data: RunData) -> dict[str, Table]:
    """Return all tables of a run by name."""
    pairings, by_bot, measures = tables.pairings(data), victory.by_bot(data), tables.measures(data)
    made = [
        tables.leaderboard(data), by_bot, victory.overview(data, by_bot), victory.overview(data, by_bot, won=False),
        victory.by_pairing(data), pairings, tables.cross_table(data, pairings), tables.seat_advantage(data),
        tables.game_length(data), tables.measures_overall(measures), measures, tables.faults(data),
    ]  # fmt: skip
    return {table.name: table for table in made}


def render(data: RunData, out: Path) -> Path:
    """Write the report on ``data`` into the folder ``out`` and return the path of its page."""
    made = build(data)
    drawn = charts.draw(data, made)
    page = html.page(data, headline.sentences(data, made), list(_sections(data, made, drawn)))
    # Editors and diffs are kinder to lines without blanks at their end.
    files: dict[str, bytes] = {"report.html": re.sub(r"[ \t]+\n", "\n", page).encode()}
    for name, table in made.items():
        files[f"tables/{name}.csv"] = table.frame.to_csv(index=False, lineterminator="\n").encode()
        files[f"tables/{name}.md"] = text.markdown(table).encode()
    for name, chart in drawn.items():
        files[f"charts/{name}.svg"] = chart.svg.encode()
        files[f"charts/{name}.png"] = chart.png
    for name, content in reversed(files.items()):  # the page last: when it is there, so is the rest
        _put(out / name, content)
    return out / "report.html"


def _put(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise UsageError(
            f"cannot write {path} ({error.strerror or error}): free some space or mend the folder, then run "
            "`harness report` again; the games are untouched"
        ) from error


def _sections(data: RunData, made: dict[str, Table], drawn: dict[str, charts.Chart]) -> Iterator[Section]:
    yield Section(
        "leaderboard", "Leaderboard", "Which bot is better, and how sure that is.", drawn.get("leaderboard"),
        (made["leaderboard"],),
    )  # fmt: skip
    yield Section(
        "victory", "Victory types", "By which road each bot wins, and by which it is beaten.", drawn["victory_types"],
        (made["victory_types_wins"], made["victory_types_losses"]),
        (made["victory_types"], made["victory_types_by_pairing"]),
    )  # fmt: skip
    yield Section(
        "cross-table", "Cross-table", "Who beats whom.", drawn.get("cross_table"), (made["cross_table"],),
        (made["pairings"],), matrix=True,
    )  # fmt: skip
    yield Section(
        "seats", "Seat advantage", "What it is worth to begin. Deals are played from every seat.",
        drawn["seat_advantage"], (made["seat_advantage"],),
    )  # fmt: skip
    yield Section(
        "length", "Game length", "How long games take, by the way they end.", drawn["game_length"],
        (made["game_length"],),
    )  # fmt: skip
    if data.measures:
        yield Section(
            "measures", "Measures", "What winners have more of at the end, and losers.", None,
            (made["measures_overall"],), (made["measures"],),
        )  # fmt: skip
    yield Section("faults", "Faults", "Games forfeited by a bot’s own fault.", None, (made["faults"],))
