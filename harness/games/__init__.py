"""The games of this package, registered through the same hook as anyone's."""

from collections.abc import Callable
from typing import Any

from harness.hookspecs import hookimpl


def _splendor_duel() -> Any:
    from harness.games.splendor_duel import GAME

    return GAME


@hookimpl
def register_games(register: Callable[..., None]) -> None:
    register("splendor_duel", _splendor_duel)
