"""Synthetic frames of runs, as `harness.store.load` gives them: any number of seats, faults, limits, mirrors."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from harness.records import Block
from harness.report.data import Info, RunData

TYPES = ("color", "crowns", "points", "turn_limit")
NAMES = ("greedy", "points_rusher", "crown_rusher", "color_rusher", "random")
STRENGTH = {"greedy": 1.6, "points_rusher": 0.9, "crown_rusher": 0.8, "color_rusher": 0.2, "random": -2.0}
ROADS = {"greedy": (1, 2, 6), "points_rusher": (0.2, 0.2, 9), "crown_rusher": (1, 8, 2), "color_rusher": (7, 1, 3)}


def info(**more):
    raw = {"fixed": {"game": "splendor_duel", "game_version": 1, "seed": 7, "seats": 2}, "measures": ["crowns_taken"],
           "victory_types": [*TYPES, "forfeit"], "limit_types": ["turn_limit"],
           "bots": {"greedy": {"sha256": "ab" * 32}},
           "versions": {"python": "3.11"}}  # fmt: skip
    return Info.from_json("demo", raw | more)


def frames(bots=NAMES, deals=60, seats=2, seed=1, *, seat_edge=0.15, limits=0.01, faulty=None, mirrors=False):
    """Return games and seats. ``faulty`` maps a bot to the share of its games that it forfeits."""
    rng = np.random.default_rng(seed)
    tables = list(combinations(sorted(bots), seats)) + ([(b,) * seats for b in sorted(bots)] if mirrors else [])
    games, rows, index = [], [], 0
    for deal in range(deals):
        luck = rng.normal(0, 0.5, seats)
        for table in tables:
            block = Block(index, table, deal)
            index += 1
            for rotation in range(seats):
                game, sitting = play(rng, block, rotation, luck, seat_edge, limits, faulty or {})
                games.append(game)
                rows.extend(sitting)
    return pd.DataFrame(games), pd.DataFrame(rows)


def play(rng, block, rotation, luck, seat_edge, limits, faulty):
    who = block.seating(rotation)
    n = len(who)
    strength = np.array([STRENGTH.get(b, 0.1 * (hash_of(b) % 20 - 10)) for b in who])
    edge = seat_edge * np.linspace(1, -1, n)
    ranks = n - np.argsort(np.argsort(strength + edge + luck + rng.gumbel(size=n)))
    guilty = next((s for s, b in enumerate(who) if rng.random() < faulty.get(b, 0)), None)
    turns = int(rng.normal(52 * n / 2, 6))
    kind, ended = TYPES[rng.choice(3, p=road(who[int(np.argmin(ranks))]))], "rules"
    if guilty is not None:
        kind = ended = "forfeit"
        ranks = np.where(np.arange(n) == guilty, n, 1)
        turns = int(rng.integers(1, turns))
    elif rng.random() < limits:
        kind = ended = "turn_limit"
        ranks, turns = np.ones(n, dtype=int), 200 * n
    first = ranks == 1
    common = {
        "game_id": block.game_id(rotation),
        "table": "+".join(block.table),
        "deal": block.deal,
        "rotation": rotation,
        "block": block.index,
        "victory_type": kind,
    }
    game = common | {
        "seats": n,
        "flags": "",
        "turns": turns,
        "decisions": turns * 2,
        "ended_by": ended,
        "first_seat_bot": who[0],
        "seconds": turns * 0.001,
    }
    rows = [common | {
        "bot": who[s], "seat": s, "rank": int(ranks[s]), "points": int(10 + 8 * first[s] + rng.integers(4)),
        "score": float(((ranks[s] < ranks).sum() + ((ranks[s] == ranks).sum() - 1) / 2) / (n - 1)),
        "won": float(first[s] / first.sum()), "fault": "illegal_action" if s == guilty else None,
        "fault_text": "answered 7, which is not legal" if s == guilty else None, "seconds": turns * 0.0004,
        "max_move_seconds": 0.01, "crowns_taken": int(rng.integers(3) + 4 * (kind == "crowns" and first[s])),
        "reserves": int(rng.integers(5)),
    } for s in range(n)]  # fmt: skip
    return game, rows


def road(bot):
    weights = np.array(ROADS.get(bot, (1, 1, 2)), dtype=float)
    return weights / weights.sum()


def hash_of(name):
    return sum(ord(c) * (i + 3) for i, c in enumerate(name))


def run(**more):
    return RunData(info(), *frames(**more))


def games_in(bots, deals, seats):
    return comb(bots, seats) * deals * seats
