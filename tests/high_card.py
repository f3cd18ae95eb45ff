"""A tiny game in plain Python (no kernels, 2 to 4 seats, hidden luck) for tests of everything that is not a game.

In turn each seat draws the hidden top card (worth 0 to 3) or takes a safe point; the first to reach the target wins.
It is a plugin too: ``harness match coin saver --plugin tests/high_card.py --game high_card``.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from harness.api import Bot, hookimpl
from harness.games.game import Game, GameOptions, State, View

DRAW, SAFE = 0, 1
SEATS, TURN, TARGET, LIMIT, LAST_DRAWN, POINTS, DRAWS, DECK = 0, 1, 2, 3, 4, 5, 9, 13
DECK_SIZE = 120
UNKNOWN = -1


class Options(GameOptions):
    target: int = 10
    turn_limit: int = 60


def new(seats: int, seed: int, options: Options) -> State:
    state = np.zeros(DECK + DECK_SIZE, dtype=np.int64)
    state[[SEATS, TARGET, LIMIT]] = seats, options.target, options.turn_limit
    rng = Random(seed)
    state[DECK:] = [rng.randrange(4) for _ in range(DECK_SIZE)]
    return state


def _seats(state: State) -> int:
    return int(state[SEATS])


def seat(state: State) -> int:
    return int(state[TURN]) % _seats(state)


def points(state: State) -> tuple[int, ...]:
    return tuple(int(p) for p in state[POINTS : POINTS + _seats(state)])


def legal_actions(state: State) -> list[int]:
    over = max(points(state)) >= state[TARGET] or state[TURN] >= state[LIMIT]
    return [] if over else [DRAW, SAFE]


def apply(state: State, action: int) -> None:
    mover, turn = seat(state), int(state[TURN])
    state[POINTS + mover] += state[DECK + turn] if action == DRAW else 1
    state[DRAWS + mover] += action == DRAW
    state[DECK + turn] = 0  # a used card is public and gone
    state[LAST_DRAWN] = action == DRAW
    state[TURN] += 1


def ranks(state: State) -> tuple[int, ...]:
    own = points(state)
    return tuple(1 + sum(other > mine for other in own) for mine in own)


def victory(state: State) -> tuple[str, tuple[str, ...]]:
    if max(points(state)) < state[TARGET]:
        return "turn_limit", ()
    flags = ("overshot",) if max(points(state)) > state[TARGET] else ()
    return ("lucky" if state[LAST_DRAWN] else "steady"), flags


def view(state: State, seat: int) -> View:
    blanked = state.copy()
    blanked[DECK + int(state[TURN]) :] = UNKNOWN
    return View(blanked.tobytes(), seat)


def sample(view: View, seed: int) -> State:
    state = view.array.copy()
    hidden = state[DECK:] == UNKNOWN
    rng = Random(seed)
    state[DECK:][hidden] = [rng.randrange(4) for _ in range(int(hidden.sum()))]
    return state


def parse_action(_state: State, text: str) -> int:
    if text not in ("draw", "safe"):
        raise ValueError(f"unknown action {text!r}: use draw or safe")
    return ("draw", "safe").index(text)


def from_dict(data: dict[str, Any]) -> State:
    return np.array(data["state"], dtype=np.int64)


GAME = Game(
    name="high_card",
    title="High Card",
    version=1,
    seats=(2, 4),
    options=Options,
    num_actions=2,
    victory_types=("lucky", "steady", "turn_limit"),
    limit_types=("turn_limit",),
    flags=("overshot",),
    measure_names=("draws",),
    new=new,
    seat=seat,
    turns=lambda state: int(state[TURN]),
    legal_actions=legal_actions,
    apply=apply,
    ranks=ranks,
    points=points,
    victory=victory,
    measures=lambda state: {"draws": tuple(int(d) for d in state[DRAWS : DRAWS + _seats(state)])},
    view=view,
    sample=sample,
    action_text=lambda _state, action: ("draw", "safe")[action],
    parse_action=parse_action,
    show=lambda state: f"points {points(state)}, seat {seat(state)} to move",
    to_dict=lambda state: {"state": [int(word) for word in state]},
    from_dict=from_dict,
)


def drawer(_view: View, _legal: list[int]) -> int:
    """Always draws."""
    return DRAW


def coin(_view: View, legal: list[int], rng: Random) -> int:
    """Draws or takes the safe point by chance."""
    return rng.choice(legal)


class Saver(Bot):
    """Takes safe points; draws one time in ``every`` instead (0: never)."""

    def __init__(self, every: int = 0) -> None:
        self.every = every
        self.decisions = 0

    def choose(self, view: View, legal: list[int]) -> int:
        self.decisions += 1
        return DRAW if self.every and self.decisions % self.every == 0 else SAFE


@hookimpl
def register_games(register: Callable[..., None]) -> None:
    register("high_card", GAME)


@hookimpl
def register_bots(register: Callable[..., None]) -> None:
    register("drawer", drawer, games=["high_card"])
    register("coin", coin)
    register("saver", Saver, games=["high_card"])
