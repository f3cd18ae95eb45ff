"""A report of a run that was really played and stored."""

import json
from pathlib import Path

import pandas as pd
import pytest

from harness import report, tournament
from harness.config import load_config
from harness.errors import UsageError
from harness.plugins import load_plugins
from harness.store import signature

HIGH_CARD = Path(__file__).parents[1] / "high_card.py"
CONFIG = """
game = "high_card"
seed = 5
deals = 12
{more}
[[bots]]
name = "coin"
bot = "coin"
[[bots]]
name = "drawer"
bot = "drawer"
[[bots]]
name = "saver"
bot = "saver"
"""


@pytest.fixture
def play(tmp_path):
    """Play the config above, with some more settings, and return the run's folder."""

    def play(more=""):
        registry = load_plugins([str(HIGH_CARD)])
        (tmp_path / "config.toml").write_text(CONFIG.format(more=more))
        config = load_config(tmp_path / "config.toml", registry)
        tournament.run(config, tmp_path / "demo", registry=registry, engine="serial")
        return tmp_path / "demo"

    return play


def test_a_played_run_is_reported(play):
    run = play()
    path = report.write(run)
    assert path == run / "report" / "report.html"
    page = path.read_text()
    raw = json.loads((run / "run.json").read_text())
    for shown in ("High Card", "demo", raw["plan_hash"], raw["bots"]["coin"]["sha256"][:12], signature(run), "numpy"):
        assert shown in page
    board = pd.read_csv(run / "report" / "tables" / "leaderboard.csv")
    assert sorted(board["bot"]) == ["coin", "drawer", "saver"]
    assert board["games"].tolist() == [48] * 3
    types = pd.read_csv(run / "report" / "tables" / "victory_types.csv")
    assert types["victory_type"].iloc[:4].tolist() == ["lucky", "steady", "turn limit", "forfeit"]
    assert (run / "report" / "charts" / "victory_types.png").is_file()


def test_the_other_seats_of_a_mirror_are_no_contestants(play):
    run = play("[schedule]\nmirrors = true")
    report.write(run)
    board = pd.read_csv(run / "report" / "tables" / "leaderboard.csv")
    assert sorted(board["bot"]) == ["coin", "drawer", "saver"]
    assert board["games"].tolist() == [48] * 3
    seats = pd.read_csv(run / "report" / "tables" / "seat_advantage.csv")
    assert seats["games"].iloc[0] == (3 + 3) * 12 * 2


def test_three_seats_are_reported(play):
    run = play("seats = 3")
    assert "shared first" in report.write(run).read_text()
    assert "draws" not in report.summary(run).lower()


def test_the_summary_fits_a_terminal(play):
    lines = report.summary(play()).splitlines()
    assert max(len(line) for line in lines) <= 80
    assert lines[0].startswith("- ")
    assert {"Leaderboard", "Of its wins, by which road", "Of its losses, by which road"} <= set(lines)


def test_a_folder_that_is_no_run_is_named(tmp_path):
    with pytest.raises(UsageError, match="run.json"):
        report.write(tmp_path)


def test_a_run_without_games_says_so(play):
    run = play()
    for shard in (run / "games").glob("*.parquet"):
        shard.unlink()
    with pytest.raises(UsageError, match="no games yet"):
        report.write(run)
    assert not (run / "report").exists()
