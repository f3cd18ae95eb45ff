"""What crosses the borders between schedule, engine and store: Block, Fault, Result. Plain data, cheap to pickle."""

from dataclasses import dataclass, field
from math import factorial

MAX_DEALS = 2**31 - 1  # deals are stored as int32
FORFEIT = "forfeit"  # the victory type the harness adds to every game
ENDED_BY = ("rules", "turn_limit", "forfeit")
FAULT_CAUSES = (
    "illegal_action",
    "exception",
    "move_time",
    "game_time",
    "hang",
    "crash",
    "memory",
    "start",
    "protocol",
)


@dataclass(frozen=True, slots=True)
class Block:
    """One Table on one Deal, played once for every rotation of the seats: the unit that is scheduled and committed."""

    index: int
    """Position in the Schedule, from 0."""
    table: tuple[str, ...]
    """Bot names, sorted."""
    deal: int

    @property
    def rotations(self) -> int:
        return len(self.table)

    def seating(self, rotation: int) -> tuple[str, ...]:
        """Bot names by seat. Deal d uses cyclic order number d mod (n-1)!, then turns it ``rotation`` places."""
        order = _cyclic_order(self.table, self.deal)
        return order[rotation:] + order[:rotation]

    def game_id(self, rotation: int) -> str:
        """``<table>/<deal>/<rotation>``, for example ``greedy+random/17/0``."""
        return f"{'+'.join(self.table)}/{self.deal}/{rotation}"


def _cyclic_order(table: tuple[str, ...], deal: int) -> tuple[str, ...]:
    """Return the cyclic order of a table for a deal: the first name stays, the rest follow permutation d mod (n-1)!."""
    rest = list(table[1:])
    number = deal % factorial(len(rest))
    order = [table[0]]
    while rest:
        place, number = divmod(number, factorial(len(rest) - 1))
        order.append(rest.pop(place))
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's fault that forfeited a game."""

    seat: int
    cause: str
    """One of FAULT_CAUSES."""
    text: str
    """One line for people."""
    evidence: dict[str, object] = field(default_factory=dict)
    """JSON data: the answer, the legal list, the position, a traceback ..."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one game went. Tuples are by seat."""

    game_id: str
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    victory_type: str
    flags: tuple[str, ...]
    ended_by: str
    """One of ENDED_BY."""
    turns: int
    actions: bytes
    """All actions in order, uint16 little endian."""
    measures: dict[str, tuple[int, ...]]
    seat_seconds: tuple[float, ...]
    """Wall seconds each seat spent choosing."""
    max_move_seconds: tuple[float, ...]
    seconds: float
    """Wall seconds of the whole game."""
    fault: Fault | None = None

    @property
    def decisions(self) -> int:
        return len(self.actions) // 2

    @property
    def scores(self) -> tuple[float, ...]:
        """Per seat the share of the other seats beaten, ties half."""
        others = len(self.ranks) - 1
        return tuple(
            sum(1.0 if mine < other else 0.5 if mine == other else 0.0 for other in self.ranks) / others
            - 0.5 / others  # the seat's tie with itself
            for mine in self.ranks
        )

    @property
    def won(self) -> tuple[float, ...]:
        """Per seat 1/k for each of k first places, else 0."""
        best = min(self.ranks)
        share = 1.0 / self.ranks.count(best)
        return tuple(share if rank == best else 0.0 for rank in self.ranks)
