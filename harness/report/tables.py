"""The tables of a report but for victory types: who is best, against whom, from which seat, how long, at what fault."""

import numpy as np
import pandas as pd
from scipy import sparse

from harness.report.data import DRAW, LOSS, WIN, RunData
from harness.report.table import Column, Table, words
from harness.stats.elo import elo_estimate, superiority
from harness.stats.intervals import Z95, Estimate, Ints, clustered_mean, holm, ratio

DEAL_NOTE = "Intervals are 95 %; their unit is the deal, because all games of a deal share its luck."


def sums(data: RunData, rows: pd.DataFrame, cell: object, cells: int, value: object = 1.0) -> sparse.csr_array:
    """Return sums by deal and cell of ``value`` over ``rows``."""
    values = np.broadcast_to(np.asarray(value, dtype=float), len(rows))
    return data.deals.sums(rows["deal"].to_numpy(), np.broadcast_to(np.asarray(cell), len(rows)), values, cells)


def with_estimate(frame: pd.DataFrame, key: str, estimate: Estimate) -> None:
    """Add an estimate as three columns."""
    frame[key], frame[f"{key}_low"], frame[f"{key}_high"] = estimate


def mirror_note(data: RunData) -> list[str]:
    count = int(data.games["mirror"].sum())
    return [f"{count:,} games of a bot against itself are left out here."] if count else []


def draw_word(data: RunData, plural: bool = True) -> str:
    """What it is called when several are first."""
    return ("draws" if plural else "draw") if data.two else "shared first"


def leaderboard(data: RunData) -> Table:
    """One row per bot, best first."""
    own, bots = data.own, len(data.bots)
    bot = own["bot_no"].to_numpy()
    played = sums(data, own, bot, bots)
    frame = pd.DataFrame({"bot": data.bots, "games": np.asarray(played.sum(axis=0)).astype(int)})
    rating = data.ratings
    if rating is not None:
        with_estimate(frame, "rating", Estimate(rating.value, rating.low, rating.high))
        frame["rank_low"], frame["rank_high"] = rating.rank_low, rating.rank_high
    else:
        for key in ("rating", "rating_low", "rating_high", "rank_low", "rank_high"):
            frame[key] = np.nan
    with_estimate(frame, "score", clustered_mean(sums(data, own, bot, bots, own["score"]), played))
    for key, outcome in (("wins", WIN), ("draws", DRAW), ("losses", LOSS)):
        frame[key] = np.bincount(bot[own["outcome"] == outcome], minlength=bots)
    frame["forfeits"] = np.bincount(bot[own["fault"] != ""], minlength=bots)
    points = sums(data, own, bot, bots, own["points"])
    with_estimate(frame, "points", clustered_mean(points, played, rate=False))
    frame["seconds_per_move"] = _seconds_per_move(data)
    frame = frame.iloc[data.order()].reset_index(drop=True)
    frame.insert(0, "rank", np.arange(1, bots + 1))
    columns = [
        Column("rank", "Rank", "rank"), Column("bot", "Bot", "text"), Column("games", "Games"),
        Column("rating", "Rating (Elo)", "elo"), Column("score", "Mean score", "percent"), Column("wins", "Wins"),
        Column("draws", draw_word(data).capitalize()), Column("losses", "Losses"), Column("forfeits", "Forfeits"),
        Column("points", "Points", "number"), Column("seconds_per_move", "Time per move", "seconds"),
    ]  # fmt: skip
    return Table("leaderboard", "Leaderboard", frame, columns, _leaderboard_notes(data), keys=2)


def _seconds_per_move(data: RunData) -> pd.Series:
    own = data.own
    shared = data.games["decisions"].to_numpy()[own["game"]] / data.players
    moves = own.get("decisions", shared)
    by_bot = pd.DataFrame({"bot_no": own["bot_no"], "seconds": own["seconds"], "moves": moves}).groupby("bot_no").sum()
    per_move = by_bot["seconds"] / by_bot["moves"].where(by_bot["moves"] > 0)
    return per_move.reindex(range(len(data.bots)))


def _leaderboard_notes(data: RunData) -> list[str]:
    rating = data.ratings
    notes = [
        "Rating: Bradley-Terry on the Elo scale with a term per seat, 0 is the mean of these bots; 400 points are "
        "odds of ten to one. Rank: with the range that the games allow, if it is more than one.",
        "Mean score: "
        + ("a win is 1, a draw 1/2, a loss 0." if data.two else "the share of the other seats beaten, ties half."),
        "A forfeit is a loss by the bot's own fault; it is counted among the losses.",
    ]
    if rating is None and len(data.bots) > 1:
        pools: dict[int, list[str]] = {}
        for bot, pool in zip(data.bots, data.pools, strict=True):
            pools.setdefault(int(pool), []).append(bot)
        groups = "; ".join(", ".join(pool) for pool in pools.values())
        notes[0] = f"No ratings yet: these groups have not met, so there is no common scale: {groups}. Order by score."
    elif rating is not None and rating.bound.any():
        notes.append(
            "≥ and ≤: that bot (or its group) lost, or won, everything; its rating is a bound, as if one game had "
            "been drawn."
        )
    if "decisions" not in data.own:
        notes.append("Time per move takes each seat's decisions as an equal share of the game's.")
    return [*notes, DEAL_NOTE, *mirror_note(data)]


