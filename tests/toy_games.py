"""A file plugin: the toy game, without and with kernels."""

from dataclasses import replace

from harness.api import hookimpl
from tests import compiled_high_card, high_card


@hookimpl
def register_games(register):
    register("high_card", high_card.GAME)
    register("compiled_high_card", replace(compiled_high_card.GAME, name="compiled_high_card"))
