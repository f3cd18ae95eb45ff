"""What one plugin offers: the bots and games it registers through its hooks, or the Bot classes it simply defines."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast

import pluggy

from harness import hookspecs
from harness.api import Bot, Game
from harness.botspec import NAME, BotSpec
from harness.errors import BotLoadError, UsageError


@dataclass(frozen=True)
class Origin:
    """Where a bot or game comes from: ``source`` for people; distribution and version when it is installed."""

    source: str
    distribution: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class BotEntry:
    """One bot on offer."""

    name: str
    factory: Callable[..., object]
    games: tuple[str, ...] | None
    """Names of the games it plays; None for all."""
    origin: Origin

    def plays(self, game: str) -> bool:
        return self.games is None or game in self.games


@dataclass(frozen=True)
class GameEntry:
    """One game on offer: a Game, or what imports and returns it."""

    name: str
    game: Game | Callable[[], Game]
    origin: Origin


@dataclass(frozen=True)
class Offer:
    """What one plugin registered."""

    bots: list[BotEntry] = field(default_factory=list)
    games: list[GameEntry] = field(default_factory=list)


def collect(plugin: ModuleType, origin: Origin) -> Offer:
    """Ask a plugin what it registers; without hooks, what its module defines.

    A plugin manager for each plugin: whatever is wrong with one (pluggy.PluginValidationError, an exception in a
    hook, a bad name) is raised here and can leave nothing behind in the others.
    """
    manager = pluggy.PluginManager("harness")
    manager.add_hookspecs(hookspecs)
    manager.register(plugin, name=origin.source)
    manager.check_pending()  # a misspelt hook name
    if not manager.get_hookcallers(plugin):
        return Offer(bots=_defined_bots(plugin, origin))
    offer = Offer()

    def register_bot(name: str, factory: Callable[..., object], games: Sequence[str] | None = None) -> None:
        _check_name("bot", name, [bot.name for bot in offer.bots])
        if not callable(factory):
            raise TypeError(f"bot {name!r}: {factory!r} is neither a Bot class nor a function")
        if isinstance(games, str):
            raise TypeError(f"bot {name!r}: games must be a list of names; write games=[{games!r}]")
        offer.bots.append(BotEntry(name, factory, None if games is None else tuple(games), origin))

    def register_game(name: str, game: Game | Callable[[], Game]) -> None:
        _check_name("game", name, [entry.name for entry in offer.games])
        if not isinstance(game, Game) and not callable(game):
            raise TypeError(f"game {name!r}: {game!r} is neither a Game nor a function that returns one")
        offer.games.append(GameEntry(name, game, origin))

    manager.hook.register_bots(register=register_bot)
    manager.hook.register_games(register=register_game)
    return offer


def _check_name(kind: str, name: object, taken: Sequence[str]) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(f"{kind} name {name!r}: use letters, digits, '_', '.' and '-' only")
    if name in taken:
        raise ValueError(f"{kind} {name!r} is registered twice; give each its own name")


def _defined_bots(module: ModuleType, origin: Origin) -> list[BotEntry]:
    bots = [
        BotEntry(name, value, None, origin)
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Bot) and value.__module__ == module.__name__ and name[0] != "_"
    ]
    choose = getattr(module, "choose", None)
    if callable(choose):
        bots.append(BotEntry("choose", choose, None, origin))
    return bots


def pick(spec: BotSpec, module: ModuleType, offer: Offer, game: str | None) -> BotEntry:
    """Choose the bot that a file or module spec means; UsageError lists the choices when that is not clear."""
    names = ", ".join(bot.name for bot in offer.bots)
    if spec.pick is None:
        fit = [bot for bot in offer.bots if game is None or bot.plays(game)]
        if len(fit) == 1:
            return fit[0]
        if not offer.bots:
            raise BotLoadError(
                f"bot {spec.text!r}: nothing to play with in {spec.target}; "
                "define a class with harness.api.Bot as its base, or a function choose(view, legal)"
            )
        if not fit:
            raise UsageError(
                f"bot {spec.text!r}: none of its bots ({names}) is for game {game!r}; `harness bots list` shows who is"
            )
        first = fit[0].name
        raise UsageError(f"bot {spec.text!r}: it offers several ({names}); pick one: {spec.target}:{first}")
    for bot in offer.bots:
        if bot.name == spec.pick:
            return bot
    thing: Any = getattr(module, spec.pick, None)
    if callable(thing):
        known = next((bot for bot in offer.bots if bot.factory is thing), None)
        origin = known.origin if known else Origin(getattr(module, "__file__", None) or module.__name__)
        return BotEntry(spec.pick, cast(Callable[..., object], thing), known.games if known else None, origin)
    raise UsageError(f"bot {spec.text!r}: {spec.target} has no bot {spec.pick!r}; it offers {names or 'none'}")
