"""The command and its workers in a folder that holds modules of the same names as ours."""

import subprocess
import sys

import pytest

from tests.cli.conftest import CONFIG, PLUGIN, SCRIPT, script


@pytest.fixture(params=["packages", "modules"])
def foreign(request, write, tmp_path):
    names = ("harness", "bots", "random", "tests")
    for name in names:
        write(
            f"here/{name}/__init__.py" if request.param == "packages" else f"here/{name}.py",
            f"raise RuntimeError('the wrong {name}')",
        )
    return tmp_path / "here"


def test_the_command_sees_its_own_bots_and_games(foreign):
    games = script("games", "list", cwd=foreign)
    assert games.returncode == 0, games.stderr
    assert "splendor_duel" in games.stdout
    bots = script("bots", "list", *PLUGIN, cwd=foreign)
    assert bots.returncode == 0, bots.stderr
    assert "drawer" in bots.stdout
    assert "wrong" not in games.stderr + bots.stderr


def test_so_do_its_workers(foreign, write):
    config = write("toy.toml", CONFIG)
    result = script("run", config, *PLUGIN, "--out", "out", "--workers", 2, "--quiet", cwd=foreign)
    assert result.returncode == 0, result.stderr
    assert "signature: " in result.stdout
    assert "wrong" not in result.stderr


WORKER = """
import multiprocessing

def work(connection):
    from harness.plugins import load_plugins
    registry = load_plugins()
    connection.send(([str(error) for error in registry.errors], registry.game_names()))

if __name__ == "__main__":
    context = multiprocessing.get_context({method!r})
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,))
    process.start()
    print(ours.recv())
    process.join()
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_plugins_load_in_any_kind_of_worker(write, tmp_path, method):
    for name in ("harness", "bots"):
        write(f"here/{name}/__init__.py", f"raise RuntimeError('the wrong {name}')")
    program = write("elsewhere/program.py", WORKER.format(method=method))
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path / "here", capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "([], ['splendor_duel'])\n", done.stderr


def test_a_current_folder_that_is_gone_is_told(tmp_path):
    (tmp_path / "gone").mkdir()
    command = ["sh", "-c", f"cd {tmp_path}/gone && rmdir ../gone && {SCRIPT} bots list"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "the current folder is gone" in result.stderr


def test_bots_of_the_users_own_are_not_taken_for_ours(write, tmp_path):
    """As in a notebook: the current folder is on sys.path, and a package called bots in it."""
    write("bots/__init__.py", "raise RuntimeError('the wrong bots')")
    code = "from harness.plugins import load_plugins; r = load_plugins(); print(r.errors, r.game_names())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[] ['splendor_duel']\n", done.stderr
    write("bots/__init__.py", "")
    done = subprocess.run(
        [sys.executable, "-c", "import bots;" + code], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert "the name 'bots' is taken by" in done.stdout, done.stderr
