"""The end of a turn, compiled: discard or not, victory, whose turn is next [duel 8.1, 10]."""

from harness.games.jit import compiler
from harness.games.splendor_duel.legal import (
    Words,
    hand_size,
)
from harness.games.splendor_duel.state import (
    BOUGHT,
    CHOOSE_DISCARD,
    CHOSEN,
    COLOR_POINTS,
    CROWNS,
    EXTRA_TURN,
    FLAGS,
    LIMIT_REACHED,
    MAIN,
    MOVER,
    OVER,
    PHASE,
    PLAYER_SIZE,
    PLAYERS,
    POINTS,
    RESULT,
    TO_PAY,
    TOKENS,
    TURN,
    TURN_LIMIT,
    TURNS,
)
from harness.games.splendor_duel.tables import (
    FOLDER,
    GEM_TOP_BITS,
    HAND_LIMIT,
    LANE,
    NUM_GEMS,
    WIN_COLOR,
    WIN_CROWNS,
    WIN_POINTS,
)

kernel = compiler(FOLDER)

_COLOR_WIN = sum((0x80 - WIN_COLOR) << (LANE * color) for color in range(NUM_GEMS))


@kernel("boolean(int64[::1], int64)", inner=True)
def _wins(s: Words, player: int) -> bool:
    """Whether a player fulfils one of the three conditions [duel 10]."""
    return (
        s[player + POINTS] >= WIN_POINTS
        or s[player + CROWNS] >= WIN_CROWNS
        or ((s[player + COLOR_POINTS] + _COLOR_WIN) & GEM_TOP_BITS) != 0
    )


@kernel("void(int64[::1])", inner=True)
def _end_turn(s: Words) -> None:
    """Check victory, then pass the turn on, or back to the mover when an extra turn is due [duel 8, 10]."""
    if _wins(s, PLAYERS + s[MOVER] * PLAYER_SIZE):
        s[RESULT] = s[MOVER]
        s[PHASE] = OVER
    elif s[TURN] >= s[TURN_LIMIT]:
        s[RESULT] = LIMIT_REACHED
        s[PHASE] = OVER
    else:
        if not s[FLAGS] & EXTRA_TURN:
            s[MOVER] ^= 1
        s[TURN] += 1
        s[PLAYERS + s[MOVER] * PLAYER_SIZE + TURNS] += 1
        s[PHASE] = MAIN
    s[FLAGS] = 0


@kernel("void(int64[::1])", inner=True)
def finish_action(s: Words) -> None:
    """After the mandatory action, which is now forgotten: discard down to ten, or end the turn."""
    s[CHOSEN] = 0
    s[BOUGHT] = 0
    s[TO_PAY] = 0
    if hand_size(s[PLAYERS + s[MOVER] * PLAYER_SIZE + TOKENS]) > HAND_LIMIT:
        s[PHASE] = CHOOSE_DISCARD
    else:
        _end_turn(s)
