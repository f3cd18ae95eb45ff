"""The kernel cache: never stale, never in the way."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

INNER = """
from pathlib import Path
import numpy as np
from harness.games.jit import compiler
FOLDER = Path(__file__).parent
TABLE = np.array([int(v) for v in (FOLDER / "table.csv").read_text().split(",")], dtype=np.int64)
kernel = compiler(FOLDER)

@kernel("int64(int64)", inner=True)
def inner(x):
    return 10 * TABLE[x]
"""
OUTER = """
from inner import inner, kernel

@kernel("int64(int64)")
def outer(x):
    return inner(x) + 1

if __name__ == "__main__":
    print(outer(1), len(outer.stats.cache_hits) if hasattr(outer, "stats") else "plain")
"""


@pytest.fixture
def kernels(tmp_path) -> Path:
    """A folder with a table, an inner kernel and one in another file that calls it."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "inner.py").write_text(INNER)
    (folder / "outer.py").write_text(OUTER)
    (folder / "table.csv").write_text("1,2,3")
    return folder


def start(folder: Path, **env: str) -> subprocess.Popen:
    settings = {"NUMBA_CACHE_DIR": str(folder.parent / "cache"), **env}
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(folder / "outer.py")],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder: Path, **env: str) -> tuple[str, str]:
    """Return what outer(1) is in a new process, and how many kernels came from the cache."""
    process = start(folder, **env)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    value, hits = out.split()
    return value, hits


def test_the_second_process_finds_the_first_one_s_kernels(kernels):
    assert run(kernels) == ("21", "0")
    assert run(kernels) == ("21", "1")


def test_an_edited_table_is_never_played_stale(kernels):
    assert run(kernels)[0] == "21"
    (kernels / "table.csv").write_text("1,7,3")
    assert run(kernels)[0] == "71"


def test_an_edited_inner_kernel_reaches_its_caller_in_another_file(kernels):
    assert run(kernels)[0] == "21"
    (kernels / "inner.py").write_text(INNER.replace("10 *", "100 *"))
    assert run(kernels)[0] == "201"


def test_settings_of_numba_have_caches_of_their_own(kernels):
    assert run(kernels) == ("21", "0")
    assert run(kernels, NUMBA_BOUNDSCHECK="1") == ("21", "0")
    assert run(kernels, NUMBA_DISABLE_JIT="1") == ("21", "plain")


def test_without_a_writable_folder_kernels_are_compiled_in_memory(kernels):
    assert run(kernels, NUMBA_CACHE_DIR="/proc/no-such-folder") == ("21", "0")


def test_a_home_that_cannot_be_written_is_no_obstacle(kernels):
    environment = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    command = [sys.executable, "-W", "error", str(kernels / "outer.py")]
    environment["HOME"] = "/proc/nobody"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split()[0] == "21"


def test_processes_that_start_cold_together_agree(kernels):
    processes = [start(kernels) for _ in range(4)]
    for process in processes:
        out, err = process.communicate(timeout=240)
        assert process.returncode == 0, err
        assert out.split()[0] == "21"
    assert run(kernels) == ("21", "1")


def test_caches_nobody_used_for_weeks_are_removed(kernels):
    cache = kernels.parent / "cache"
    old, recent = cache / "kernels-old", cache / "kernels-recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
    long_ago = time.time() - 30 * 86_400
    os.utime(old, (long_ago, long_ago))
    run(kernels)
    assert not old.exists()
    assert recent.exists()
