import json

import pytest

from tests.cli.conftest import PLUGIN

pytestmark = pytest.mark.usefixtures("quick_report")
GAME = ["--game", "high_card", *PLUGIN, "--engine", "serial"]


def test_a_match_in_json(harness, tmp_path):
    result = harness("match", "drawer", "saver?every=2", *GAME, "--deals", 30, "--out", tmp_path / "m", "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["games"] == 60
    first, second = data["bots"]
    assert (first["bot"], second["bot"]) == ("drawer", "saver")
    for bot in (first, second):
        assert bot["games"] == bot["wins"] + bot["draws"] + bot["losses"] == 60
        assert bot["blocks"] == 30
        assert bot["score"] == pytest.approx((bot["wins"] + bot["draws"] / 2) / 60)
        assert bot["score_low"] < bot["score"] < bot["score_high"]
        assert bot["elo_low"] < bot["elo"] < bot["elo_high"]
        seats = list(bot["by_seat"].values())
        assert [sum(seat) for seat in seats] == [30, 30]
        assert [sum(column) for column in zip(*seats, strict=True)] == [bot["wins"], bot["draws"], bot["losses"]]
        assert sum(bot["won_by"].values()) == bot["wins"]
    assert first["score"] + second["score"] == pytest.approx(1)
    assert first["elo"] == pytest.approx(-second["elo"])
    assert first["won_by"] == second["lost_by"]


def test_a_match_for_people_fits_80_columns(harness, tmp_path):
    result = harness("match", "drawer", "coin", "coin", "saver", *GAME, "--deals", 5, "--out", tmp_path / "m")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert all(len(line) <= 80 for line in lines[:-2])
    assert any("coin#2" in line for line in lines)
    assert lines[-2].startswith("report: ")
    assert lines[-1].startswith("signature: ")


def test_a_bot_against_itself_is_level_and_says_how_little_that_means(harness, tmp_path):
    out = tmp_path / "m"
    data = json.loads(harness("match", "drawer", "drawer", *GAME, "--deals", 8, "--out", out, "--json").stdout)
    first, second = data["bots"]
    assert {first["bot"], second["bot"]} == {"drawer", "drawer#2"}
    assert first["score"] == 0.5
    assert first["score_low"] < 0.4
    assert first["elo_low"] < -50
    assert first["elo_high"] > 50


def test_a_bot_that_loses_every_game_has_bounds_not_infinities(harness, write, tmp_path):
    write("bad.py", "def choose(view, legal): return -1")
    out = tmp_path / "m"
    data = json.loads(
        harness("match", "drawer", tmp_path / "bad.py", *GAME, "--deals", 8, "--out", out, "--json").stdout
    )
    winner, loser = data["bots"]
    assert (winner["score"], winner["elo_bound"], winner["elo_high"]) == (1.0, 1, None)
    assert (loser["score"], loser["elo_bound"], loser["elo_low"], loser["forfeits"]) == (0.0, -1, None, 16)
    assert winner["won_by"] == {"forfeit": 16}
    table = harness("match", "drawer", tmp_path / "bad.py", *GAME, "--deals", 8, "--out", out).stdout
    assert "> +" in table


def test_without_a_folder_a_match_leaves_its_run_among_temporary_files(harness, tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data = json.loads(harness("match", "drawer", "coin", *GAME, "--deals", 2, "--json").stdout)
    assert data["run"].startswith(f"{tmp_path}/harness-match-")


def test_a_match_says_why_games_were_forfeited_and_how_to_see_one(harness, write, tmp_path):
    bad, out = write("bad.py", "def choose(view, legal): return legal[0] + {}['x']"), tmp_path / "m"
    text = harness("match", "drawer", bad, *GAME, "--deals", 2, "--out", out).stdout
    lines = " ".join(text.split())
    assert "bad forfeited 4 of its 4 games by exception, first bad+drawer/0/0; most often: KeyError: 'x'" in lines
    assert f"harness replay {out} GAME_ID" in lines
    assert "forfeited" not in harness("match", "drawer", "coin", *GAME, "--deals", 2, "--out", tmp_path / "n").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["drawer"], 2, "1 bot given: a match is one table, and high_card has 2 to 4 seats; name another bot"),
        (["drawer"] * 5, 2, "write a config for `harness run`"),
        (["drawer", "nobody"], 2, "unknown bot 'nobody'"),
        (["drawer", "saver?evry=1"], 2, "options evry=1 do not fit"),
        (["drawer", "stdio:./engine"], 2, "not supported yet"),
        (["drawer", "coin", "--deals", "0"], 2, "Invalid value"),
        (["drawer", "coin", "--seed", "-1"], 2, "Invalid value"),
        (["drawer", "no_such_module_here:Bot"], 5, "no module is called"),
    ],
)
def test_bad_matches(harness, arguments, code, words):
    result = harness("match", *arguments, *GAME)
    assert result.exit_code == code
    assert words in " ".join(result.stderr.split())
