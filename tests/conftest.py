"""What tests share: the toy games and the bad bots, loaded as anyone's file plugins.

Plugins installed beside this package are out of sight.
"""

import os
import textwrap
from pathlib import Path

import pytest

from harness.config import BotConfig, LimitsConfig, RunConfig
from harness.plugins import SWITCH, Registry, load_plugins

HERE = Path(__file__).parent
HIGH_CARD = HERE / "high_card.py"
os.environ[SWITCH] = "games,bots"


@pytest.fixture
def registry() -> Registry:
    """The package's games and bots, and the toy game with its own."""
    found = load_plugins([str(HIGH_CARD)])
    assert found.errors == []
    return found


@pytest.fixture(scope="session")
def toy_registry() -> Registry:
    """The toy game, without and with stand-ins for kernels, and bots for each way to go wrong."""
    found = load_plugins([str(HERE / "toy_games.py"), str(HERE / "bad_bots.py")])
    assert found.errors == []
    return found


@pytest.fixture
def toy_config():
    """A factory of configs over the toy game; bots are given as ``name`` or ``name=spec``."""

    def make(*bots: str, limits: dict | None = None, **settings) -> RunConfig:
        named = [BotConfig(name=b.partition("=")[0], bot=b.partition("=")[2] or b) for b in bots]
        settings = {"game": "high_card", "seed": 11, "deals": 5, **settings}
        return RunConfig(bots=named, limits=LimitsConfig(**(limits or {})), **settings)

    return make


@pytest.fixture
def write(tmp_path):
    """Write a file under tmp_path from indented text."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write
