import json
import os
import re
import signal
import subprocess
import time

import pytest

from tests.cli.conftest import CONFIG, PLUGIN, SCRIPT, script

SIGNATURE = re.compile(r"signature: ([0-9a-f]{64})")


def signature(result):
    return SIGNATURE.search(result.stdout)[1]


def test_a_run_ends_with_leaderboard_report_and_signature(harness, config, tmp_path):
    result = harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--workers", 2)
    assert result.exit_code == 0, result.stderr
    assert "Leaderboard" in result.stdout
    assert "24 games in" in result.stdout
    *_, report, last = result.stdout.splitlines()
    assert report == f"report: {tmp_path}/r/report/report.html"
    assert (tmp_path / "r" / "report" / "report.html").stat().st_size > 1000
    assert SIGNATURE.fullmatch(last)


@pytest.mark.usefixtures("quick_report")
def test_the_signature_is_the_same_for_any_engine_and_folder(harness, config, tmp_path):
    serial = harness("run", config, *PLUGIN, "--out", tmp_path / "a", "--engine", "serial")
    one = harness("run", config, *PLUGIN, "--out", tmp_path / "b", "--workers", 1)
    two = harness("run", config, *PLUGIN, "--out", tmp_path / "c", "--workers", 2)
    assert signature(serial) == signature(one) == signature(two)


@pytest.mark.usefixtures("quick_report")
def test_the_default_folder_is_named_as_the_config(harness, config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = harness("run", config, *PLUGIN, "--engine", "serial", "--quiet")
    assert result.stdout.splitlines()[0] == "report: results/toy/report/report.html"
    assert len(result.stdout.splitlines()) == 2
    assert (tmp_path / "results" / "toy" / "run.json").exists()


@pytest.mark.usefixtures("quick_report")
def test_the_same_command_again_plays_nothing_and_a_larger_one_what_is_missing(harness, config, tmp_path):
    out = tmp_path / "r"
    first = harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")
    again = harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")
    assert "nothing was missing: 24 games are stored" in again.stdout
    assert signature(first) == signature(again)
    config.write_text(config.read_text().replace("deals = 4", "deals = 6"))
    more = harness("run", config, *PLUGIN, "--out", out, "--engine", "serial", "--json")
    data = json.loads(more.stdout)
    assert (data["played_now"], data["games"], data["forfeits"], data["clocked"]) == (12, 36, 0, False)
    assert data["report"] == str(out / "report" / "report.html")
    assert re.fullmatch("[0-9a-f]{64}", data["signature"])


def test_a_dry_run_says_what_would_be_played_and_writes_nothing(harness, config, tmp_path):
    result = harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--dry-run")
    assert "12 blocks, 24 games" in result.stdout
    data = json.loads(harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--dry-run", "--json").stdout)
    assert (data["tables"], data["blocks"], data["games"]) == (3, 12, 24)
    assert data["config"]["seats"] == 2
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("seed = 5", "sed = 5", 2, "toy.toml: sed: unknown key; did you mean 'seed'?"),
        ("seed = 5", "seed = ", 2, "toy.toml: not valid TOML"),
        ("deals = 4", "deals = 0", 2, "toy.toml: deals: "),
        ('"high_card"', '"hihg_card"', 2, "did you mean 'high_card'?"),
        ('bot = "coin"', 'bot = "coyn"', 2, "did you mean 'coin'?"),
        ('bot = "coin"', 'bot = "./broken.py"', 5, "ZeroDivisionError"),
    ],
)
def test_bad_configs_end_with_their_exit_code_and_no_folder(harness, config, write, tmp_path, old, new, code, words):
    write("broken.py", "1/0")
    config.write_text(config.read_text().replace(old, new))
    result = harness("run", config, *PLUGIN, "--out", tmp_path / "r")
    assert result.exit_code == code
    assert words in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "r").exists()


def test_bad_command_lines(harness, config, tmp_path):
    cases = [
        (("run",), "Missing argument"),
        (("run", tmp_path / "nope.toml"), "no such file"),
        (("run", config, "--workers", 0), "Invalid value"),
        (("run", config, "--workers", 10**11), "Invalid value"),
        (("run", config, *PLUGIN, "--engine", "gpu"), "Invalid value"),
        (("run", config, *PLUGIN, "--engine", "ray"), "not available yet"),
        (("run", config, *PLUGIN, "--engine", "serial", "--workers", 2), "serial engine plays in one process"),
        (("run", config, "--plugin", "./nope.py"), "no such file"),
        (("run", config), "unknown game 'high_card'"),
        (("report", tmp_path / "nope"), "no such run"),
        (("report", "n" * 300), "no such run"),
        (("run", config, *PLUGIN, "--out", tmp_path / ("n" * 300), "--engine", "serial"), "cannot write"),
        (("nonsense",), "No such command"),
    ]
    for arguments, words in cases:
        result = harness(*arguments)
        assert result.exit_code == 2, arguments
        assert words in " ".join(result.stderr.split()), arguments


