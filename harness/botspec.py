"""How a bot is named in text: ``greedy``, ``mcts?simulations=500``, ``./my_bot.py:MyBot?depth=2``, ``module:Name``."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from harness.errors import UsageError

Option = int | float | bool | str
NAME = re.compile(r"[A-Za-z0-9_.-]+")
FORMS = "NAME, ./file.py, ./file.py:NAME or package.module:NAME, each with ?option=value&option=value"
_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<pick>[^:/]*))?")


@dataclass(frozen=True)
class BotSpec:
    """A bot spec taken apart. ``target`` is a registered name, a file or a module, as ``kind`` says."""

    text: str
    kind: Literal["name", "file", "module"]
    target: str
    pick: str | None = None
    """Which bot of a file or module, by registered or Python name."""
    options: dict[str, Option] = field(default_factory=dict)

    @property
    def default_name(self) -> str:
        """What the bot is called in a run when nobody says otherwise."""
        name = self.pick or (Path(self.target).stem if self.kind == "file" else self.target)
        return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def parse_spec(text: str) -> BotSpec:
    """Take a bot spec apart; UsageError when it cannot be one. Nothing is looked up or loaded."""
    if text.startswith("stdio:"):
        raise UsageError(f"bot {text!r}: external programs (stdio:) are not supported yet; write the bot in Python")
    target, _, query = text.partition("?")
    options = _parse_options(text, query)
    if found := _FILE.fullmatch(target):
        if found["pick"] == "":
            raise UsageError(f"bot {text!r}: a name is missing after ':'; write {FORMS}")
        return BotSpec(text, "file", found["path"], found["pick"], options)
    if "/" in target or target.startswith((".", "~")):
        raise UsageError(
            f"bot {text!r}: not a .py file; name one file, or load a folder with --plugin and name its bot"
        )
    module, colon, pick = target.partition(":")
    if colon:
        if not all(part.isidentifier() for part in module.split(".")) or not NAME.fullmatch(pick):
            raise UsageError(f"bot {text!r}: not a bot spec; write {FORMS}")
        return BotSpec(text, "module", module, pick, options)
    if not NAME.fullmatch(target):
        raise UsageError(f"bot {text!r}: not a bot spec; write {FORMS}")
    return BotSpec(text, "name", target, None, options)


def _parse_options(text: str, query: str) -> dict[str, Option]:
    options: dict[str, Option] = {}
    for part in query.split("&") if query else ():
        key, equals, value = part.partition("=")
        if not key.isidentifier() or not equals:
            raise UsageError(f"bot {text!r}: option {part!r} is not written option=value")
        if key in options:
            raise UsageError(f"bot {text!r}: option {key!r} is given twice; give it once")
        options[key] = parse_scalar(value)
    return options


def parse_scalar(text: str) -> Option:
    """Read a value as TOML would, so that specs and configs agree; what is no TOML scalar is a string."""
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, int | float | str) else text


def name_bots(specs: Sequence[str]) -> list[tuple[str, str]]:
    """Give the bots of a command line their names in the run: a name met again is numbered ``name#2``, ``name#3``."""
    seen: dict[str, int] = {}
    named = []
    for spec in specs:
        name = parse_spec(spec).default_name
        seen[name] = seen.get(name, 0) + 1
        named.append((name if seen[name] == 1 else f"{name}#{seen[name]}", spec))
    return named
