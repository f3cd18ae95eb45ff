"""By which road a bot wins and loses: victory types per bot and per pairing, with counts, rates and intervals."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from harness.report.data import DRAW, LOSS, WIN, RunData
from harness.report.table import Column, Table, words
from harness.report.tables import DEAL_NOTE, draw_word, mirror_note, sums, with_estimate
from harness.stats.intervals import Ints, ratio

KINDS = ((WIN, "wins", "won"), (LOSS, "losses", "lost"))


def by_bot(data: RunData) -> Table:
    """One row per bot and victory type: won, drawn, lost; of its wins (losses) and of its games."""
    frame = _long(data, data.own, data.own["bot_no"].to_numpy(), len(data.bots), data.own["outcome"].to_numpy())
    frame.insert(0, "bot", np.repeat(data.bots, len(data.types)))
    place = np.repeat(np.argsort(data.order()), len(data.types))
    frame = frame.iloc[np.argsort(place, kind="stable")].reset_index(drop=True)
    columns = [Column("bot", "Bot", "text"), *_columns(data)]
    return Table("victory_types", "Wins and losses by victory type", frame, columns, _notes(data), keys=2)


def _long(data: RunData, rows: pd.DataFrame, group: Ints, groups: int, outcome: NDArray[Any]) -> pd.DataFrame:
    """Count outcomes by group and type; one row per group and type, groups outermost."""
    types = len(data.types)
    cell = group * types + rows["type_no"].to_numpy()
    spread = np.repeat(np.arange(groups), types)
    games = sums(data, rows, group, groups)[:, spread]
    frame = pd.DataFrame({"victory_type": [words(t) for t in data.types] * groups})
    frame["games"] = _total(games)
    for kind, total, part in KINDS:
        chosen = (outcome == kind).astype(float)
        of_type = sums(data, rows, cell, groups * types, chosen)
        of_all = sums(data, rows, group, groups, chosen)[:, spread]
        frame[total], frame[part] = _total(of_all), _total(of_type)
        with_estimate(frame, f"{part}_of_{total}", ratio(data.deals, of_type, of_all))
        with_estimate(frame, f"{part}_of_games", ratio(data.deals, of_type, games))
    drawn = (outcome == DRAW).astype(float)
    frame["draws"] = _total(sums(data, rows, group, groups, drawn)[:, spread])
    frame["drawn"] = _total(sums(data, rows, cell, groups * types, drawn))
    return frame


def _total(table: sparse.csr_array) -> Ints:
    return np.asarray(table.sum(axis=0)).round().astype(np.int64)


def _columns(data: RunData) -> list[Column]:
    drawn = "Drawn" if data.two else "Shared first"
    return [
        Column("victory_type", "Victory type", "text"), Column("games", "Games"),
        Column("wins", "Wins, all"), Column("won", "Wins by it"),
        Column("won_of_wins", "Of its wins", "percent"), Column("won_of_games", "Of its games", "percent"),
        Column("losses", "Losses, all"), Column("lost", "Losses to it"),
        Column("lost_of_losses", "Of its losses", "percent"), Column("lost_of_games", "Of its games", "percent"),
        Column("drawn", drawn),
    ]  # fmt: skip


def _notes(data: RunData) -> list[str]:
    return [
        "“Of its wins” asks by which road it wins when it wins; “of its games” counts all its games, lost ones too, so "
        "a bot can win more games by a road while it makes up less of its wins.",
        f"Wins, {draw_word(data)} and losses add up to the games; the types of wins add up to the wins.",
        *([] if data.two else ["A loss is a game in which another seat was first; a shared first place is no win."]),
        DEAL_NOTE,
        *mirror_note(data),
    ]


def overview(data: RunData, table: Table, won: bool = True) -> Table:
    """One row per bot, one column per type: the share of its wins (losses) with count and interval."""
    total, part = ("wins", "won") if won else ("losses", "lost")
    source = table.frame
    frame = source.drop_duplicates("bot")[["bot", "games", total]].reset_index(drop=True)
    columns = [Column("bot", "Bot", "text"), Column("games", "Games"), Column(total, total.capitalize())]
    never = []
    for kind in data.types:
        rows = source[source["victory_type"] == words(kind)].reset_index(drop=True)
        if not rows[part].any():
            never.append(words(kind))
            continue
        frame[f"{kind}_{part}"] = rows[part]
        frame[kind] = rows[f"{part}_of_{total}"]
        for end in ("low", "high"):
            frame[f"{kind}_{end}"] = rows[f"{part}_of_{total}_{end}"]
        columns.append(Column(kind, words(kind).capitalize(), "percent", count=f"{kind}_{part}"))
    title = "Of its wins, by which road" if won else "Of its losses, by which road"
    notes = [f"Share of the bot's {total}, with the number of games and the interval.", DEAL_NOTE]
    if never:
        notes.insert(
            0, f"No game was {part} by {' or '.join(never)}." if won else f"Nobody lost by {' or '.join(never)}."
        )
    return Table(f"victory_types_{total}", title, frame, columns, notes)


def by_pairing(data: RunData) -> Table:
    """One row per bot, other bot and victory type: how each beat the other."""
    pairs, bots = data.pairs, len(data.bots)
    one, two = pairs.cells[pairs.cell, 0], pairs.cells[pairs.cell, 1]
    both = pd.DataFrame({
        "bot": np.r_[one, two], "against": np.r_[two, one], "game": np.r_[pairs.game, pairs.game],
        "score": np.r_[pairs.score, 1 - pairs.score],
    })  # fmt: skip
    for key in ("deal", "type_no"):
        both[key] = data.games[key].to_numpy()[both["game"]]
    codes, group = np.unique(both["bot"].to_numpy() * bots + both["against"].to_numpy(), return_inverse=True)
    outcome = np.select([both["score"] == 1, both["score"] == 0], [WIN, LOSS], DRAW)
    frame = _long(data, both, group, len(codes), outcome)
    types = len(data.types)
    first, second = np.divmod(codes, bots)
    frame.insert(0, "bot", np.repeat([data.bots[i] for i in first], types))
    frame.insert(1, "against", np.repeat([data.bots[j] for j in second], types))
    place = np.argsort(data.order())
    order = np.lexsort(
        [np.tile(np.arange(types), len(codes)), np.repeat(place[second], types), np.repeat(place[first], types)]
    )
    frame = frame.iloc[order]
    frame = frame[(frame["won"] + frame["lost"] + frame["drawn"]) > 0].reset_index(drop=True)
    columns = [Column("bot", "Bot", "text"), Column("against", "Against", "text"), *_columns(data)]
    notes = ["Types that ended no game of a pairing have no row.", *_notes(data)]
    if not data.two:
        notes[1:1] = ["Here a win is a game in which the bot finished ahead of that other bot, whoever was first."]
    return Table("victory_types_by_pairing", "Victory types by pairing", frame, columns, notes, keys=3)
