"""A run's settings: TOML to frozen models, with every error of a file told at once by key and next step."""

import difflib
import json
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from harness.api import Game
from harness.botspec import NAME, parse_spec
from harness.errors import BotLoadError, HarnessError, UsageError
from harness.games.game import GameOptions
from harness.plugins import Registry
from harness.records import MAX_DEALS

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ScheduleConfig(_Settings):
    """Who meets whom."""

    kind: Literal["round-robin", "gauntlet"] = "round-robin"
    hero: str | None = None
    """Gauntlet only: the bot that sits at every table."""
    mirrors: bool = False
    """Each bot against itself as well."""


class LimitsConfig(_Settings):
    """Clocks; without them no clock decides a game."""

    clock: Literal["wall", "cpu"] = "wall"
    move_seconds: Seconds | None = None
    bank_seconds: Seconds | None = None
    """Per seat and game."""
    start_seconds: Seconds = 60.0


class BotConfig(_Settings):
    """One bot of a run."""

    name: str = Field(pattern=rf"^{NAME.pattern}(#[0-9]+)?$")
    bot: str
    """A bot spec."""
    options: dict[str, Any] = {}


class RunConfig(_Settings):
    """All settings of a run. ``checked`` fills in what depends on the game."""

    game: str
    seed: int = Field(ge=0)
    deals: int = Field(ge=1, le=MAX_DEALS)
    seats: int | None = None
    """Bots at a table; None means the game's smallest table until ``checked`` has filled it in."""
    game_options: dict[str, Any] = {}
    schedule: ScheduleConfig = ScheduleConfig()
    limits: LimitsConfig = LimitsConfig()
    bots: Annotated[tuple[BotConfig, ...], Field(strict=False)]

    def resolved(self) -> dict[str, Any]:
        """Return the settings as plain JSON data, for run.json."""
        return self.model_dump(mode="json")

    def options_for(self, game: Game) -> GameOptions:
        """Return the game's options model; pydantic.ValidationError when they do not fit."""
        return game.options.model_validate_json(json.dumps(self.game_options))


class Problem:
    """One thing wrong with a config: ``key: what; what to do``."""

    def __init__(self, key: str, what: str, cause: type[HarnessError] = UsageError) -> None:
        self.key, self.what, self.cause = key, what, cause

    def __str__(self) -> str:
        return f"{self.key}: {self.what}" if self.key else self.what


def load_config(path: str | Path, registry: Registry | None = None) -> RunConfig:
    """Read a TOML config; UsageError with all that is wrong in it, one ``file: key: what; what to do`` a line.

    With a registry the result is also ``checked``. Paths of bot files are taken from the config's folder.
    """
    path = Path(path)
    config, problems = parse(_read(path), path.parent)
    if config is not None and registry is not None and not problems:
        config, problems = _check(config, registry)
    return _settled(config, problems, f"{path}: ")


def checked(config: RunConfig, registry: Registry) -> RunConfig:
    """Return the config with seats and game options filled in, once game, seats, options and bots are seen to fit.

    UsageError tells all that does not; BotLoadError when bots that cannot be loaded are all that is wrong.
    """
    return _settled(*_check(config, registry), "")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; name a TOML config such as configs/quickstart.toml") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a folder; name a TOML config such as configs/quickstart.toml") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a text in UTF-8 (byte {error.start}); save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}; strings need quotes, a table begins with [name]") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, thousands of brackets
        raise UsageError(f"{path}: not a config: {error}; compare it with configs/quickstart.toml") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; check the file and its permissions") from None


def parse(data: dict[str, Any], folder: Path) -> tuple[RunConfig | None, list[Problem]]:
    """Make a config of TOML data, or say all that is wrong with it. Nothing is looked up in plugins."""
    data = dict(data)
    problems = _not_yet(data)
    try:
        config = RunConfig.model_validate(data)
    except ValidationError as error:
        return None, problems + [_problem(details, RunConfig, data) for details in error.errors()]
    problems += _bot_problems(config) + _schedule_problems(config)
    return config.model_copy(update={"bots": tuple(placed(bot, folder) for bot in config.bots)}), problems


def _not_yet(data: dict[str, Any]) -> list[Problem]:
    """Refuse, and take out, what is announced but cannot be had yet: it must not be ignored silently."""
    problems = []
    if data.get("seed") == "secret":
        problems.append(Problem("seed", '"secret" is not available yet; give a number'))
        data["seed"] = 0
    if isinstance(limits := data.get("limits"), dict) and "memory_mb" in limits:
        problems.append(Problem("limits.memory_mb", "is not available yet; leave it out"))
        data["limits"] = {key: value for key, value in limits.items() if key != "memory_mb"}
    return problems


def _bot_problems(config: RunConfig) -> list[Problem]:
    problems = []
    names = [bot.name for bot in config.bots]
    for number, bot in enumerate(config.bots, 1):
        if "#" in bot.name:
            problems.append(Problem(f"bot {number}: name", f"{bot.name!r}: '#' is for numbering; take another name"))
        if bot.name in names[: number - 1]:
            first = names.index(bot.name) + 1
            problems.append(
                Problem(f"bot {number}: name", f"{bot.name!r} is the name of bot {first} already; give each its own")
            )
        try:
            parse_spec(bot.bot)
        except UsageError as error:
            problems.append(Problem(f"bot {number} ({bot.name}): bot", str(error)))
    if len(names) < 2 and not (names and config.schedule.mirrors):
        problems.append(Problem("bots", f"has {len(names)} bot; a tournament needs two or more [[bots]]"))
    return problems