def pairings(data: RunData) -> Table:
    """One row per two bots that met, the better rated first: score, Elo, LOS and whether the two are told apart."""
    pairs, bots = data.pairs, len(data.bots)
    place = np.argsort(data.order())
    one, two = pairs.cells[pairs.cell, 0], pairs.cells[pairs.cell, 1]
    swap = place[one] > place[two]
    one, two = np.where(swap, two, one), np.where(swap, one, two)
    score = np.where(swap, 1 - pairs.score, pairs.score)
    codes, cell = np.unique(one * bots + two, return_inverse=True)
    deal = data.games["deal"].to_numpy()[pairs.game]
    number = data.deals.sums(deal, cell, np.ones(len(cell)), len(codes))
    total = data.deals.sums(deal, cell, score, len(codes))
    estimate = clustered_mean(total, number)
    first, second = np.divmod(codes, bots)
    frame = pd.DataFrame({"bot": [data.bots[i] for i in first], "against": [data.bots[j] for j in second]})
    frame["games"] = np.asarray(number.sum(axis=0)).round().astype(int)
    frame["deals"] = np.asarray((number != 0).sum(axis=0)).astype(int)
    with_estimate(frame, "score", estimate)
    for key, value in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0)):
        frame[key] = np.bincount(cell[score == value], minlength=len(codes))
    errors = (estimate.high - estimate.low) / (2 * Z95)
    directs = [
        elo_estimate(float(s), float(e), u) for s, e, u in zip(estimate.value, errors, frame["deals"], strict=True)
    ]
    for key in ("value", "low", "high"):
        frame["elo" if key == "value" else f"elo_{key}"] = [getattr(d, key) for d in directs]
    frame["los"] = [superiority(float(s), float(e)) for s, e in zip(estimate.value, errors, strict=True)]
    _add_differences(data, frame, first, second)
    order = np.lexsort([place[second], place[first]])
    frame = frame.iloc[order].reset_index(drop=True)
    return Table("pairings", "Pairings", frame, _pairing_columns(data), _pairing_notes(data), keys=2)


def _add_differences(data: RunData, frame: pd.DataFrame, first: Ints, second: Ints) -> None:
    rating = data.ratings
    if rating is None:
        for key in ("difference", "difference_low", "difference_high", "p"):
            frame[key] = np.nan
        return
    gaps = np.array([rating.difference(int(i), int(j)) for i, j in zip(first, second, strict=True)]).reshape(-1, 3)
    frame["difference"], frame["difference_low"], frame["difference_high"] = gaps.T
    frame["p"] = holm([rating.p_value(int(i), int(j)) for i, j in zip(first, second, strict=True)])


def _pairing_columns(data: RunData) -> list[Column]:
    ahead = ("Wins", "Draws", "Losses") if data.two else ("Ahead", "Level", "Behind")
    return [
        Column("bot", "Bot", "text"), Column("against", "Against", "text"), Column("games", "Games"),
        Column("score", "Score", "percent"), Column("wins", ahead[0]), Column("draws", ahead[1]),
        Column("losses", ahead[2]), Column("elo", "Elo, direct", "elo"),
        Column("difference", "Rating difference", "elo"), Column("los", "LOS", "percent"), Column("p", "p (Holm)", "p"),
    ]  # fmt: skip


def _pairing_notes(data: RunData) -> list[str]:
    return [
        "Elo, direct: from the games of these two alone. Rating difference: from all games; its interval is not that "
        "of two ratings put together. LOS: likelihood that the first is the stronger of the two, from their own games.",
        "p (Holm): of equal ratings, adjusted for testing all these pairs; below 0.05 the two are told apart.",
        *([] if data.two else ["A score counts who finished ahead of whom; a game of n seats holds n(n-1)/2 pairs."]),
        DEAL_NOTE,
    ]


