"""The contract of a game: what every game gives the harness, documented once for all of them.

A game is a bundle of functions and facts; nothing here knows bots, matches or files.

Words. A *State* is a full position, hidden cards and future luck included: one small int64 array, read through the
game's own named index constants. A *View* is a State with what one seat may not know blanked. An *Action* is one
small decision, an int in the game's fixed numbering ``0 .. num_actions - 1``. Seats count from 0; seat 0 begins.
A turn is a sequence of actions by one seat: its main choice is always asked, a later sub-choice with a single
option is taken silently. What an action uncovers is seen only after the sub-choices that make the action (which gold,
which payment); an ability it then sets off may be decided knowing it, where the rules say so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

State = NDArray[np.int64]
Measures = Mapping[str, Sequence[int]]


class GameOptions(BaseModel):
    """Base of a game's options; each field has a default and a description."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class View:
    """What one seat may know of a position.

    ``array`` has the State's layout with the hidden parts blanked; it is this View's own copy, made when first
    asked for, so a bot that does not look pays nothing and one that scribbles on it harms only itself. Games
    subclass View to add a readable face.
    """

    __slots__ = ("_array", "_raw", "seat")

    def __init__(self, raw: bytes, seat: int) -> None:
        self._raw = raw
        self.seat = seat

    @property
    def array(self) -> State:
        """The blanked State, an int64 array."""
        try:
            return self._array
        except AttributeError:  # one is made per decision, so it starts with as little as can be
            self._array: State = np.frombuffer(self._raw, dtype=np.int64).copy()
            return self._array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.seat, self._raw) == (other.seat, other._raw)

    def __hash__(self) -> int:
        return hash((self.seat, self._raw))


def array_of(position: State | View) -> State:
    """Return the int64 array of a State or View."""
    return position.array if isinstance(position, View) else position


@dataclass(frozen=True, kw_only=True)
class Kernels:
    """A game's compiled functions, each with one explicit signature.

    ``step(buffer, action) -> int`` is the one call a match makes per decision. ``buffer`` is one int64 array:
    ``[count, seat | State | View of that seat | legal ids]``, see the offsets below. The action is looked up among
    the legal ids in the buffer; when it is not there, -1 is returned and nothing changes. Otherwise it is applied and
    the number of legal actions that follow is returned (0 when the game is over), with everything else in the
    buffer refreshed. ``action = START`` applies nothing and only refreshes.
    ``random_games(seed, games, totals) -> decisions`` deals and plays ``games`` uniformly random games of the
    smallest table; ``totals`` (int64, ``len(victory_types)``) counts their victory types.
    """

    state_size: int
    max_legal: int
    step: Callable[[State, int], int]
    random_games: Callable[[int, int, State], int]

    START = -1
    COUNT, SEAT, STATE = 0, 1, 2

    @property
    def view_offset(self) -> int:
        return self.STATE + self.state_size

    @property
    def legal_offset(self) -> int:
        return self.STATE + 2 * self.state_size

    def new_buffer(self) -> State:
        return np.zeros(self.legal_offset + self.max_legal, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game. All functions are pure but ``apply``, which changes the State in place.

    name, title       key (``[a-z0-9_]+``) and printed name
    version           raised whenever the same seed and actions can give another game
    seats             smallest and largest number of seats
    options           pydantic model of the game's options; ``options()`` gives the defaults
    num_actions       actions are ``0 .. num_actions - 1``
    victory_types     all ways the rules can end a game, in the order they are judged (``forfeit`` is the harness's)
    limit_types       those of them that mean "stopped by a limit", reported apart
    flags             names of facts that may hold beside the victory type
    measure_names     keys of ``measures``
    """

    name: str
    title: str
    version: int
    seats: tuple[int, int]
    options: type[GameOptions]
    num_actions: int
    victory_types: tuple[str, ...]
    limit_types: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    measure_names: tuple[str, ...] = ()

    new: Callable[[int, int, Any], State]
    """``new(seats, seed, options)``: the deal, a function of the seed (non-negative int, up to 128 bits) alone."""
    seat: Callable[[State], int]
    """Who decides; meaningless once the game is over."""
    turns: Callable[[State], int]
    """Turns begun so far, all seats together, extra turns included."""
    legal_actions: Callable[[State], list[int]]
    """Ascending ids; empty exactly when the game is over."""
    apply: Callable[[State, int], None]
    """Apply a legal action in place. Legality is checked at the border, not here."""
    ranks: Callable[[State], tuple[int, ...]]
    """Per seat, 1 is best; equal ranks share. Defined once the game is over."""
    points: Callable[[State], tuple[int, ...]]
    """Per seat, what the game counts as points, at any time."""
    victory: Callable[[State], tuple[str, tuple[str, ...]]]
    """``(victory type, flags)``: the first type that holds in declared order, and all flags that hold."""
    measures: Callable[[State], Measures]
    """What a player would count afterwards: name -> one int per seat."""
    view: Callable[[State, int], View]
    """``view(state, seat)``: what that seat may know."""
    sample: Callable[[View, int], State]
    """``sample(view, seed)``: a full State drawn uniformly from those consistent with the View."""
    action_text: Callable[[State | View, int], str]
    """The action in the game's notation, in the context of the position it is legal in."""
    parse_action: Callable[[State | View, str], int]
    """Inverse of ``action_text``; ValueError says what is wrong with the text."""
    show: Callable[[State | View], str]
    """A picture of the position for a terminal, 80 columns wide; hidden parts of a View show as hidden."""
    to_dict: Callable[[State | View], dict[str, Any]]
    """The position as plain JSON data; the hidden parts of a View are absent."""
    from_dict: Callable[[dict[str, Any]], State]
    """Inverse of ``to_dict``; parts may be left out, see the game. ValueError names the key that is wrong."""
    view_class: type[View] = View
    """The game's own View, with its readable face; what a match makes from the View part of a kernel buffer."""
    kernels: Kernels | None = None
    """None for a game in plain Python: a full citizen, only slower."""

    def copy(self, state: State) -> State:
        return state.copy()
