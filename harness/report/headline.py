"""The answer in plain words: only what the intervals carry."""

import math
from itertools import pairwise
from typing import Any

import pandas as pd

from harness.records import FORFEIT
from harness.report.data import RunData
from harness.report.table import Table, number, words

FEW_DEALS = 30
ROADS_TOLD = 5
"""For how many bots, from the top, the road is told."""
FEW_WINS = 10


def sentences(data: RunData, tables: dict[str, Table]) -> list[str]:
    """Return the findings of a run, most important first, one sentence or two each."""
    found = [*_strength(data, tables), *_roads(tables["victory_types"]), *_seats(data, tables["seat_advantage"])]
    return [*found, *_endings(data, tables["faults"]), *_cautions(data)]


def _strength(data: RunData, tables: dict[str, Table]) -> list[str]:
    board = tables["leaderboard"].frame
    order = data.order()
    names = [data.bots[bot] for bot in order]
    if len(names) < 2:
        return [f"Only {names[0]} played: there is nobody to compare it with."]
    if data.ratings is None:
        return ["The bots have not all met yet, directly or through others: there is no common rating, only scores."]
    level = [bot for bot in order[1:] if not _apart(data, tables["pairings"], order[0], bot)]
    if len(names) == 2:
        told = "" if not level else f"{names[0]} and {names[1]} are not told apart: "
        return [told + _gap(data, *order) + ".", _score(board)]
    found = []
    if level:
        top = [names[0], *(data.bots[bot] for bot in level)]
        found.append(f"The top {len(top)} are not separated: {_list(top)}.")
        if order[-1] not in level:
            found.append(_gap(data, order[0], order[-1]) + ".")
    else:
        found.append(f"{names[0]} is the best of {len(names)}: {_gap(data, order[0], order[1])}.")
        found.append(_gap(data, order[0], order[-1]) + ".")
    return found + _neighbours(data, tables["pairings"], order, bool(level))


def _neighbours(data: RunData, pairings: Table, order: list[int], skip_first: bool) -> list[str]:
    """Name the neighbours in the ranking that are not told apart, if the first sentence has not."""
    level = [
        f"{data.bots[one]} and {data.bots[two]}"
        for place, (one, two) in enumerate(pairwise(order))
        if not (skip_first and place == 0) and not _apart(data, pairings, one, two)
    ]
    if not level:
        return [] if skip_first else ["Every bot is told apart from its neighbours in the ranking."]
    if len(level) > 3:
        return [f"{len(level)} of {len(order) - 1} pairs of neighbours in the ranking are not told apart."]
    return [f"Not told apart: {'; '.join(level)}."]


def _score(board: pd.DataFrame) -> str:
    row = board.iloc[0]
    ends = f"[{100 * row['score_low']:.1f}, {100 * row['score_high']:.1f}]"
    return f"{row['bot']} scores {number(row['score'], 'percent')} {ends} in {row['games']:,} games."


def _apart(data: RunData, pairings: Table, one: int, two: int) -> bool:
    """Whether two bots are told apart: by their pairing's adjusted p, or by the plain one if they never met."""
    frame = pairings.frame
    names = {data.bots[one], data.bots[two]}
    rows = frame[frame["bot"].isin(names) & frame["against"].isin(names)]
    if len(rows):
        return bool(rows["p"].iloc[0] < 0.05)
    rating = data.ratings
    return rating is not None and rating.p_value(one, two) < 0.05 / max(len(frame), 1)


def _gap(data: RunData, one: int, two: int) -> str:
    rating = data.ratings
    assert rating is not None  # callers have ratings
    value, low, high = rating.difference(one, two)
    if value < 0:
        one, two, (value, low, high) = two, one, (-value, -high, -low)
    strong, weak = data.bots[one], data.bots[two]
    if math.isnan(low):
        return f"{strong} stands {value:.0f} Elo above {weak}, no one can say how surely"
    if math.isinf(high):
        return f"{strong} is at least {low:.0f} Elo above {weak}" if low > 0 else f"{strong} stands above {weak}"
    if round(value) == 0:
        return f"{strong} and {weak} stand level [{number(low, 'elo')}, {number(high, 'elo')}]"
    up, down = high - value, value - low
    if max(up, down) <= 1.25 * min(up, down):
        return f"{strong} stands {value:.0f} ± {(high - low) / 2:.0f} Elo above {weak}"
    return f"{strong} stands {value:.0f} Elo above {weak} [{number(low, 'elo')}, {number(high, 'elo')}]"


def _list(names: list[str]) -> str:
    if len(names) > 8:
        return ", ".join(names[:7]) + f" and {len(names) - 7} more"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _roads(table: Table) -> list[str]:
    """The road of the first bots: the type that makes up most of its wins, if the intervals tell which."""
    found = []
    for name, rows in list(table.frame.groupby("bot", sort=False))[:ROADS_TOLD]:
        best = rows.sort_values("won_of_wins", ascending=False, kind="stable").to_dict("records")
        if best[0]["wins"] < FEW_WINS:
            continue
        top, others = best[0], best[1:]
        share = f"{_share(top)} of its {top['wins']:,} wins by {top['victory_type']}"
        if all(top["won_of_wins_low"] > other["won_of_wins_high"] for other in others):
            found.append(f"{name} takes {share}.")
        else:
            found.append(f"{name} has no clear road: {share}, {_share(others[0])} by {others[0]['victory_type']}.")
    return found


def _share(row: dict[str, Any]) -> str:
    value, low, high = (100 * row[f"won_of_wins{end}"] for end in ("", "_low", "_high"))
    return f"{value:.0f} % [{low:.0f}, {high:.0f}]"


def _seats(data: RunData, table: Table) -> list[str]:
    if (data.games["victory_type"].astype(str) == FORFEIT).all():
        return []  # who forfeits first says nothing of seats
    rows = table.frame[table.frame["bot"] == "all"]
    best = rows.loc[rows["score"].idxmax()]
    ends = f"{100 * best['score']:.1f} % [{100 * best['score_low']:.1f}, {100 * best['score_high']:.1f}]"
    if best["score_low"] <= 0.5:
        return [f"No seat is shown to be better: the best of them, seat {best['seat']:.0f}, scores {ends}."]
    who = "The seat that begins" if best["seat"] == 0 else f"Seat {best['seat']:.0f} (seat 0 begins)"
    return [f"{who} has the edge: it scores {ends} over all games."]


def _endings(data: RunData, faults: Table) -> list[str]:
    games = len(data.games)
    frame = faults.frame
    found = []
    if len(frame):
        worst = frame.sort_values("forfeits", ascending=False, kind="stable").iloc[0]
        total = int(frame["forfeits"].sum())
        part = "all" if worst["forfeits"] == total else f"{worst['forfeits']:,}"
        found.append(
            f"{total:,} of {games:,} games were forfeited, {part} of them by {worst['bot']} ({words(worst['cause'])})."
        )
    else:
        found.append(f"None of the {games:,} games was forfeited.")
    stopped = int(data.games["victory_type"].astype(str).isin(data.info.limit_types).sum())
    if stopped:
        were = "game was" if stopped == 1 else "games were"
        found.append(f"{stopped:,} {were} stopped by a limit ({100 * stopped / games:.1f} %).")
    return found


def _cautions(data: RunData) -> list[str]:
    count = data.deals.count
    if count == 1:
        return ["Only one deal has been played: nothing can be said about how sure this is. Play more deals."]
    if count < FEW_DEALS:
        return [f"Only {count} deals have been played: the intervals are wide and rough. Play more deals."]
    return []
