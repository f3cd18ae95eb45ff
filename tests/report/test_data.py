import json

import numpy as np
import pandas as pd
import pytest

from harness.errors import UsageError
from harness.report.data import Info, RunData, read_info
from tests.report.frames import frames, games_in, info, run


def test_order_of_types_is_the_declared_one_with_forfeits_last():
    assert run(deals=3).types == ["color", "crowns", "points", "turn_limit", "forfeit"]


def test_a_run_that_declares_nothing_finds_its_types_and_measures():
    data = RunData(Info.from_json("x", {}), *frames(deals=10))
    assert data.types == ["color", "crowns", "points", "turn_limit", "forfeit"]
    assert data.measures == ["crowns_taken", "reserves"]
    assert data.info.title == "unknown game"


def test_games_and_seats_may_come_in_any_order():
    games, seats = frames(deals=5)
    one = RunData(info(), games, seats)
    two = RunData(info(), games, seats.sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(one.seats, two.seats)


def test_categoricals_are_as_good_as_strings():
    games, seats = frames(deals=5, faulty={"random": 0.3})
    plain = RunData(info(), games, seats)
    for frame in (games, seats):
        for name in ("table", "victory_type", "bot", "fault"):
            if name in frame:
                frame[name] = frame[name].astype("category")
    other = RunData(info(), games, seats)
    assert plain.bots == other.bots
    assert plain.seats["fault"].tolist() == other.seats["fault"].tolist()
    assert np.array_equal(plain.ratings.value, other.ratings.value)


def test_mirrors_are_told_from_contests():
    data = run(deals=4, mirrors=True)
    assert data.games["mirror"].sum() == 5 * 4 * 2
    assert len(data.own) == 2 * games_in(5, 4, 2)


def test_the_twin_of_a_mirror_is_the_bot_itself():
    raw = {
        "config": {"bots": [{"name": "greedy"}, {"name": "random"}]},
        "bots": {"greedy": {}, "greedy#2": {}, "random": {}},
    }
    games, seats = frames(bots=("greedy", "random"), deals=6, mirrors=True)
    second = (seats["table"] == "greedy+greedy") & (seats["seat"] == 1)
    seats.loc[second, "bot"] = "greedy#2"
    data = RunData(info(**raw), games, seats)
    assert data.bots == ["greedy", "random"]
    assert data.games["mirror"].sum() == 2 * 6 * 2


def test_a_numbered_bot_of_the_config_is_a_contestant():
    raw = {"config": {"bots": [{"name": "random"}, {"name": "random#2"}]}, "bots": {"random": {}, "random#2": {}}}
    data = RunData(info(**raw), *frames(bots=("random", "random#2"), deals=3))
    assert data.bots == ["random", "random#2"]
    assert not data.games["mirror"].any()


def test_an_empty_run_says_what_to_do():
    games, seats = frames(deals=1)
    with pytest.raises(UsageError, match="demo holds no games yet; play some"):
        RunData(info(), games.head(0), seats.head(0))


def test_seats_without_their_games_are_an_error():
    games, seats = frames(deals=2)
    with pytest.raises(UsageError, match="do not belong together"):
        RunData(info(), games, seats.iloc[1:])
    with pytest.raises(UsageError, match="do not belong together"):
        RunData(info(), games, seats.assign(game_id="x"))


@pytest.mark.parametrize(
    ("content", "message"), [(None, "has no run.json"), ("{", "cannot be read"), ("[]", "is not a JSON object")]
)
def test_a_bad_manifest_is_named(tmp_path, content, message):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(UsageError, match=message) as caught:
        read_info(tmp_path)
    assert str(tmp_path) in str(caught.value)


def test_a_manifest_is_read(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps({"fixed": {"game": "high_card"}, "victory_types": ["a", "forfeit"]}))
    found = read_info(tmp_path)
    assert (found.title, found.victory_types, found.name) == ("High Card", ("a", "forfeit"), tmp_path.name)
