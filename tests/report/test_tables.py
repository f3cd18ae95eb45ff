import numpy as np
import pandas as pd
import pytest

from harness.report import build, tables, victory
from harness.report.data import RunData
from tests.report.frames import frames, games_in, info, run


def tiny():
    """Two bots, two deals, four games: A wins three (color, color, crowns), B one (points); hand-made."""
    games, rows = [], []
    for number, (deal, rotation, first, second, winner, kind) in enumerate(
        [(0, 0, "A", "B", "A", "color"), (0, 1, "B", "A", "B", "points"),
         (1, 0, "A", "B", "A", "crowns"), (1, 1, "B", "A", "A", "color")]
    ):  # fmt: skip
        common = {"game_id": f"A+B/{deal}/{rotation}", "table": "A+B", "deal": deal, "rotation": rotation,
                  "block": deal, "victory_type": kind}  # fmt: skip
        games.append(common | {"seats": 2, "flags": "", "turns": 10 + number, "decisions": 20, "ended_by": "rules",
                               "first_seat_bot": first, "seconds": 1.0})  # fmt: skip
        for seat, bot in enumerate((first, second)):
            won = bot == winner
            rows.append(common | {"bot": bot, "seat": seat, "rank": 1 if won else 2, "points": 10 if won else 4,
                                  "score": float(won), "won": float(won), "fault": None, "fault_text": None,
                                  "seconds": 5.0, "max_move_seconds": 1.0,
                                  "crowns_taken": 3 if won else 1})  # fmt: skip
    return RunData(info(), pd.DataFrame(games), pd.DataFrame(rows))


def test_leaderboard_by_hand():
    board = tables.leaderboard(tiny()).frame
    assert board["bot"].tolist() == ["A", "B"]
    assert board[["games", "wins", "draws", "losses", "forfeits"]].to_numpy().tolist() == [
        [4, 3, 0, 1, 0],
        [4, 1, 0, 3, 0],
    ]
    assert board["score"].tolist() == [0.75, 0.25]
    # Deals gave 1/2 and 1: mean 3/4, standard error 1/4, t with one degree of freedom: clipped to [0, 1].
    assert board["score_low"][0] == 0.0
    assert board["points"].tolist() == [8.5, 5.5]
    assert board["seconds_per_move"].tolist() == [0.5, 0.5]
    assert board["rating"].sum() == pytest.approx(0)


def test_victory_types_by_hand():
    frame = victory.by_bot(tiny()).frame.set_index(["bot", "victory_type"])
    a = frame.loc["A"]
    assert a["won"].to_dict() == {"color": 2, "crowns": 1, "points": 0, "turn limit": 0, "forfeit": 0}
    assert a["lost"].to_dict() == {"color": 0, "crowns": 0, "points": 1, "turn limit": 0, "forfeit": 0}
    assert a.loc["color", "won_of_wins"] == pytest.approx(2 / 3)
    assert a.loc["color", "won_of_games"] == pytest.approx(2 / 4)
    assert a.loc["points", "lost_of_losses"] == 1.0
    assert frame.loc[("B", "color"), "lost_of_losses"] == pytest.approx(2 / 3)


def test_seats_and_lengths_by_hand():
    data = tiny()
    seats = tables.seat_advantage(data).frame
    assert seats.loc[seats["bot"] == "all", "score"].tolist() == [0.75, 0.25]  # the first seat won games 0, 1 and 2
    length = tables.game_length(data).frame.set_index("victory_type")
    assert length.loc["all", "turns"] == 11.5
    assert length.loc["color", ["games", "turns", "turns_median"]].tolist() == [2, 11.5, 11.5]
    assert length.loc["turn limit", "games"] == 0
    measures = tables.measures(data).frame.set_index(["bot", "measure"])
    assert measures.loc[("all", "crowns taken"), ["in_wins", "in_losses", "difference"]].tolist() == [3, 1, 2]


def test_pairings_by_hand():
    pairs = tables.pairings(tiny()).frame.iloc[0]
    assert (pairs["bot"], pairs["against"], pairs["games"], pairs["deals"]) == ("A", "B", 4, 2)
    assert (pairs["wins"], pairs["draws"], pairs["losses"], pairs["score"]) == (3, 0, 1, 0.75)
    assert pairs["elo"] == pytest.approx(190.85, abs=0.01)


CASES = {
    "plain": {"deals": 12},
    "faults": {"deals": 12, "faulty": {"random": 0.4, "greedy": 0.1}},
    "limits": {"deals": 12, "limits": 0.4},
    "mirrors": {"deals": 12, "mirrors": True, "faulty": {"random": 0.3}},
    "three": {"deals": 12, "seats": 3, "faulty": {"random": 0.3}, "limits": 0.1},
    "four": {"deals": 12, "seats": 4, "mirrors": True},
    "pair": {"deals": 12, "bots": ("greedy", "random")},
    "only forfeits": {"deals": 5, "faulty": {"greedy": 1, "random": 1}, "bots": ("greedy", "random")},
    "one deal": {"deals": 1},
}


@pytest.fixture(params=CASES, scope="module")
def data(request):
    return run(**CASES[request.param])


def test_everything_adds_up(data):
    board = tables.leaderboard(data).frame
    assert (board["wins"] + board["draws"] + board["losses"] == board["games"]).all()
    assert board["games"].sum() == (~data.games["mirror"]).sum() * data.players
    assert (board["forfeits"] <= board["losses"]).all()
    assert board["forfeits"].sum() == ((data.games["victory_type"] == "forfeit") & ~data.games["mirror"]).sum()
    assert np.average(board["score"], weights=board["games"]) == pytest.approx(0.5)


