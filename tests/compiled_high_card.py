"""The toy game with a stand-in for compiled kernels: a Python ``step`` over the same buffer layout."""

from dataclasses import replace

from harness.games.game import Kernels, State
from tests import high_card

STATE_SIZE = high_card.DECK + high_card.DECK_SIZE
MAX_LEGAL = 2


def step(buffer: State, action: int) -> int:
    assert type(action) is int
    assert -1 <= action < high_card.GAME.num_actions, "must never reach compiled code"
    state = buffer[Kernels.STATE : KERNELS.view_offset]
    if action != Kernels.START:
        if action not in buffer[KERNELS.legal_offset :][: buffer[Kernels.COUNT]]:
            return -1
        high_card.apply(state, action)
    legal = high_card.legal_actions(state)
    seat = high_card.seat(state)
    buffer[Kernels.COUNT], buffer[Kernels.SEAT] = len(legal), seat
    buffer[KERNELS.view_offset : KERNELS.legal_offset] = high_card.view(state, seat).array
    buffer[KERNELS.legal_offset :][: len(legal)] = legal
    return len(legal)


def random_games(seed: int, games: int, totals: State) -> int:
    raise NotImplementedError


KERNELS = Kernels(state_size=STATE_SIZE, max_legal=MAX_LEGAL, step=step, random_games=random_games)
GAME = replace(high_card.GAME, kernels=KERNELS)
