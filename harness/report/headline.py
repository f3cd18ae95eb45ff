"""The answer in plain words: only what the intervals carry."""

import math

from harness.report.data import RunData
from harness.report.table import Table, number, words

FEW_DEALS = 30


def sentences(data: RunData, tables: dict[str, Table]) -> list[str]:
    """Return the findings of a run, most important first, one sentence or two each."""
    found = [*_strength(data, tables), *_roads(data, tables["victory_types"]), _seats(data, tables["seat_advantage"])]
    return [*found, *_endings(data, tables["faults"]), *_cautions(data)]


def _strength(data: RunData, tables: dict[str, Table]) -> list[str]:
    board = tables["leaderboard"].frame
    names = list(board["bot"])
    if len(names) < 2:
        return [f"Only {names[0]} played: there is nobody to compare it with."]
    if data.ratings is None:
        return ["The bots have not all met yet, directly or through others: there is no common rating, only scores."]
    first = data.bots.index(names[0])
    level = [n for n in names[1:] if not _apart(data, tables["pairings"], first, data.bots.index(n))]
    if level and len(level) == len(names) - 1:
        lead = f"No bot is shown to be the best: {_list(names[: len(level) + 1])} are not told apart from the first."
    elif level:
        # Those level with the first need not stand next to it: name them.
        lead = f"The top {len(level) + 1} are not separated: {_list([names[0], *level])}."
    elif len(names) == 2:
        return [_beats(data, first, data.bots.index(names[1])) + _score_of(board)]
    else:
        lead = f"{names[0]} is the best of {len(names)}: {_beats(data, first, data.bots.index(names[1]))}"
    if len(names) == 2:
        return [lead.replace("No bot is shown to be the best: ", "") + _score_of(board)]
    last = data.bots.index(names[-1])
    return [lead, _beats(data, first, last)] if _apart(data, tables["pairings"], first, last) else [lead]


def _score_of(board: object) -> str:
    row = board.iloc[0]  # type: ignore[attr-defined]
    ends = f" [{100 * row['score_low']:.1f}, {100 * row['score_high']:.1f}]"
    return f" {row['bot']} scores {number(row['score'], 'percent')}{ends} in {row['games']:,} games."


def _apart(data: RunData, pairings: Table, one: int, two: int) -> bool:
    """Whether two bots are told apart: by their pairing's adjusted p, or by the plain one if they never met."""
    frame = pairings.frame
    names = {data.bots[one], data.bots[two]}
    rows = frame[frame["bot"].isin(names) & frame["against"].isin(names)]
    if len(rows):
        return bool(rows["p"].iloc[0] < 0.05)
    rating = data.ratings
    return rating is not None and rating.p_value(one, two) < 0.05 / max(len(frame), 1)


def _beats(data: RunData, one: int, two: int) -> str:
    rating = data.ratings
    assert rating is not None  # callers have ratings
    value, low, high = rating.difference(one, two)
    strong, weak = data.bots[one], data.bots[two]
    if math.isinf(high):
        return f"{strong} is ahead of {weak} by at least {low:.0f} Elo (a bound: one of them won or lost everything)."
    up, down = high - value, value - low
    if max(up, down) <= 1.25 * min(up, down):
        return f"{strong} is ahead of {weak} by {value:.0f} ± {(high - low) / 2:.0f} Elo."
    return f"{strong} is ahead of {weak} by {value:.0f} Elo [{low:.0f}, {high:.0f}]."


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _roads(data: RunData, table: Table) -> list[str]:
    """The road of the first bots: the type that makes up most of its wins, if the intervals tell which."""
    found = []
    frame = table.frame
    for name in list(dict.fromkeys(frame["bot"]))[:3]:
        rows = frame[frame["bot"] == name].sort_values("won_of_wins", ascending=False, kind="stable")
        if not rows["wins"].iloc[0]:
            continue
        top, next_best = rows.iloc[0], rows.iloc[1] if len(rows) > 1 else None
        share = f"{100 * top['won_of_wins']:.0f} % [{100 * top['won_of_wins_low']:.0f}, {100 * top['won_of_wins_high']:.0f}]"
        clear = next_best is None or top["won_of_wins_low"] > next_best["won_of_wins_high"]
        of = f"of its {top['wins']:,} wins"
        if clear:
            found.append(f"{name} takes {share} {of} by {top['victory_type']}.")
        else:
            found.append(
                f"{name} has no clear road: {share} {of} by {top['victory_type']}, "
                f"{100 * next_best['won_of_wins']:.0f} % by {next_best['victory_type']}."
            )
    return found


def _seats(data: RunData, table: Table) -> str:
    rows = table.frame[table.frame["bot"] == "all"]
    best = rows.loc[rows["score"].idxmax()]
    ends = f"{100 * best['score']:.1f} % [{100 * best['score_low']:.1f}, {100 * best['score_high']:.1f}]"
    who = "The seat that begins" if best["seat"] == 0 else f"Seat {best['seat']:.0f} (seat 0 begins)"
    if best["score_low"] > 0.5:
        return f"{who} has the edge: it scores {ends} over all games."
    return f"No seat is shown to be better: the best of them, seat {best['seat']:.0f}, scores {ends}."


def _endings(data: RunData, faults: Table) -> list[str]:
    games = len(data.games)
    frame = faults.frame
    found = []
    if len(frame):
        worst = frame.sort_values("forfeits", ascending=False, kind="stable").iloc[0]
        found.append(
            f"{frame['forfeits'].sum():,} of {games:,} games were forfeited, "
            f"{worst['forfeits']:,} of them by {worst['bot']} ({words(worst['cause'])})."
        )
    else:
        found.append(f"None of the {games:,} games was forfeited.")
    stopped = int(data.games["victory_type"].astype(str).isin(data.info.limit_types).sum())
    if stopped:
        found.append(f"{stopped:,} games ({100 * stopped / games:.1f} %) were stopped by a limit.")
    return found


def _cautions(data: RunData) -> list[str]:
    count = data.deals.count
    if count == 1:
        return ["Only one deal has been played: nothing can be said about how sure this is. Play more deals."]
    if count < FEW_DEALS:
        return [f"Only {count} deals have been played: the intervals are wide and rough. Play more deals."]
    return []
