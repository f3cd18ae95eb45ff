"""Plays in this process, one game after the other: for debugging, and for machines where processes are dear."""

from collections.abc import Iterator

from harness.engines.engine import play_or_explain
from harness.match import Setting
from harness.records import Block, Result


class SerialEngine:
    """See ``Engine``."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._stopping = False

    def stop(self) -> None:
        self._stopping = True

    def run(self, blocks: Iterator[Block]) -> Iterator[tuple[Block, list[Result]]]:
        for block in blocks:
            if self._stopping:
                return
            yield block, play_or_explain(self.setting, block)
