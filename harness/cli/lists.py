"""``harness bots`` and ``harness games``: what is there."""

import inspect
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.common import WIDTH, Json, Plugins, load_registry, print_json, print_table
from harness.errors import HarnessError

if TYPE_CHECKING:
    from harness.api import Game
    from harness.offers import BotEntry, Origin
    from harness.plugins import Registry

bots_app = typer.Typer(help="The bots at hand.", no_args_is_help=True)
games_app = typer.Typer(help="The games at hand.", no_args_is_help=True)


@bots_app.command("list")
def bots_list(
    game: Annotated[str | None, typer.Option(help="Only bots that play this game.")] = None,
    plugins: Plugins = None,
    as_json: Json = False,
) -> None:
    """List the bots, with the games they play and where they come from."""
    registry = load_registry(plugins)
    if game is not None:
        registry.game(game)
    bots = [bot for bot in registry.bots() if game is None or bot.plays(game)]
    if as_json:
        print_json([_bot_facts(bot) for bot in bots])
    elif not bots:
        print("no bots" if game is None else f"no bots for {game}")
    else:
        rows = [(bot.name, _games(bot), _origin(bot.origin), _first_line(bot.factory)) for bot in bots]
        print_table(("bot", "games", "from", "what"), rows)


@bots_app.command("info")
def bots_info(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot spec: greedy, ./my_bot.py:MyBot, ...")],
    plugins: Plugins = None,
    as_json: Json = False,
) -> None:
    """Tell about one bot: its options, games and origin."""
    registry = load_registry(plugins)
    entry = registry.find(bot)
    facts = _bot_facts(entry) | {"about": _about(entry.factory)}
    if as_json:
        print_json(facts)
        return
    print(f"{bot}: {facts['about'] or 'no description'}\n")
    print(f"games    {_games(entry)}")
    print(f"from     {_origin(entry.origin)}")
    print("options  " + ("\n         ".join(facts["options"]) or "none"))


@games_app.command("list")
def games_list(plugins: Plugins = None, as_json: Json = False) -> None:
    """List the games."""
    registry = load_registry(plugins)
    games = list(_loadable_games(registry))
    if as_json:
        print_json([_game_facts(registry, game) for game in games])
    elif not games:
        print("no games")
    else:
        rows = [(g.name, g.title, _seats(g), g.version, _origin(registry.game_origin(g.name))) for g in games]
        print_table(("game", "title", "seats", "version", "from"), rows)


@games_app.command("info")
def games_info(
    game: Annotated[str, typer.Argument(metavar="GAME")], plugins: Plugins = None, as_json: Json = False
) -> None:
    """Tell about one game: seats, ways to win, options, what is counted."""
    registry = load_registry(plugins)
    facts = _game_facts(registry, registry.game(game))
    if as_json:
        print_json(facts)
        return
    print(f"{facts['name']}: {facts['title']}, version {facts['version']}\n")
    print(f"seats     {_seats(registry.game(game))}")
    print(f"actions   {facts['num_actions']}")
    for key, label in (("victory_types", "ends by"), ("flags", "flags"), ("measures", "counted")):
        words = ", ".join(facts[key]) or "none"
        print(textwrap.fill(words, WIDTH, initial_indent=f"{label:<9} ", subsequent_indent=" " * 10))
    print_table(("option", "default", "what"), [(o["name"], o["default"], o["about"]) for o in facts["options"]])


def _loadable_games(registry: "Registry") -> "Iterator[Game]":
    for name in registry.game_names():
        try:
            yield registry.game(name)
        except HarnessError as error:
            print(f"warning: {error}", file=sys.stderr)


def _bot_facts(bot: "BotEntry") -> dict[str, Any]:
    from harness.players import describe_options

    return {
        "name": bot.name,
        "games": None if bot.games is None else list(bot.games),
        "options": describe_options(bot.factory),
        "what": _first_line(bot.factory),
        **_origin_facts(bot.origin),
    }


def _game_facts(registry: "Registry", game: "Game") -> dict[str, Any]:
    options = [
        {"name": name, "default": f.default, "about": f.description or ""}
        for name, f in game.options.model_fields.items()
    ]
    return {
        "name": game.name,
        "title": game.title,
        "version": game.version,
        "seats": list(game.seats),
        "num_actions": game.num_actions,
        "victory_types": [*game.victory_types, "forfeit"],
        "flags": list(game.flags),
        "measures": list(game.measure_names),
        "options": options,
        **_origin_facts(registry.game_origin(game.name)),
    }


def _origin_facts(origin: "Origin") -> dict[str, Any]:
    return {"source": origin.source, "distribution": origin.distribution, "version_of_distribution": origin.version}


def _origin(origin: "Origin") -> str:
    return f"{origin.distribution} {origin.version}" if origin.distribution else origin.source


def _games(bot: "BotEntry") -> str:
    return "all" if bot.games is None else ", ".join(bot.games)


def _seats(game: "Game") -> str:
    low, high = game.seats
    return str(low) if low == high else f"{low}-{high}"


def _first_line(factory: object) -> str:
    return _about(factory).partition("\n")[0]


def _about(factory: object) -> str:
    """What a bot says of itself; what its base class says (inspect.getdoc) would be about bots at large."""
    return inspect.cleandoc(factory.__doc__ or "")
