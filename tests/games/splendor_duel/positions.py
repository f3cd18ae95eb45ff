"""Short ways to set up positions of Splendor Duel, to play on in notation, and to say all that changed.

A is the seat to move first, B the other. Sets of tokens are written as in ``2W 1Au``, boards as cells with their
tokens: ``Wa1 Aud3``. As in the rule cases, whoever is not mentioned has nothing and the bag is empty.
"""

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from harness.games.game import State
from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import tables as tb

CELLS = [f"{column}{row}" for row in "12345" for column in "abcde"]
NOTHING = "-"
REST = "rest"

# The spiral as the rules describe it: from the centre down, then clockwise outwards.
_SPIRAL = "c3 c4 b4 b3 b2 c2 d2 d3 d4 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5"
SPIRAL = _SPIRAL.split()


def tokens(text: str) -> dict[str, int]:
    """Read ``2W 1Au``."""
    found = [re.fullmatch(r"(\d+)([A-Z]u?)", word) for word in text.split() if word != NOTHING]
    return {tb.COLORS[tb.LETTERS.index(match[2])]: int(match[1]) for match in found if match}


def tokens_text(counts: dict[str, int]) -> str:
    """Write ``2W 1Au``, colours in their order, ``-`` for none."""
    letters = zip(tb.COLORS, tb.LETTERS, strict=True)
    return " ".join(f"{counts[color]}{letter}" for color, letter in letters if counts.get(color)) or NOTHING


def rows(board: str) -> list[str]:
    """Turn ``Wa1 Aud3`` into the five rows of a position."""
    at = {word[-2:]: word[:-2] for word in board.split()}
    assert set(at) <= set(CELLS)
    assert set(at.values()) <= set(tb.LETTERS)
    return [" ".join(at.get(f"{column}{row}", ".") for column in "abcde") for row in "12345"]


def player(
    held: str = "",
    *,
    cards: list[int] | None = None,
    scrolls: int = 0,
    wilds: dict[int, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """One seat: tokens, owned cards, privileges, colours of the owned wild cards; ``more`` as in a position."""
    joined = {str(card): color for card, color in (wilds or {}).items()}
    return {"tokens": tokens(held), "cards": cards or [], "privileges": scrolls, "wild_colors": joined, **more}


def position(
    board: str = "",
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    *,
    pyramid: list[int] | None = None,
    bag: str = NOTHING,
    **more: Any,
) -> State:
    """Set up a position with A to move; ``bag=REST`` holds all tokens not mentioned, decks are drawn by a seed."""
    shown = {str(level + 1): [c for c in pyramid or [] if tb.CARD_LEVEL[c] == level] for level in range(3)}
    data = {
        "board": rows(board),
        "bag": None if bag == REST else tokens(bag),
        "pyramid": shown,
        "players": [a or player(), b or player()],
        "seed": 1,
    }
    return GAME.from_dict(data | more)


def legal(state: State, *verbs: str) -> set[str]:
    """All legal actions in notation, or only those that begin with one of the verbs."""
    texts = {GAME.action_text(state, action) for action in GAME.legal_actions(state)}
    return {text for text in texts if not verbs or text.split()[0] in verbs}


def kinds(state: State) -> set[str]:
    """The verbs of the legal actions."""
    return {text.split()[0] for text in legal(state)}


def allows(state: State, text: str) -> bool:
    return GAME.parse_action(state, text) in GAME.legal_actions(state)


def play(state: State, *texts: str) -> State:
    """The position after some actions, each of which must be legal; the given one stays as it is."""
    state = state.copy()
    for text in texts:
        action = GAME.parse_action(state, text)
        assert action in GAME.legal_actions(state), f"{text!r} is not legal among {sorted(legal(state))}"
        GAME.apply(state, action)
    return state


def facts(state: State) -> dict[str, Any]:
    """A position as one flat table of everything the rules speak of, derived numbers included."""
    data = GAME.to_dict(state)
    board = " ".join(data["board"]).split()
    found: dict[str, Any] = dict(zip(CELLS, board, strict=True))
    found |= {key: data[key] for key in ("phase", "result", "replenished", "extra_turn", "royal_due", "pool", "royals")}
    found |= {"mover": "AB"[data["mover"]], "bag": tokens_text(data["bag"])}
    for level in ("1", "2", "3"):
        found |= {f"pyramid.{level}.{slot}": card for slot, card in enumerate(data["pyramid"][level])}
        deck = data["decks"][level]
        found[f"deck{level}"] = deck if isinstance(deck, int) else len(deck)
    measures = GAME.measures(state)
    for seat, name in enumerate("AB"):
        own = data["players"][seat]
        found |= {f"{name}.{key}": own[key] for key in ("cards", "royals", "wild_colors")}
        found[f"{name}.tokens"] = tokens_text(own["tokens"])
        found[f"{name}.scrolls"] = own["privileges"]
        found[f"{name}.reserved"] = [card["card"] if card and "card" in card else card for card in own["reserved"]]
        found[f"{name}.points"] = GAME.points(state)[seat]
        found[f"{name}.bonuses"] = bonuses(state, seat)
        for key in ("crowns", *(f"points_{color}" for color in tb.COLORS[:5])):
            found[f"{name}.{key}"] = measures[key][seat]
    return found


def bonuses(state: State, seat: int) -> str:
    """The bonuses of a seat, as in ``3W 1K``, read off the picture."""
    return re.findall(r"bonuses (.*?)(?:   |$)", GAME.show(state), re.MULTILINE)[seat]


def changes(before: State, after: State) -> dict[str, Any]:
    """Everything that is different after some actions, with its new value."""
    old = facts(before)
    return {key: value for key, value in facts(after).items() if old[key] != value}


def deck(state: State, level: int) -> list[int]:
    """A deck from top to bottom."""
    cards = GAME.to_dict(state)["decks"][str(level)]
    assert isinstance(cards, list)
    return cards


def held(state: State, seat: int) -> dict[str, int]:
    return GAME.to_dict(state)["players"][seat]["tokens"]


def ends(state: State, verb: str) -> Iterator[State]:
    """Every position that can be reached by going on with actions of one verb until none is legal."""
    seen: set[bytes] = set()
    todo = [state]
    while todo:
        now = todo.pop()
        options = [a for a in GAME.legal_actions(now) if GAME.action_text(now, a).split()[0] == verb]
        if not options:
            yield now
        for action in options:
            after = now.copy()
            GAME.apply(after, action)
            if after.tobytes() not in seen:
                seen.add(after.tobytes())
                todo.append(after)


def random_positions(games: int) -> list[list[State]]:
    """Every position of some uniformly random games, one list a game; shared, so not to be changed."""
    return [_random_game(seed) for seed in range(games)]


@cache
def _random_game(seed: int) -> list[State]:
    rng = Random(seed)
    state = GAME.new(2, seed, GAME.options())
    states = [state.copy()]
    while choices := GAME.legal_actions(state):
        GAME.apply(state, rng.choice(choices))
        states.append(state.copy())
    return states


def cost(card: int) -> dict[str, int]:
    """The printed cost of a card, all six plain colours."""
    lanes = int(tb.CARD_COST[card])
    return {color: (lanes >> (tb.LANE * i)) & tb.LANE_MASK for i, color in enumerate(tb.COLORS[: tb.NUM_PLAIN])}
