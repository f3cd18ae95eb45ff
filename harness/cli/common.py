"""What several commands share: option types, loading plugins, printing tables and JSON."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from harness.plugins import Registry

WIDTH = 80

Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin", metavar="SOURCE", help="Load more bots or games: a module, ./file.py or a folder of them."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but results and errors.")]
NoProgress = Annotated[bool, typer.Option("--no-progress", help="Show no progress.")]


@contextmanager
def results_only_on_stdout() -> Iterator[None]:
    """While plugins and bots run, send what they print to stderr, worker processes and compiled code included.

    The current folder is put back too: relative paths are the user's.
    """
    sys.stdout.flush()
    saved, here = os.dup(1), os.open(".", os.O_PATH)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(saved, 1)
        os.fchdir(here)
        os.close(saved)
        os.close(here)


def load_registry(plugins: Sequence[str] | None) -> "Registry":
    """Load the plugins; those that fail are told on stderr and the rest are there."""
    from harness.plugins import load_plugins

    with results_only_on_stdout():
        registry = load_plugins(plugins or ())
    for error in registry.errors:
        print(f"warning: {error}", file=sys.stderr)
    return registry


def print_json(data: object) -> None:
    print(json.dumps(data, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, numbers: Sequence[str] = ()) -> None:
    """Print a table that fits the terminal, or 80 columns when there is none; ``numbers`` are set to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console.print(table)


def _cell(value: object) -> str:
    from rich.markup import escape

    return escape("" if value is None else str(value))


def shown(path: Path) -> str:
    """Return a path as a user would type it from here."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
