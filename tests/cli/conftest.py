"""Running the command in this process and, as a user does, by its console script."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli import app
from tests.conftest import HIGH_CARD

CONFIG = """
    game = "high_card"
    seed = 5
    deals = 4
    [[bots]]
    name = "drawer"
    bot = "drawer"
    [[bots]]
    name = "coin"
    bot = "coin"
    [[bots]]
    name = "saver"
    bot = "saver"
    options = { every = 3 }
"""
PLUGIN = ["--plugin", str(HIGH_CARD)]
SCRIPT = Path(sys.executable).parent / "harness"


@pytest.fixture
def harness():
    """Call the command in this process; the result has exit_code, stdout and stderr."""

    def call(*arguments):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def quick_report(monkeypatch):
    """Spare the time of drawing charts where the report is not the point."""
    import harness.report

    def write(run):
        path = run / "report" / "report.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text("a report")
        return path

    monkeypatch.setattr(harness.report, "write", write)
    monkeypatch.setattr(harness.report, "summary", lambda run: f"SUMMARY of {run.name}")


@pytest.fixture
def config(write):
    return write("toy.toml", CONFIG)


def script(*arguments, cwd, **environment):
    """Call the installed console script in a new process, in folder ``cwd``."""
    return subprocess.run(
        [str(SCRIPT), *map(str, arguments)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
