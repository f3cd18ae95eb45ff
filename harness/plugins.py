"""The registry of games and bots: entry points, modules, files and folders, all through the same two hooks."""

import difflib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, packages_distributions, version
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.api import Game
from harness.botspec import BotSpec, parse_spec
from harness.errors import BotLoadError, HarnessError, UsageError
from harness.offers import BotEntry, GameEntry, Offer, Origin, collect, pick
from harness.players import Player, as_player, product_maker
from harness.sources import explain, find_file, fingerprint, import_plugin_module, load_file, load_own

GROUP = "harness"
SWITCH = "HARNESS_LOAD_PLUGINS"
"""Environment variable: a comma list of the only entry points to load; empty for none. Unset loads all."""
OWN = "jewel-harness"


@dataclass(frozen=True)
class PluginError:
    """A plugin, or one name of it, that could not be taken in. The others were."""

    source: str
    text: str

    def __str__(self) -> str:
        return f"plugin {self.source}: {self.text}"


@dataclass(frozen=True)
class BotSource:
    """Everything needed to build a bot of a run again, elsewhere too: plain data, never code."""

    name: str
    """Its name in this run."""
    spec: str
    options: dict[str, Any]
    """All options, those of the spec included."""
    game: str
    sha256: str
    """Fingerprint of the source files it is made of."""
    distribution: str | None = None
    version: str | None = None