def test_types_of_wins_sum_to_wins(data):
    frame = victory.by_bot(data).frame
    by_bot = frame.groupby("bot")
    for part, total in (("won", "wins"), ("lost", "losses"), ("drawn", "draws")):
        assert (by_bot[part].sum() == by_bot[total].first()).all()
    assert (frame["wins"] + frame["losses"] + frame["draws"] == frame["games"]).all()
    known = frame[frame["wins"] > 0]
    assert np.allclose(known.groupby("bot")["won_of_wins"].sum(), 1)
    assert frame.loc[frame["wins"] == 0, "won_of_wins"].isna().all()
    if data.two:
        assert frame.groupby("victory_type")["won"].sum().equals(frame.groupby("victory_type")["lost"].sum())


def test_types_by_pairing_sum_to_the_pairing(data):
    frame = victory.by_pairing(data).frame
    groups = frame.groupby(["bot", "against"])
    for part, total in (("won", "wins"), ("lost", "losses"), ("drawn", "draws")):
        assert (groups[part].sum() == groups[total].first()).all()
    turned = frame.set_index(["against", "bot", "victory_type"])["lost"].sort_index()
    assert (frame.set_index(["bot", "against", "victory_type"])["won"].sort_index() == turned).all()


def test_intervals_hold_their_value(data):
    checked = 0
    for table in build(data).values():
        for key in [c.removesuffix("_low") for c in table.frame if c.endswith("_low")]:
            low, value, high = (table.frame[k] for k in (f"{key}_low", key, f"{key}_high"))
            known = value.notna() & low.notna()
            assert (low[known] <= value[known] + 1e-9).all(), (table.name, key)
            assert (value[known] <= high[known] + 1e-9).all(), (table.name, key)
            checked += int(known.sum())
    assert checked


def test_cross_table_is_one_minus_its_turn(data):
    cross = tables.cross_table(data, tables.pairings(data)).frame
    grid = cross.pivot(index="bot", columns="against", values="score")
    assert np.allclose((grid + grid.T).fillna(1), 1)
    assert len(cross) == 2 * len(cross[cross["bot"] < cross["against"]])


def test_seats_share_what_there_is(data):
    frame = tables.seat_advantage(data).frame
    everyone = frame[frame["bot"] == "all"]
    assert everyone["score"].mean() == pytest.approx(0.5)
    assert everyone["games"].tolist() == [len(data.games)] * data.players


def test_lengths_count_every_game_once(data):
    frame = tables.game_length(data).frame
    assert frame["games"].iloc[1:].sum() == frame["games"].iloc[0] == len(data.games)
    assert frame["share"].iloc[1:].sum() == pytest.approx(1)


def test_faults_count_every_forfeit(data):
    frame = tables.faults(data).frame
    assert frame["forfeits"].sum() == (data.games["victory_type"] == "forfeit").sum()


def test_words_of_two_players_are_kept_for_two_players():
    three = run(seats=3, deals=4)
    shown = " ".join(
        [c.head for t in (tables.leaderboard(three), victory.by_bot(three)) for c in t.columns]
        + [n for t in (tables.leaderboard(three), victory.by_bot(three), tables.pairings(three)) for n in t.notes]
    ).lower()
    assert "draw" not in shown
    assert "opponent" not in shown
    assert "share of the other seats beaten" in shown
    assert "share of the other seats" not in " ".join(tables.leaderboard(run(deals=2)).notes)


def test_a_score_at_three_seats_is_the_share_beaten():
    data = run(seats=3, deals=20)
    board = tables.leaderboard(data).frame.set_index("bot")["score"]
    greedy = data.own[data.own["bot"] == "greedy"]
    beaten = [(data.own[(data.own["game"] == g) & (data.own["rank"] > r)].shape[0]
               + (data.own[(data.own["game"] == g) & (data.own["rank"] == r)].shape[0] - 1) / 2) / 2
              for g, r in zip(greedy["game"], greedy["rank"], strict=True)]  # fmt: skip
    assert board["greedy"] == pytest.approx(np.mean(beaten))


def test_bots_that_never_met_have_scores_but_no_ratings():
    games, seats = frames(bots=("a", "b", "c", "d"), deals=5)
    games = games[games["table"].isin(["a+b", "c+d"])]
    data = RunData(info(), games, seats[seats["game_id"].isin(games["game_id"])])
    board = tables.leaderboard(data)
    assert board.frame["rating"].isna().all()
    assert board.frame["score"].is_monotonic_decreasing
    assert "have not met" in board.notes[0]
    assert "a, b; c, d" in board.notes[0]


def test_the_number_of_games_is_the_schedule_s():
    assert tables.leaderboard(run(seats=3, deals=7)).frame["games"].sum() == 3 * games_in(5, 7, 3)


def test_seconds_per_move_uses_the_seat_s_own_decisions_if_known():
    games, seats = frames(bots=("greedy", "random"), deals=3)
    seats["decisions"] = 4
    seats["seconds"] = 2.0
    board = tables.leaderboard(RunData(info(), games, seats))
    assert board.frame["seconds_per_move"].tolist() == [0.5, 0.5]
    assert not any("equal share" in note for note in board.notes)
