"""Every hook a plugin can implement, on one screen."""

from collections.abc import Callable

import pluggy

hookspec = pluggy.HookspecMarker("harness")
hookimpl = pluggy.HookimplMarker("harness")


@hookspec
def register_bots(register: Callable[..., None]) -> None:
    """Call ``register(name, factory, games=None)`` once for each bot.

    ``factory(**options)`` gives a Bot or a choose function; ``games`` lists game names (default: all games).
    """


@hookspec
def register_games(register: Callable[..., None]) -> None:
    """Call ``register(name, game)`` once for each game; ``game`` is a Game, or a function without arguments that
    imports and returns it, so that listing plugins stays cheap.
    """
