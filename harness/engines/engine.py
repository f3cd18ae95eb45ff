"""What all engines share: the interface, and the recipe from which any process builds the same Setting."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from harness.errors import HarnessError
from harness.match import Limits, Setting, play_block
from harness.plugins import BotSource, Registry
from harness.records import Block, Result


class Engine(Protocol):
    """Something that plays Blocks."""

    def run(self, blocks: Iterator[Block]) -> Iterator[tuple[Block, list[Result]]]:
        """Yield each Block with its Results (one per rotation), in the order given, taking Blocks a bounded stretch
        ahead. Ends early after ``stop``, with what is complete in order. HarnessError when it cannot go on.
        """
        ...

    def stop(self) -> None:
        """Begin nothing more. Safe to call from a signal handler."""
        ...


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """All that a process needs to build the Setting of a run: plain data, never code."""

    game: str
    options: dict[str, Any]
    seed: int
    limits: Limits
    sources: tuple[BotSource, ...]
    plugins: tuple[str, ...]
    """Plugin sources beside the installed ones."""


def build(recipe: Recipe, registry: Registry) -> Setting:
    """Load game and bots. Errors as ``Registry.game`` and ``Registry.player_factory``."""
    game = registry.game(recipe.game)
    makers = {source.name: registry.player_factory(source) for source in recipe.sources}
    options = game.options.model_validate(recipe.options)
    return Setting(game=game, options=options, seed=recipe.seed, makers=makers, limits=recipe.limits)


def play_or_explain(setting: Setting, block: Block) -> list[Result]:
    """Play a Block; an error here is the game's own or ours, never a bot's: say which game, with the traceback."""
    try:
        return play_block(setting, block)
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        raise HarnessError(
            f"game {block.game_id(0)} could not be played: the rules of {setting.game.name} failed, not a bot. What is "
            f"stored is safe. Please report this:\n{text}"
        ) from error