def cross_table(data: RunData, pairs: Table) -> Table:
    """Score of the bot of the row against the bot of the column, both ways round, in long form."""
    there = pairs.frame[["bot", "against", "games", "deals", "score", "score_low", "score_high"]]
    back = there.rename(
        columns={"bot": "against", "against": "bot", "score_low": "score_high", "score_high": "score_low"}
    )
    for key in ("score", "score_low", "score_high"):
        back[key] = 1 - back[key]
    place = {data.bots[bot]: i for i, bot in enumerate(data.order())}
    frame = pd.concat([there, back[there.columns]], ignore_index=True)
    frame = frame.sort_values(["bot", "against"], key=lambda names: names.map(place), kind="stable")
    columns = [
        Column("bot", "Bot", "text"), Column("against", "Against", "text"), Column("score", "Score", "percent"),
        Column("games", "Games"), Column("deals", "Deals"),
    ]  # fmt: skip
    notes = [
        "Score of the bot of the row against the bot of the column with its interval; n is the number of games."
        if data.two
        else "Share of games in which the bot of the row finished ahead of the bot of the column, ties half.",
        DEAL_NOTE,
    ]
    return Table("cross_table", "Cross-table", frame.reset_index(drop=True), columns, notes, keys=2)


def seat_advantage(data: RunData) -> Table:
    """Score by seat: of all games (mirrors too), then of each bot."""
    names, n = data.bots, data.players
    parts = []
    rating = data.ratings
    for rows, bots in ((data.seats, None), (data.own, names)):
        bot = np.zeros(len(rows), dtype=np.int64) if bots is None else rows["bot_no"].to_numpy()
        count = 1 if bots is None else len(names)
        cell = bot * n + rows["seat"].to_numpy()
        number = sums(data, rows, cell, count * n)
        part = pd.DataFrame({"bot": np.repeat(["all"] if bots is None else names, n), "seat": np.tile(range(n), count)})
        part["games"] = np.asarray(number.sum(axis=0)).astype(int)
        with_estimate(part, "score", clustered_mean(sums(data, rows, cell, count * n, rows["score"]), number))
        part["won"] = np.bincount(cell[rows["outcome"] == WIN], minlength=count * n)
        if bots is None and rating is not None:
            with_estimate(part, "elo", Estimate(rating.seat, rating.seat_low, rating.seat_high))
        part["group"] = 0 if bots is None else np.repeat(np.argsort(data.order()) + 1, n)
        parts.append(part)
    frame = pd.concat(parts, ignore_index=True).sort_values(["group", "seat"], kind="stable").drop(columns="group")
    frame = frame[frame["games"] > 0].reset_index(drop=True)
    columns = [
        Column("bot", "Bot", "text"), Column("seat", "Seat (0 begins)"), Column("games", "Games"),
        Column("score", "Mean score", "percent"), Column("won", "Wins"),
    ]  # fmt: skip
    if "elo" in frame:
        columns.append(Column("elo", "Worth (Elo)", "elo"))
    notes = [
        "Every deal is played from every seat, so over all games any difference between seats is the game's own.",
        "Worth: the seat's term in the rating model, against the mean seat.", DEAL_NOTE,
    ]  # fmt: skip
    return Table("seat_advantage", "Seat advantage", frame, columns, notes, keys=2)


def game_length(data: RunData) -> Table:
    """Turns and decisions by victory type, over all games."""
    games = data.games
    rows = []
    for number, kind in [(-1, "all"), *enumerate(data.types)]:
        part = games if number < 0 else games[games["type_no"] == number]
        if part.empty and kind == "forfeit":
            continue
        row: dict[str, object] = {"victory_type": kind, "games": len(part), "share": len(part) / len(games)}
        for key in ("turns", "decisions"):
            quartiles = part[key].quantile([0.25, 0.5, 0.75]).to_numpy() if len(part) else [np.nan] * 3
            row[key] = part[key].mean() if len(part) else np.nan
            row |= dict(zip((f"{key}_q1", f"{key}_median", f"{key}_q3"), quartiles, strict=True))
        rows.append(row)
    frame = pd.DataFrame(rows)
    everything, cells = sums(data, games, 0, 1), len(data.types)
    by_type = sums(data, games, games["type_no"], cells)
    shares = ratio(data.deals, by_type, sparse.csr_array(np.repeat(everything.toarray(), cells, axis=1)))
    means = clustered_mean(sums(data, games, games["type_no"], cells, games["turns"]), by_type, rate=False)
    overall = clustered_mean(sums(data, games, 0, 1, games["turns"]), everything, rate=False)
    place = [data.types.index(kind) for kind in frame["victory_type"][1:]]
    for end in ("low", "high"):
        frame[f"share_{end}"] = [np.nan, *getattr(shares, end)[place]]
        frame[f"turns_{end}"] = [getattr(overall, end)[0], *getattr(means, end)[place]]
    frame["victory_type"] = frame["victory_type"].map(words)
    columns = [
        Column("victory_type", "Game ended by", "text"), Column("games", "Games"),
        Column("share", "Of all games", "percent"), Column("turns", "Turns, mean", "number"),
        Column("turns_q1", "turns Q1"), Column("turns_median", "turns median"),
        Column("turns_q3", "turns Q3"), Column("decisions", "Decisions, mean", "number"),
        Column("decisions_q1", "decisions Q1"), Column("decisions_median", "decisions median"),
        Column("decisions_q3", "decisions Q3"),
    ]  # fmt: skip
    notes = [
        "Turns count those of all seats together; a turn may take several decisions. Q1, Q3: quartiles.",
        DEAL_NOTE,
    ]
    return Table("game_length", "Game length", frame, columns, notes)


