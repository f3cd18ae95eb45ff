"""From what a bot author gives (a Bot class, a factory, a plain function) to the Player a match talks to."""

import inspect
from collections.abc import Callable
from random import Random
from typing import Any, Protocol, cast

from harness.api import Choose, Game, Result, View
from harness.errors import BotLoadError, UsageError

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Player(Protocol):
    """What a match needs of a bot; every Bot is one."""

    def start(self, game: Game, seat: int, seed: int) -> None: ...

    def choose(self, view: View, legal: list[int], /) -> int: ...

    def finish(self, result: Result) -> None: ...


class FunctionPlayer:
    """A ``choose(view, legal)`` function as a Player: its ``choose`` is the function itself."""

    choose: Choose

    def __init__(self, function: Choose) -> None:
        self.choose = function

    def start(self, game: Game, seat: int, seed: int) -> None:
        pass

    def finish(self, result: Result) -> None:
        pass


class RandomFunctionPlayer(FunctionPlayer):
    """A ``choose(view, legal, rng)`` function as a Player; ``rng`` follows from the bot's own seed of the game."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def start(self, game: Game, seat: int, seed: int) -> None:  # noqa: ARG002
        function, rng = self._function, Random(seed)
        self.choose = lambda view, legal: function(view, legal, rng)


def choose_arity(thing: object) -> int | None:
    """Return 2 or 3 when ``thing`` is a plain choose function, else None.

    What tells it from a factory: a factory can be called with options alone, a choose function has two or three
    required positional parameters.
    """
    if inspect.isclass(thing) or not callable(thing):
        return None
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # some C functions have no signature
        return None
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if len(required) in (2, 3) and all(p.kind in POSITIONAL for p in required):
        return len(required)
    return None


def as_player(product: object, name: str) -> Player:
    """Make a Player of what a factory gave; BotLoadError when it is no bot."""
    if all(callable(getattr(product, method, None)) for method in ("start", "choose", "finish")):
        if inspect.isclass(product):
            raise BotLoadError(f"bot {name!r}: its factory gave the class {product.__name__}; give an instance of it")
        return cast(Player, product)
    arity = choose_arity(product)
    if arity is None:
        raise BotLoadError(
            f"bot {name!r}: its factory gave {type(product).__name__}, neither a harness.api.Bot "
            "nor a function choose(view, legal) or choose(view, legal, rng)"
        )
    function = cast(Choose, product)
    return FunctionPlayer(function) if arity == 2 else RandomFunctionPlayer(function)


def product_maker(factory: Callable[..., object], options: dict[str, Any], name: str) -> Callable[[], object]:
    """Return what makes a fresh bot for each game; UsageError when the factory does not take these options."""
    if choose_arity(factory) is not None:
        if options:
            raise UsageError(f"bot {name!r}: a plain function takes no options, but got {_options(options)}")
        return lambda: factory
    try:
        inspect.signature(factory).bind(**options)
    except TypeError as error:
        if inspect.isfunction(factory) and factory.__name__ == "choose":
            raise UsageError(
                f"bot {name!r}: its function is choose{inspect.signature(factory)}; "
                "write choose(view, legal) or choose(view, legal, rng)"
            ) from None
        accepted = describe_options(factory)
        raise UsageError(
            f"bot {name!r}: options {_options(options)} do not fit ({error}); "
            + (f"it takes {', '.join(accepted)}" if accepted else "it takes no options")
        ) from None
    except ValueError:
        pass  # no signature to check against: the call will tell
    return lambda: factory(**options)


def describe_options(factory: Callable[..., object]) -> list[str]:
    """Return the options a factory takes, each as ``name``, ``name: type`` or ``name: type = default``."""
    if choose_arity(factory) is not None:
        return []
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (TypeError, ValueError):
        return ["(unknown options)"]
    return [str(p) for p in parameters if p.kind is not p.VAR_POSITIONAL and p.name != "self"]


def _options(options: dict[str, Any]) -> str:
    return ", ".join(f"{key}={value!r}" for key, value in options.items()) or "(none)"
