"""The bot that plays by luck alone: the floor everything else is measured against."""

from harness.api import Bot, Game, Random, View


class RandomBot(Bot):
    """Plays a uniformly random legal action, of any game, from its own seed."""

    def start(self, game: Game, seat: int, seed: int) -> None:  # noqa: ARG002
        self._random = Random(seed).random

    def choose(self, view: View, legal: list[int]) -> int:  # noqa: ARG002
        return legal[int(self._random() * len(legal))]
