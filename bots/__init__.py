"""The bots of this package, one per file, registered through the same hook as anyone's."""

from collections.abc import Callable

from bots.color_rusher import ColorRusher
from bots.crown_rusher import CrownRusher
from bots.greedy import Greedy
from bots.points_rusher import PointsRusher
from bots.random_bot import RandomBot
from harness.api import hookimpl


@hookimpl
def register_bots(register: Callable[..., None]) -> None:
    register("random", RandomBot)
    for name, bot in (
        ("greedy", Greedy),
        ("points_rusher", PointsRusher),
        ("crown_rusher", CrownRusher),
        ("color_rusher", ColorRusher),
    ):
        register(name, bot, games=["splendor_duel"])