def _schedule_problems(config: RunConfig) -> list[Problem]:
    hero, names = config.schedule.hero, [bot.name for bot in config.bots]
    if config.schedule.kind == "gauntlet" and hero is None:
        return [Problem("schedule.hero", 'is missing; kind = "gauntlet" needs hero = "<name of a bot>"')]
    if config.schedule.kind != "gauntlet" and hero is not None:
        return [Problem("schedule.hero", 'is for kind = "gauntlet" only; set that kind or leave hero out')]
    if hero is not None and hero not in names:
        return [Problem("schedule.hero", f"no bot is called {hero!r}{_close(hero, names)}")]
    return []


def placed(bot: BotConfig, folder: Path) -> BotConfig:
    """Return the bot with the path of its file made absolute, if it is one; a relative one begins at ``folder``."""
    try:
        spec = parse_spec(bot.bot)
    except UsageError:
        return bot
    if spec.kind != "file":
        return bot
    path = os.path.abspath(folder / os.path.expanduser(spec.target))
    return bot.model_copy(update={"bot": path + bot.bot[len(spec.target) :]})


def _check(config: RunConfig, registry: Registry) -> tuple[RunConfig, list[Problem]]:
    try:
        game = registry.game(config.game)
    except HarnessError as error:
        return config, [Problem("game", str(error), type(error))]
    problems = []
    low, high = game.seats
    seats = low if config.seats is None else config.seats
    if not low <= seats <= high:
        span = str(low) if low == high else f"{low} to {high}"
        problems.append(Problem("seats", f"{seats} is not for {game.name}; it has {span} seats"))
    elif len(config.bots) < seats and not config.schedule.mirrors:
        problems.append(
            Problem("seats", f"{seats} seats need {seats} bots or more, not {len(config.bots)}; add [[bots]]")
        )
    options = config.game_options
    try:
        options = config.options_for(game).model_dump(mode="json")
    except ValidationError as error:
        problems += [_problem(details, game.options, options, "game_options") for details in error.errors()]
    except TypeError as error:  # a TOML date, for instance
        problems.append(Problem("game_options", f"{error}; use numbers, strings, true or false"))
    for number, bot in enumerate(config.bots, 1):
        try:
            registry.source(bot.name, bot.bot, bot.options, game)
        except HarnessError as error:
            problems.append(Problem(f"bot {number} ({bot.name})", str(error), type(error)))
    return config.model_copy(update={"seats": seats, "game_options": options}), problems


def _settled(config: RunConfig | None, problems: list[Problem], prefix: str) -> RunConfig:
    if config is not None and not problems:
        return config
    causes = {problem.cause for problem in problems}
    error = BotLoadError if causes == {BotLoadError} else UsageError
    raise error("\n".join(f"{prefix}{problem}" for problem in problems))


_WHAT = {
    "missing": "is missing; add it",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be a string in quotes",
    "bool_type": "must be true or false",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "tuple_type": "must be a list of tables, each begun by [[bots]]",
    "string_pattern_mismatch": "use letters, digits, '_', '.' and '-' only",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "greater_than": "must be more than {gt}",
}


def _problem(details: ErrorDetails, root: type[BaseModel], data: object, prefix: str = "") -> Problem:
    """Put one pydantic error into words."""
    location = details["loc"]
    key = _key([prefix, *location] if prefix else location, data)
    if details["type"] == "extra_forbidden":
        known = list(_model_at(root, location[:-1]).model_fields)
        close = _close(str(location[-1]), known) or f"; known are {', '.join(known) or 'none'}"
        return Problem(key, f"unknown key{close}")
    known_what = _WHAT.get(details["type"])
    what = known_what.format(**details.get("ctx", {})) if known_what else details["msg"][0].lower() + details["msg"][1:]
    given = "" if details["type"] == "missing" else f", not {details['input']!r:.60}"
    return Problem(key, what + given)


def _key(location: Iterable[int | str], data: object) -> str:
    parts = list(location)
    if len(parts) >= 2 and parts[0] == "bots" and isinstance(parts[1], int):
        bots = data.get("bots") if isinstance(data, dict) else None
        bot = bots[parts[1]] if isinstance(bots, list) else None
        name = f" ({bot['name']})" if isinstance(bot, dict) and isinstance(bot.get("name"), str) else ""
        return f"bot {parts[1] + 1}{name}" + "".join(f": {part}" for part in parts[2:3])
    return ".".join(map(str, parts))


def _model_at(root: type[BaseModel], location: Iterable[int | str]) -> type[BaseModel]:
    sections: dict[str, type[BaseModel]] = {"schedule": ScheduleConfig, "limits": LimitsConfig, "bots": BotConfig}
    first = next(iter(location), None)
    return sections.get(str(first), root) if root is RunConfig else root


def _close(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=2)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
