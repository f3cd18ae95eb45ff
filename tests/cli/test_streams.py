"""Standard streams that are closed, full, or cannot take every letter."""

import os
import subprocess

import pytest

from tests.cli.conftest import PLUGIN, SCRIPT


def shell(command, **environment):
    """Run ``harness`` with redirections, as in a shell; stdout and stderr as text."""
    return subprocess.run(
        ["sh", "-c", f'"{SCRIPT}" {command}'], capture_output=True, env=os.environ | environment, timeout=60
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_in_nobodys_way(config, tmp_path, closed):
    run = f"run '{config}' --plugin '{PLUGIN[1]}' --out '{tmp_path}/r' --quiet --engine serial"
    result = shell(f"{run} {closed}")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "r" / "report" / "report.html").exists()
    assert b"nope.toml" not in shell("run nope.toml 2>&-").stdout


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_stdout_is_told(unbuffered):
    result = shell("games list > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert result.returncode == 2
    assert b"No space left" in result.stderr
    assert b"Traceback" not in result.stderr
    assert b"Exception ignored" not in result.stderr


def test_what_cannot_be_encoded_is_replaced(config, tmp_path):
    run = f"run '{config}' --plugin '{PLUGIN[1]}' --engine serial"
    assert shell(f"{run} --out '{tmp_path}/r'", PYTHONIOENCODING="ascii").returncode == 0
    result = shell(f"{run} --out '{tmp_path}/'$(printf 'r\\377')")
    assert result.returncode == 2
    assert b"is not a name in UTF-8" in result.stderr
