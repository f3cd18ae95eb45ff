import json
import subprocess
import sys

import pytest

from harness import __version__
from harness.cli.replay import _print_result, _wrapped
from tests.cli.conftest import PLUGIN
from tests.high_card import GAME


def test_help_and_version(harness):
    assert harness("--version").stdout.strip() == f"jewel-harness {__version__}"
    text = harness("--help").stdout
    for command in ("run", "match", "report", "replay", "bots", "games", "bench"):
        assert command in text


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom harness.cli import app\n"
        "try:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print('HEAVY', [m for m in ('numba', 'pandas', 'matplotlib', 'pyarrow', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_bots_list(harness):
    result = harness("bots", "list", *PLUGIN, "--game", "high_card")
    assert result.exit_code == 0
    assert "drawer" in result.stdout
    assert "Always draws." in " ".join(result.stdout.split())
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    bots = {bot["name"]: bot for bot in json.loads(harness("bots", "list", *PLUGIN, "--json").stdout)}
    assert bots["saver"]["games"] == ["high_card"]
    assert bots["saver"]["options"] == ["every: int = 0"]
    assert bots["coin"]["games"] is None
    duel = json.loads(harness("bots", "list", *PLUGIN, "--game", "splendor_duel", "--json").stdout)
    assert "coin" in [bot["name"] for bot in duel]
    assert "saver" not in [bot["name"] for bot in duel]


def test_a_broken_plugin_is_a_warning(harness, write):
    broken = write("broken.py", "1/0")
    result = harness("bots", "list", *PLUGIN, "--plugin", broken, "--json")
    assert result.exit_code == 0
    assert f"warning: plugin {broken}: could not be loaded: ZeroDivisionError" in result.stderr
    assert "drawer" in result.stdout


def test_bots_info(harness, write):
    text = harness("bots", "info", "saver", *PLUGIN).stdout
    assert "every: int = 0" in text
    assert "high_card" in text
    bare = write(
        "bare.py", "from harness.api import Bot\nclass Bare(Bot):\n    def choose(self, view, legal): return 0"
    )
    assert json.loads(harness("bots", "info", bare, "--json").stdout)["about"] == ""  # not that of its base class
    file = write("one.py", "def choose(view, legal):\n    '''Takes the first.'''\n    return legal[0]")
    assert json.loads(harness("bots", "info", file, "--json").stdout)["about"] == "Takes the first."
    result = harness("bots", "info", "savr", *PLUGIN)
    assert (result.exit_code, result.stderr) == (2, "unknown bot 'savr'; did you mean 'saver'?\n")


def test_games(harness):
    names = [game["name"] for game in json.loads(harness("games", "list", *PLUGIN, "--json").stdout)]
    assert names == ["high_card", "splendor_duel"]
    assert all(len(line) <= 80 for line in harness("games", "list", *PLUGIN).stdout.splitlines())
    facts = json.loads(harness("games", "info", "high_card", *PLUGIN, "--json").stdout)
    assert facts["victory_types"] == [*GAME.victory_types, "forfeit"]
    assert {option["name"]: option["default"] for option in facts["options"]} == {"target": 10, "turn_limit": 60}
    assert "turn_limit" in harness("games", "info", "high_card", *PLUGIN).stdout
    assert harness("games", "info", "chess").exit_code == 2


@pytest.fixture
def run(harness, config, tmp_path, quick_report):
    result = harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--engine", "serial")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "r"


def test_a_replay_can_be_played_again_from_what_it_prints(harness, run):
    result = harness("replay", run, "coin+saver/2/1", *PLUGIN, "--json")
    *steps, last = [json.loads(line) for line in result.stdout.splitlines()]
    state = GAME.from_dict(steps[0]["state"])
    for number, step in enumerate(steps):
        assert step["step"] == number
        assert GAME.to_dict(state) == step["state"]
        assert GAME.seat(state) == step["seat"]
        assert step["legal"] == [GAME.action_text(state, action) for action in GAME.legal_actions(state)]
        assert step["action"]["text"] in step["legal"]
        assert GAME.parse_action(state, step["action"]["text"]) == step["action"]["id"]
        GAME.apply(state, step["action"]["id"])
    assert GAME.to_dict(state) == last["state"]
    assert last["result"]["game_id"] == "coin+saver/2/1"
    assert last["result"]["ranks"] == list(GAME.ranks(state))
    assert last["result"]["points"] == list(GAME.points(state))
    assert last["result"]["measures"] == {"draws": list(GAME.measures(state)["draws"])}
    assert last["result"]["decisions"] == len(steps)
    assert last["result"]["fault"] is None


def test_a_replay_for_people(harness, run):
    text = harness("replay", run, "coin+saver/2/1", *PLUGIN).stdout
    assert "seat 0 may: draw, safe" in text
    assert "ended by" in text
    assert "rank 1" in text


def test_a_replay_sets_many_actions_in_lines_that_break_between_them():
    lines = _wrapped("seat 0 may: ", ["take Ua1 Kb1"] * 20).split("\n")
    assert len(lines) > 2
    assert all(len(line) <= 80 for line in lines)
    assert ", ".join(line.strip().rstrip(",") for line in lines) == "seat 0 may: " + ", ".join(["take Ua1 Kb1"] * 20)


def test_a_replay_names_the_flags_beside_the_victory_type(capsys):
    facts = {"victory_type": "color", "turns": 9, "bots": [], "fault": None}
    _print_result(facts | {"flags": ["color"]})
    _print_result(facts | {"flags": ["color", "points"]})
    assert capsys.readouterr().out.split("\n") == [
        "", "ended by color after 9 turns", "", "ended by color (also points) after 9 turns", ""
    ]  # fmt: skip


def test_a_replay_of_a_forfeit_shows_the_fault(harness, config, write, tmp_path, quick_report):
    write("bad.py", "def choose(view, legal): raise ValueError('oh no')")
    config.write_text(config.read_text().replace('bot = "coin"', 'bot = "./bad.py"'))
    harness("run", config, *PLUGIN, "--out", tmp_path / "r", "--engine", "serial")
    text = harness("replay", tmp_path / "r", "coin+drawer/0/0", *PLUGIN).stdout
    assert "forfeit of coin (seat 0): exception: ValueError: oh no" in text
    result = json.loads(harness("replay", tmp_path / "r", "coin+drawer/0/0", *PLUGIN, "--json").stdout)["result"]
    assert "bad.py" in (trace := result["fault"].pop("traceback"))
    assert trace.rstrip() in text
    assert result["fault"] == {"seat": 0, "cause": "exception", "text": "ValueError: oh no"}
    assert result["victory_type"] == "forfeit"


def test_bad_replays(harness, run, tmp_path):
    for arguments in ((run, "coin+saver/99/0"), (run, "nonsense"), (tmp_path / "nope", "coin+saver/0/0")):
        result = harness("replay", *arguments, *PLUGIN)
        assert result.exit_code == 2, arguments
        assert "Traceback" not in result.stderr


def test_bench(harness):
    data = json.loads(harness("bench", "--game", "high_card", *PLUGIN, "--seconds", 0.1, "--json").stdout)
    assert len(data["machine"]["load_average"]) == 3
    speeds = {figure["what"]: figure for figure in data["figures"]}
    assert "match games, trivial Python bots" in speeds
    for figure in speeds.values():
        assert figure["spread"][0] <= figure["value"] <= figure["spread"][1]
        assert figure["value"] > 0
    assert "random games" in harness("bench", "--game", "high_card", *PLUGIN, "--seconds", 0.1).stdout