class Registry:
    """All games and bots at hand. Made by ``load_plugins``; a worker process makes its own from ``extra``."""

    def __init__(self) -> None:
        self.errors: list[PluginError] = []
        self.extra: tuple[str, ...] = ()
        """Plugin sources beside the installed ones; paths are absolute."""
        self._bots: dict[str, BotEntry] = {}
        self._games: dict[str, GameEntry] = {}
        self._files: dict[Path, tuple[ModuleType, Offer]] = {}

    def game_names(self) -> list[str]:
        return sorted(self._games)

    def game_origin(self, name: str) -> Origin:
        return self._games[name].origin

    def game(self, name: str) -> Game:
        """Return a game, imported now if need be; UsageError for an unknown name."""
        if name not in self._games:
            raise self._unknown("game", name, self._games)
        entry = self._games[name]
        if isinstance(entry.game, Game):
            return entry.game
        where = f"game {name!r} of plugin {entry.origin.source}"
        try:
            game = entry.game()
        except (Exception, SystemExit) as error:
            raise HarnessError(f"{where} could not be loaded: {explain(error)}") from error
        if not isinstance(game, Game):
            raise HarnessError(f"{where}: its loader gave {type(game).__name__}, not a Game")
        self._games[name] = replace(entry, game=game)
        return game

    def bots(self) -> list[BotEntry]:
        """Return the registered bots by name."""
        return [self._bots[name] for name in sorted(self._bots)]

    def find(self, spec: str | BotSpec, game: str | None = None) -> BotEntry:
        """Return the bot a spec means; ``game`` decides when a file or module offers bots for several games.

        UsageError for what is not there or not clear, BotLoadError for what is there and cannot be loaded.
        """
        spec = parse_spec(spec) if isinstance(spec, str) else spec
        if spec.kind == "name":
            if spec.target not in self._bots:
                raise self._unknown("bot", spec.target, self._bots)
            return self._bots[spec.target]
        if spec.kind == "file":
            module, offer = self._file(find_file(spec.target, "bot"))
        else:
            module, offer = _module(spec.target)
        return pick(spec, module, offer, game)

    def source(self, name: str, spec: str, options: dict[str, Any], game: Game) -> BotSource:
        """Describe a bot of a run as data, after building it once to see that it can be built.

        UsageError: unknown, not for this game, wrong options. BotLoadError: cannot be imported or built.
        """
        parsed = parse_spec(spec)
        if twice := sorted(set(parsed.options) & set(options)):
            raise UsageError(f"bot {name!r}: option {twice[0]!r} stands both in {spec!r} and in options; give it once")
        entry = self.find(parsed, game.name)
        if not entry.plays(game.name):
            raise UsageError(
                f"bot {name!r} ({spec}) is not for game {game.name!r} but for {', '.join(entry.games or ())}; "
                f"`harness bots list --game {game.name}` shows those that are"
            )
        source = BotSource(name, spec, {**parsed.options, **options}, game.name, sha256="")
        _, sha256 = _build(entry, source)
        return replace(source, sha256=sha256, distribution=entry.origin.distribution, version=entry.origin.version)

    def player_factory(self, source: BotSource) -> Callable[[], Player]:
        """Return what builds this bot anew for each game; BotLoadError when its code is not that of ``source``."""
        make, sha256 = _build(self.find(source.spec, source.game), source)
        if sha256 != source.sha256:
            raise BotLoadError(
                f"bot {source.name!r} ({source.spec}): its source changed since the run began, or differs on this "
                "machine; start the run again to see what can go on"
            )
        name = source.name
        return lambda: as_player(make(), name)

    def _unknown(self, kind: str, name: str, known: Iterable[str]) -> HarnessError:
        if close := difflib.get_close_matches(name, list(known), n=3):
            return UsageError(f"unknown {kind} {name!r}; did you mean {' or '.join(map(repr, close))}?")
        if self.errors:
            failed = "; ".join(map(str, self.errors))
            unknown = f"unknown {kind} {name!r}; perhaps it is in a plugin that did not load: {failed}"
            return BotLoadError(unknown) if kind == "bot" else UsageError(unknown)
        there = ", ".join(sorted(known)) or "none"
        more = " (a file is given as ./file.py)" if kind == "bot" else ""
        return UsageError(f"unknown {kind} {name!r}; there is: {there}{more}")

    def _file(self, path: Path) -> tuple[ModuleType, Offer]:
        path = path.resolve()
        if path not in self._files:
            try:
                module = load_file(path)
                self._files[path] = module, collect(module, Origin(str(path)))
            except (Exception, SystemExit) as error:
                raise BotLoadError(f"{path} could not be loaded: {explain(error)}") from error
        return self._files[path]

    def _take(self, offer: Offer) -> None:
        """Add what a plugin offers; a name that another plugin owns stays there, and that is reported."""
        for bot in offer.bots:
            owner = self._bots.setdefault(bot.name, bot)
            if owner.factory is not bot.factory:
                self._conflict("bot", bot, owner)
        for game in offer.games:
            holder = self._games.setdefault(game.name, game)
            if holder.game is not game.game:
                self._conflict("game", game, holder)

    def _conflict(self, kind: str, late: BotEntry | GameEntry, owner: BotEntry | GameEntry) -> None:
        text = f"{kind} {late.name!r} is already registered by plugin {owner.origin.source}, which keeps the name"
        self.errors.append(PluginError(late.origin.source, f"{text}; rename one of the two, or load only one of them"))

    def _load(self, source: str, loader: Callable[[], Offer]) -> None:
        try:
            self._take(loader())
        except (Exception, SystemExit) as error:  # whatever a plugin does, the others load
            cause = error.__cause__ or error  # what a file or module raised, without its name once more
            text = str(cause) if isinstance(cause, HarnessError) else f"could not be loaded: {explain(cause)}"
            self.errors.append(PluginError(source, text))

    def _load_extra(self, source: str) -> str:
        """Load one source given by the user and return it as a worker process should be given it."""
        if not source.strip():
            raise UsageError(f"plugin {source!r}: has no name; give a module, ./file.py or a folder")
        if not _is_path(source):
            self._load(source, lambda: _nonempty(_module(source)[1]))
            return source
        path = find_file(source, "plugin").resolve()
        if path.is_dir():
            for file in sorted(path.glob("[!_.]*.py")):
                self._load(str(file), lambda file=file: self._named(file))  # type: ignore[misc]
        else:
            self._load(str(path), lambda: _nonempty(self._named(path)))
        return str(path)

    def _named(self, path: Path) -> Offer:
        """Return a file's offer under names that can stand in a list: its ``choose`` is called as the file is."""
        offer = self._file(path)[1]
        stem = BotSpec(str(path), "file", str(path)).default_name
        bots = [replace(b, name=stem) if b.name == b.factory.__name__ == "choose" else b for b in offer.bots]
        return Offer(bots, offer.games)


