"""Fixtures for all tests. Plugins installed beside this package are out of sight."""

import textwrap
from pathlib import Path

import pytest

from harness.plugins import SWITCH, Registry, load_plugins

HIGH_CARD = Path(__file__).parent / "high_card.py"


@pytest.fixture(autouse=True)
def only_own_plugins(monkeypatch):
    monkeypatch.setenv(SWITCH, "games,bots")


@pytest.fixture
def registry() -> Registry:
    """The package's games and bots, and the toy game with its own."""
    found = load_plugins([str(HIGH_CARD)])
    assert found.errors == []
    return found


@pytest.fixture
def write(tmp_path):
    """Write a file under tmp_path from indented text."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write
