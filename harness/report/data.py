"""What a report is made from: the two frames of a run, tidied once, and what run.json says about them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from harness.errors import UsageError
from harness.records import FORFEIT
from harness.stats import ratings
from harness.stats.intervals import Deals, Ints
from harness.store import load
from harness.store import signature as run_signature

SEAT_COLUMNS = (
    "game_id", "block", "table", "deal", "rotation", "bot", "seat", "rank", "points", "score", "won",
    "victory_type", "fault", "fault_text", "seconds", "max_move_seconds", "decisions",
)  # fmt: skip


@dataclass(frozen=True)
class Info:
    """What run.json says of a run, as far as a report shows it; absent keys leave defaults."""

    name: str
    title: str = ""
    victory_types: tuple[str, ...] = ()
    limit_types: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    signature: str = ""
    twins: Mapping[str, str] = field(default_factory=dict)
    """Name that a bot has in the other seats of its mirror (``greedy#2``) -> its own name."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """All of run.json, for provenance."""

    @classmethod
    def from_json(cls, name: str, raw: Mapping[str, Any]) -> "Info":
        """Take what is there: a report can be made of a run whose manifest lacks any of it."""
        fixed = raw.get("fixed")
        game = str((fixed if isinstance(fixed, Mapping) else {}).get("game") or "")
        return cls(
            name=name,
            title=str(raw.get("title") or game.replace("_", " ").title() or "unknown game"),
            victory_types=tuple(raw.get("victory_types") or ()),
            limit_types=tuple(raw.get("limit_types") or ()),
            measures=tuple(raw.get("measures") or ()),
            twins=_twins(raw),
            raw=raw,
        )


def _twins(raw: Mapping[str, Any]) -> dict[str, str]:
    """Return the names that the schedule made up: numbered ones that the config does not list itself."""
    config = raw.get("config")
    listed = config.get("bots") if isinstance(config, Mapping) else None
    if not isinstance(listed, list) or not isinstance(raw.get("bots"), Mapping):
        return {}
    own = {bot.get("name") for bot in listed if isinstance(bot, Mapping)}
    return {name: name.split("#")[0] for name in raw["bots"] if "#" in name and name not in own}


def read_info(run: Path) -> Info:
    """Read ``run/run.json``. UsageError names the file when it is absent or no JSON object."""
    path = run / "run.json"
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{run} is not a run: it has no run.json; give the folder that `harness run` wrote") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}); restore it, or play the run again with --out") from None
    if not isinstance(raw, dict):
        raise UsageError(f"{path} is not a JSON object; restore it, or play the run again with --out")
    return Info.from_json(run.resolve().name, raw)


WIN, DRAW, LOSS = "win", "draw", "loss"