def measures(data: RunData) -> Table:
    """Means of the game's measures in wins and in losses, over all bots and for each."""
    decided = data.own[data.own["outcome"] != DRAW]
    won = (decided["outcome"] == WIN).to_numpy()
    bots = len(data.bots)
    bot = decided["bot_no"].to_numpy()
    parts = []
    for cell, count, names in ((np.zeros(len(bot), dtype=np.int64), 1, ["all"]), (bot, bots, data.bots)):
        wins, losses = (sums(data, decided, cell, count, part) for part in (won, ~won))
        for measure in data.measures:
            value = decided[measure].to_numpy()
            part = pd.DataFrame({"bot": names, "measure": measure})
            part["wins"], part["losses"] = (np.asarray(x.sum(axis=0)).astype(int) for x in (wins, losses))
            tops = [sums(data, decided, cell, count, value * side) for side in (won, ~won)]
            with_estimate(part, "in_wins", clustered_mean(tops[0], wins, rate=False))
            with_estimate(part, "in_losses", clustered_mean(tops[1], losses, rate=False))
            part["difference"] = part["in_wins"] - part["in_losses"]
            with np.errstate(divide="ignore", invalid="ignore"):
                draws = [data.deals.resampled(x) for x in (*tops, wins, losses)]
                gap = draws[0] / draws[2] - draws[1] / draws[3]
            part["difference_low"], part["difference_high"] = data.deals.interval(gap)
            part["group"] = 0 if names == ["all"] else np.argsort(data.order()) + 1
            parts.append(part)
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["bot", "measure", "group"])
    frame = frame.sort_values("group", kind="stable").drop(columns="group").reset_index(drop=True)
    frame["measure"] = frame["measure"].map(words)
    columns = [
        Column("bot", "Bot", "text"), Column("measure", "Measure", "text"), Column("wins", "Wins"),
        Column("in_wins", "Mean in wins", "number"), Column("losses", "Losses"),
        Column("in_losses", "Mean in losses", "number"), Column("difference", "Difference", "signed"),
    ]  # fmt: skip
    notes = [
        f"Per game and seat; {draw_word(data)} are left out. What goes with winning need not cause it.", DEAL_NOTE,
        *mirror_note(data),
    ]  # fmt: skip
    return Table("measures", "Measures in wins and losses", frame, columns, notes, keys=2)


def measures_overall(table: Table) -> Table:
    """The rows of all bots together."""
    frame = table.frame[table.frame["bot"] == "all"].drop(columns="bot").reset_index(drop=True)
    return Table("measures_overall", "Measures, all bots together", frame, table.columns[1:], table.notes)


def faults(data: RunData) -> Table:
    """Forfeits by bot and cause, mirrors included: nothing is dropped."""
    guilty = data.seats[data.seats["fault"] != ""]
    games = data.seats.groupby("bot_no")["game"].nunique()
    rows = []
    for (bot, cause), part in guilty.groupby(["bot_no", "fault"], sort=True):
        texts = part["fault_text"].dropna().astype(str) if "fault_text" in part else pd.Series([], dtype=str)
        rows.append({
            "bot": data.bots[bot], "cause": cause, "forfeits": len(part), "games": int(games[bot]),
            "share": len(part) / games[bot], "example": texts.mode().iloc[0] if len(texts) else "",
            "game_id": part["game_id"].iloc[0],
        })  # fmt: skip
    keys = ["bot", "cause", "forfeits", "games", "share", "example", "game_id"]
    columns = [
        Column("bot", "Bot", "text"), Column("cause", "Cause", "text"), Column("forfeits", "Forfeits"),
        Column("games", "Games"), Column("share", "Of its games", "percent"), Column("example", "Most often", "text"),
        Column("game_id", "First game", "text"),
    ]  # fmt: skip
    notes = ["A forfeit ends the game at once: the offender is last, the others share first place."]
    return Table("faults", "Faults", pd.DataFrame(rows, columns=keys), columns, notes, keys=2)