def load_plugins(extra: Sequence[str] = ()) -> Registry:
    """Load the installed plugins (entry points of group ``harness``), then ``extra``: modules, .py files, folders.

    A plugin that fails is in ``Registry.errors`` and the others load. UsageError when an extra path does not exist.
    """
    registry = Registry()
    for entry_point in _entry_points(registry):
        source = f"{entry_point.dist.name}:{entry_point.name}" if entry_point.dist else entry_point.name
        registry._load(source, lambda ep=entry_point, source=source: _load_entry_point(ep, source))  # type: ignore[misc]
    registry.extra = tuple(registry._load_extra(source) for source in dict.fromkeys(extra))
    return registry


def _entry_points(registry: Registry) -> list[EntryPoint]:
    """Return the entry points to load: this distribution's first, so that nobody can take its names."""
    found = {(ep.dist.name if ep.dist else "", ep.name): ep for ep in entry_points(group=GROUP)}
    ordered = [found[key] for key in sorted(found, key=lambda key: (key[0] != OWN, key))]
    if (only := os.environ.get(SWITCH)) is None:
        return ordered
    wanted = {name.strip() for name in only.split(",") if name.strip()}
    for name in sorted(wanted - {ep.name for ep in ordered}):
        there = ", ".join(sorted({ep.name for ep in ordered})) or "none"
        registry.errors.append(PluginError(name, f"named in {SWITCH} but not installed; there is: {there}"))
    return [ep for ep in ordered if ep.name in wanted]


def _load_entry_point(entry_point: EntryPoint, source: str) -> Offer:
    dist = entry_point.dist
    module = load_own(entry_point.module) if dist is not None and dist.name == OWN else entry_point.load()
    if not isinstance(module, ModuleType):
        raise TypeError(f"entry point {entry_point.value!r} is no module; name the module that has the hooks")
    return collect(module, Origin(source, dist.name, dist.version) if dist else Origin(source))


def _module(name: str) -> tuple[ModuleType, Offer]:
    module = import_plugin_module(name)
    try:
        return module, collect(module, _module_origin(name))
    except (Exception, SystemExit) as error:
        raise BotLoadError(f"{name} could not be loaded: {explain(error)}") from error


def _module_origin(name: str) -> Origin:
    owners = packages_distributions().get(name.partition(".")[0])
    if not owners:
        return Origin(name)
    try:
        return Origin(name, owners[0], version(owners[0]))
    except PackageNotFoundError:
        return Origin(name)


def _is_path(source: str) -> bool:
    return source.endswith(".py") or "/" in source or source.startswith((".", "~")) or Path(source).is_dir()


def _nonempty(offer: Offer) -> Offer:
    if not offer.bots and not offer.games:
        raise BotLoadError("it offers no bot and no game; see the hooks in harness.api")
    return offer


def _build(entry: BotEntry, source: BotSource) -> tuple[Callable[[], object], str]:
    """Build a bot once: what makes it, and the fingerprint of its code. Raises UsageError or BotLoadError."""
    make = product_maker(entry.factory, source.options, source.name)
    try:
        product = make()
    except (Exception, SystemExit) as error:
        options = ", ".join(f"{key}={value!r}" for key, value in source.options.items()) or "none"
        raise BotLoadError(
            f"bot {source.name!r} ({source.spec}) could not be built with options {options}: {explain(error)}"
        ) from error
    as_player(product, source.name)
    return make, fingerprint(entry.factory, product)
