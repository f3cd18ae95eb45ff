"""Tables as plain text and as Markdown, never wider than asked: a wide table is continued below itself."""

import textwrap
from collections.abc import Sequence

from harness.report.table import Column, Table, cell

WIDTH = 80


def plain(table: Table, width: int = WIDTH, *, notes: bool = True, limit: int | None = None) -> str:
    """Return a table for a terminal. ``limit`` shows so many rows and says how many there are."""
    lines = [table.title, "=" * len(table.title)]
    if table.empty:
        return "\n".join([*lines, "nothing to show", ""])
    rows = table.frame.head(limit) if limit else table.frame
    for block in _blocks(table, rows.to_dict("records"), width, "  "):
        lines += ["", *("  ".join(parts).rstrip() for parts in block)]
    if len(rows) < len(table.frame):
        lines += [f"... {len(table.frame)} rows in all, see tables/{table.name}.csv"]
    if notes:
        lines += ["", *(line for note in table.notes for line in _wrapped(note, width))]
    return "\n".join([*lines, ""])


def markdown(table: Table, width: int = WIDTH) -> str:
    """Return a table as Markdown (pipes), its notes below."""
    lines = [f"### {table.title}", ""]
    if table.empty:
        return "\n".join([*lines, "nothing to show", ""])
    for block in _blocks(table, table.frame.to_dict("records"), width - 4, " | "):
        head, _, *body = block
        left = len(_keys(table))
        rule = [("-" * len(h)) if i < left else "-" * (len(h) - 1) + ":" for i, h in enumerate(head)]
        lines += ["| " + " | ".join(parts) + " |" for parts in (head, rule, *body)] + [""]
    for note in table.notes:
        lines += bullet(note, width)
    return "\n".join([*lines, ""])


def bullet(sentence: str, width: int = WIDTH) -> list[str]:
    """Return a sentence as one item of a list, wrapped."""
    first, *rest = _wrapped(sentence, width - 2)
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _keys(table: Table) -> Sequence[Column]:
    return table.columns[: table.keys]


def _blocks(table: Table, rows: list[dict[str, object]], width: int, gap: str) -> list[list[list[str]]]:
    """Cut the columns into blocks that fit; each block: head, rule, rows of padded texts; key columns repeat."""
    columns = [
        [_escape(c.head, gap)] + [_escape(cell(row, c, narrow=True), gap) for row in rows] for c in table.columns
    ]
    padded = []
    for column, texts in zip(table.columns, columns, strict=True):
        most = max(len(t) for t in texts)
        align = str.ljust if column.kind == "text" else str.rjust
        padded.append([align(texts[0], most), "-" * most, *(align(t, most) for t in texts[1:])])
    keys, rest = padded[: table.keys], padded[table.keys :]
    used = sum(len(k[0]) + len(gap) for k in keys)
    blocks: list[list[list[str]]] = []
    room = -1
    for texts in rest:
        need = len(texts[0]) + len(gap)
        if not blocks or need > room:
            blocks.append([*keys])
            room = width - used + len(gap)
        blocks[-1].append(texts)
        room -= need
    return [[list(row) for row in zip(*block, strict=True)] for block in blocks]


def _escape(text: str, gap: str) -> str:
    """One line; in Markdown no pipe and no mark-up."""
    text = " ".join(text.split())
    if "|" not in gap:
        return text
    for mark in "\\|`*<>":
        text = text.replace(mark, "\\" + mark)
    return text


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False) or [""]