class RunData:
    """Frames with the columns a report needs, bots and victory types in order, and the one set of bootstrap draws.

    ``games`` and ``seats`` are as `harness.store.load` gives them. A *mirror* is a game whose seats all hold one bot:
    it tells of seats and lengths, never of strength, and is left out of everything by bot.
    """

    def __init__(self, info: Info, games: pd.DataFrame, seats: pd.DataFrame) -> None:
        if games.empty or seats.empty:
            raise UsageError(f"run {info.name} holds no games yet; play some with `harness run`, then report again")
        self.info = info
        self.games = games.reset_index(drop=True)
        self.players = int(self.games["seats"].iloc[0])
        self.seats = self._tidy(seats)
        self.bots: list[str] = sorted(str(bot) for bot in self.seats["bot"].unique())
        self.types = self._types()
        self._add_numbers()
        self.own = self.seats[~self.seats["mirror"]]
        """Rows of seats that tell of strength."""
        self.deals = Deals(self.games["deal"].to_numpy())
        self.measures = self._measures()

    def _tidy(self, seats: pd.DataFrame) -> pd.DataFrame:
        """Sort the seats by game and seat, whole games only, and say how each seat came out."""
        game = pd.Index(self.games["game_id"].astype(str)).get_indexer(seats["game_id"].astype(str))
        whole = (self.games["seats"] == self.players).all() and len(seats) == len(self.games) * self.players
        if not whole or (np.bincount(game[game >= 0], minlength=len(self.games)) != self.players).any():
            raise UsageError(
                f"run {self.info.name}: games and seats do not belong together, so something changed its shards; move "
                "them out of games/ and give the command of the run again: it plays what is missing"
            )
        names = seats["bot"].astype(str).replace(dict(self.info.twins))
        seats = seats.assign(game=game, bot=names).sort_values(["game", "seat"], kind="stable").reset_index(drop=True)
        fault = seats["fault"].astype(object) if "fault" in seats else pd.Series("", index=seats.index)
        seats["fault"] = fault.where(fault.notna(), "").astype(str)
        seats["outcome"] = np.select([seats["won"] >= 1, seats["won"] > 0], [WIN, DRAW], LOSS)
        return seats

    def _add_numbers(self) -> None:
        """Add ``bot_no`` and ``type_no``, the places in ``bots`` and ``types``, and mark mirrors."""
        self.seats["bot_no"] = pd.Categorical(self.seats["bot"].astype(str), self.bots).codes.astype(np.int64)
        kind = pd.Categorical(self.games["victory_type"].astype(str), self.types).codes.astype(np.int64)
        self.games["type_no"] = kind
        self.seats["type_no"] = kind[self.seats["game"]]
        sitting = self.seats["bot_no"].to_numpy().reshape(-1, self.players)
        self.games["mirror"] = (sitting == sitting[:, :1]).all(axis=1)
        self.seats["mirror"] = self.games["mirror"].to_numpy()[self.seats["game"]]

    def _types(self) -> list[str]:
        """Victory types in declared order, those the run knows only from its games after them, forfeits last."""
        seen = self.games["victory_type"].astype(str).value_counts().index
        order = [*self.info.victory_types, *sorted(t for t in seen if t not in self.info.victory_types)]
        return [t for t in order if t != FORFEIT] + [FORFEIT]

    def _measures(self) -> list[str]:
        extra = {"game", "outcome", "mirror", "bot_no", "type_no", *SEAT_COLUMNS}
        found = [c for c in self.seats if c not in extra and pd.api.types.is_numeric_dtype(self.seats[c])]
        return [m for m in self.info.measures if m in found] + [m for m in found if m not in self.info.measures]

    @cached_property
    def pairs(self) -> ratings.Pairs:
        """All pairs of seats, of games in the order of ``games``."""
        bots, ranks = (self.seats[c].to_numpy().reshape(-1, self.players) for c in ("bot_no", "rank"))
        return ratings.pairs_of_seats(bots, ranks)

    @cached_property
    def pools(self) -> Ints:
        """Group of each bot: only bots that met, directly or through others, can be rated on one scale."""
        return ratings.groups(self.pairs.cells, len(self.bots))

    @cached_property
    def ratings(self) -> ratings.Ratings | None:
        """Ratings by bot number; None when the bots have not all met, directly or through others."""
        if len(self.bots) < 2 or np.max(self.pools) > 0:
            return None
        deal = self.games["deal"].to_numpy().astype(np.int64)
        return ratings.rate(self.pairs, deal, self.deals, len(self.bots), self.players)

    def order(self) -> list[int]:
        """Bot numbers, best first: by rating, or by mean score when there is no common scale."""
        by_rating = self.ratings
        if by_rating is not None:
            merit = by_rating.value
        else:
            score = self.own.groupby("bot_no")["score"].mean()
            merit = score.reindex(range(len(self.bots)), fill_value=-1.0).to_numpy()
        return sorted(range(len(self.bots)), key=lambda bot: (-round(float(merit[bot]), 6), self.bots[bot]))

    @property
    def two(self) -> bool:
        """Whether this is a two-player game: then one speaks of opponent, draw and lead."""
        return self.players == 2


def read(run: Path, *, sign: bool = False) -> RunData:
    """Read a run folder; ``sign`` adds its signature. UsageError says what is missing or damaged."""
    frames = load(run)  # first: it checks run.json
    info = read_info(run)
    if sign:
        info = replace(info, signature=run_signature(run))
    return RunData(info, frames.games, frames.seats)