@pytest.mark.usefixtures("quick_report")
def test_a_folder_of_another_run_is_refused_and_kept(harness, config, tmp_path):
    out = tmp_path / "r"
    first = harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")
    config.write_text(config.read_text().replace("seed = 5", "seed = 6"))
    other = harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")
    assert other.exit_code == 2
    assert "seed" in other.stderr
    config.write_text(config.read_text().replace("seed = 6", "seed = 5"))
    assert signature(harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")) == signature(first)


def test_an_output_that_is_a_file_is_refused(harness, config, write):
    result = harness("run", config, *PLUGIN, "--out", write("occupied", "x"), "--engine", "serial")
    assert result.exit_code == 2
    assert "occupied" in result.stderr


@pytest.mark.usefixtures("quick_report")
def test_bad_bots_forfeit_and_the_run_goes_on(harness, config, write, tmp_path):
    write("bad.py", "def raises(view, legal): raise ValueError('oh no')\ndef cheats(view, legal): return 99")
    config.write_text(
        config.read_text()
        .replace('bot = "coin"', 'bot = "./bad.py:raises"')
        .replace('bot = "drawer"', 'bot = "./bad.py:cheats"')
    )
    result = harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--engine", "serial", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["games"] == 24
    assert data["forfeits"] == 24


@pytest.mark.usefixtures("quick_report")
def test_a_bot_that_changes_the_current_folder_does_not_move_the_run(harness, write, tmp_path, monkeypatch):
    code = "import os\nfrom harness.api import Bot\nclass Mover(Bot):\n"
    code += "    def __init__(self): os.chdir('/')\n    def choose(self, view, legal): return legal[0]"
    write("a/mover.py", code)
    write("a/still.py", "def choose(view, legal): return legal[0]")
    write("a/m.toml", CONFIG.replace('bot = "coin"', 'bot = "./mover.py"'))
    monkeypatch.chdir(tmp_path / "a")
    result = harness("run", "m.toml", *PLUGIN, "--engine", "serial")
    assert result.stdout.splitlines()[-2] == "report: results/m/report/report.html"
    assert (tmp_path / "a/results/m/run.json").exists()
    game = ("--game", "high_card", "--deals", 1, "--quiet")
    result = harness("match", "./mover.py", "./still.py", *PLUGIN, *game, "--out", "r", "--workers", 1)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "a/r/run.json").exists()


@pytest.mark.usefixtures("quick_report")
def test_report_again(harness, config, tmp_path):
    out = tmp_path / "r"
    harness("run", config, *PLUGIN, "--out", out, "--engine", "serial")
    result = harness("report", out)
    assert result.stdout.splitlines() == ["SUMMARY of r", f"report: {out}/report/report.html"]
    assert json.loads(harness("report", out, "--json").stdout)["report"] == f"{out}/report/report.html"


def test_debug_shows_the_traceback(harness, monkeypatch, tmp_path):
    from harness.errors import UsageError

    monkeypatch.setenv("HARNESS_DEBUG", "1")
    with pytest.raises(UsageError):
        harness("run", tmp_path / "nope.toml")


SLOW = """
import time
def choose(view, legal, rng):
    time.sleep(0.02)
    return rng.choice(legal)
"""


@pytest.mark.parametrize("engine", [["--engine", "serial"], ["--workers", "2"]])
def test_interrupted_it_says_how_to_go_on_and_goes_on(harness, write, tmp_path, engine, quick_report):
    write("slow.py", SLOW)
    config = write("slow.toml", CONFIG.replace('bot = "coin"', 'bot = "./slow.py"'))
    command = [str(SCRIPT), "run", str(config), *PLUGIN, "--out", str(tmp_path / "r"), *engine]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    until = time.monotonic() + 60
    while not (tmp_path / "r" / "run.json").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    resume = re.search(r"To go on: (.*)", stderr)[1]
    assert resume.split()[:2] == ["harness", "run"]
    went_on = harness(*resume.split()[1:])
    whole = harness("run", config, *PLUGIN, "--out", tmp_path / "whole", "--engine", "serial")
    assert signature(went_on) == signature(whole)


@pytest.mark.parametrize(("number", "after"), [(signal.SIGINT, 0.0), (signal.SIGTERM, 2.5)])
def test_a_signal_to_the_whole_process_group_interrupts_and_breaks_nothing(write, tmp_path, number, after):
    """A terminal, ``timeout`` and services signal the workers too, also while these are still starting."""
    write("slow.py", SLOW)
    config = write("slow.toml", CONFIG.replace('bot = "coin"', 'bot = "./slow.py"').replace("deals = 4", "deals = 400"))
    command = [str(SCRIPT), "run", str(config), *PLUGIN, "--out", str(tmp_path / "r"), "--workers", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while not (tmp_path / "r" / "run.json").exists() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(after)
    os.killpg(process.pid, number)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "To go on: harness run" in stderr
    assert len(stderr.splitlines()) == 1


@pytest.mark.parametrize("engine", [["--engine", "serial"], ["--workers", "2"]])
def test_what_bots_print_does_not_get_among_the_results(write, tmp_path, engine):
    write(
        "loud.py",
        """
        import os
        from harness.api import Bot
        print("LOUD import")
        class Loud(Bot):
            def __init__(self):
                print("LOUD init")
            def choose(self, view, legal):
                print("LOUD choose")
                os.write(1, b"LOUD write\\n")
                return legal[0]
        """,
    )
    config = write("loud.toml", CONFIG.replace('bot = "coin"', 'bot = "./loud.py"'))
    result = script("run", config, *PLUGIN, "--out", "r", *engine, "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["games"] == 24
    assert "LOUD choose" in result.stderr
