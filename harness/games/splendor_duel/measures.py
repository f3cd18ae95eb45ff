"""What a player would count after a game of Splendor Duel: takes, privileges, purchases, abilities, points."""

from harness.games.game import Measures, State
from harness.games.splendor_duel import reading
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb

_COUNTERS = tuple(name for names in st.COUNTER_NAMES for name in names)
_POINTS = tuple(f"points_{color}" for color in tb.COLORS[: tb.NUM_GEMS])
_PURCHASES = tuple(f"purchases_level_{level + 1}" for level in range(tb.NUM_LEVELS))

MEASURE_NAMES = (
    "turns",
    *_COUNTERS,
    "ability_wild",
    *_PURCHASES,
    "royals",
    "crowns",
    *_POINTS,
    "points_colorless",
    "points_royals",
    "tokens_left",
)
"""takes_N: takes of N tokens; takes_penalized: those that gave the opponent a privilege; privileges_lost: taken away by
the opponent; points_colorless: on points-only cards; tokens_left: in hand at the end."""


def measures(state: State) -> Measures:
    """Return every measure by name, one int per seat."""
    per_seat = [_of_player(state, st.PLAYERS + seat * st.PLAYER_SIZE) for seat in range(2)]
    return {name: (per_seat[0][name], per_seat[1][name]) for name in MEASURE_NAMES}


def _of_player(state: State, player: int) -> dict[str, int]:
    cards = reading.owned_cards(state, player)
    by_color = int(state[player + st.COLOR_POINTS])
    of_color = {name: (by_color >> (tb.LANE * c)) & tb.LANE_MASK for c, name in enumerate(_POINTS)}
    royals = reading.royals_in(int(state[player + st.OWN_ROYALS]))
    levels = [int(tb.CARD_LEVEL[card]) for card in cards]
    royal_points = sum(int(tb.ROYAL_POINTS[royal - 1]) for royal in royals)
    return {
        "turns": int(state[player + st.TURNS]),
        **reading.counters(state, player),
        "ability_wild": sum(card in tb.WILD_CARDS for card in cards),
        **{name: levels.count(level) for level, name in enumerate(_PURCHASES)},
        "royals": len(royals),
        "crowns": int(state[player + st.CROWNS]),
        **of_color,
        "points_colorless": int(state[player + st.POINTS]) - sum(of_color.values()) - royal_points,
        "points_royals": royal_points,
        "tokens_left": sum(reading.tokens_dict(int(state[player + st.TOKENS])).values()),
    }
