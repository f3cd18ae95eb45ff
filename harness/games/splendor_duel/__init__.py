"""Splendor Duel (base game, 2022) for two seats.

The rules are compiled from Python: ``tables`` (facts), ``state`` (where everything stands in a State), ``legal``,
``supply``, ``turn``, ``purchase``, ``rules`` (a turn from its options to the victory check) and ``kernels`` (deal,
hidden information, whole random games). ``position``, ``text`` and ``measures`` are for people.
"""

import numpy as np
from pydantic import Field

from harness.games import luck
from harness.games.game import Game, GameOptions, Kernels, State, View
from harness.games.splendor_duel import kernels
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel.legal import legal
from harness.games.splendor_duel.measures import MEASURE_NAMES, measures
from harness.games.splendor_duel.position import from_dict, to_dict
from harness.games.splendor_duel.rules import apply
from harness.games.splendor_duel.tables import MAX_LEGAL, NUM_ACTIONS
from harness.games.splendor_duel.text import action_text, parse_action, show

VICTORY_TYPES = ("color", "crowns", "points", "turn_limit")
FLAGS = VICTORY_TYPES[:3]


class Options(GameOptions):
    """Options of Splendor Duel."""

    turn_limit: int = Field(
        default=st.DEFAULT_TURN_LIMIT,
        ge=1,
        le=st.MAX_TURN_LIMIT,
        description="turns of both players together, then a draw; the rules know no other end but victory [duel 11.3]",
    )


def _new(seats: int, seed: int, options: Options) -> State:
    if seats != 2:
        raise ValueError(f"Splendor Duel has 2 seats, not {seats}")
    state = np.empty(st.STATE_SIZE, dtype=np.int64)
    kernels.deal(state, *luck.key_words(seed), options.turn_limit)
    return state


def _legal_actions(state: State) -> list[int]:
    ids = np.empty(MAX_LEGAL, dtype=np.int64)
    return ids[: legal(state, ids)].tolist()


def _apply(state: State, action: int) -> None:
    apply(state, int(action))


def _ranks(state: State) -> tuple[int, ...]:
    result = int(state[st.RESULT])
    return (1, 1) if result == st.LIMIT_REACHED else (1, 2) if result == 0 else (2, 1)


def _points(state: State) -> tuple[int, ...]:
    return tuple(int(state[st.PLAYERS + seat * st.PLAYER_SIZE + st.POINTS]) for seat in range(2))


def _victory(state: State) -> tuple[str, tuple[str, ...]]:
    bits = int(kernels.endings(state))
    if bits == 0:
        raise ValueError("the game is not over; a made-up position without all 25 tokens can also be a dead end")
    held = [name for i, name in enumerate(VICTORY_TYPES) if (bits >> i) & 1]
    return held[0], tuple(name for name in held if name in FLAGS)


def _view(state: State, seat: int) -> View:
    array = state.copy()
    kernels.hide(array, seat)
    return View(array.tobytes(), seat)


def _sample(view: View, seed: int) -> State:
    state = view.array.copy()
    kernels.redeal(state, *luck.key_words(seed))
    return state


GAME = Game(
    name="splendor_duel",
    title="Splendor Duel",
    version=1,
    seats=(2, 2),
    options=Options,
    num_actions=NUM_ACTIONS,
    victory_types=VICTORY_TYPES,
    limit_types=("turn_limit",),
    flags=FLAGS,
    measure_names=MEASURE_NAMES,
    new=_new,
    seat=lambda state: int(state[st.MOVER]),
    turns=lambda state: int(state[st.TURN]),
    legal_actions=_legal_actions,
    apply=_apply,
    ranks=_ranks,
    points=_points,
    victory=_victory,
    measures=measures,
    view=_view,
    sample=_sample,
    action_text=action_text,
    parse_action=parse_action,
    show=show,
    to_dict=to_dict,
    from_dict=from_dict,
    kernels=Kernels(
        state_size=st.STATE_SIZE,
        max_legal=MAX_LEGAL,
        step=kernels.step,
        random_games=kernels.random_games,
    ),
)
