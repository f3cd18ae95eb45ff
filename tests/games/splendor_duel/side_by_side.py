"""Plays games with the compiled core and the oracle at once, compares every step and notes what occurred."""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from harness.games.game import State
from harness.games.splendor_duel import GAME
from tests.games.splendor_duel.oracle import Oracle
from tests.games.splendor_duel.oracle_facts import CARDS, ROYALS, Player

Policy = Callable[[Oracle, list[str], Random], str]
Seen = Counter[str]


# --- Policies: each makes other things happen ---


def uniform(_oracle: Oracle, legal: list[str], rng: Random) -> str:
    return rng.choice(legal)


def buyer(_oracle: Oracle, legal: list[str], rng: Random) -> str:
    return rng.choice([text for text in legal if text.startswith("buy")] or legal)


def crowns(oracle: Oracle, legal: list[str], rng: Random) -> str:
    """Buy and reserve crowns, and hardly anything else that has points."""
    return _best(legal, rng, lambda card: 4 * CARDS[card]["crowns"] - CARDS[card]["points"] + 1, oracle)


def color(oracle: Oracle, legal: list[str], rng: Random) -> str:
    """Buy and reserve points of the seat's favourite colour, and lay wild cards on it."""
    favourite = ("red", "white")[oracle.mover]
    if f"wild {favourite}" in legal:
        return f"wild {favourite}"

    def worth(card: int) -> int:
        wanted = CARDS[card]["color"] == favourite or "wild" in CARDS[card]["abilities"]
        return 1 + 4 * CARDS[card]["points"] if wanted else 1 - CARDS[card]["points"] - CARDS[card]["crowns"]

    return _best(legal, rng, worth, oracle)


def collector(_oracle: Oracle, legal: list[str], rng: Random) -> str:
    """Take many tokens by every way and buy late: full hands, gold, long payments and discards."""
    liked = [t for t in legal if t.startswith(("privilege", "reserve", "pay gold")) or len(t.split()) == 4]
    return rng.choice(liked) if liked and rng.random() < 0.7 else rng.choice(legal)


POLICIES: tuple[Policy, ...] = (uniform, buyer, crowns, color, collector)


def _best(legal: list[str], rng: Random, worth: Callable[[int], int], oracle: Oracle) -> str:
    """Buy the best card worth something, else reserve a very good one, else anything but a bad purchase."""
    del oracle
    buys = {text: worth(int(text.split()[1])) for text in legal if text.startswith("buy")}
    if buys and max(buys.values()) > 0:
        return rng.choice([text for text in buys if buys[text] == max(buys.values())])
    reserves = [t for t in legal if t.startswith("reserve") and "deck" not in t and worth(int(t.split()[1])) > 4]
    if reserves and rng.random() < 0.8:
        return rng.choice(reserves)
    return rng.choice([text for text in legal if text not in buys] or legal)


# --- Comparison ---


class Disagreement(AssertionError):
    """The core and the oracle differ; the message holds the position to start from."""


def play_side_by_side(state: State, policy: Policy, rng: Random, seen: Seen) -> int:
    """Play a game to its end; return the number of decisions. Raises Disagreement at the first difference."""
    oracle = Oracle(GAME.to_dict(state))
    last: dict[str, Any] = GAME.to_dict(state)
    decisions = 0
    while True:
        if not oracle.has_cards_left():  # with all cards in the game that cannot be [duel 12]
            seen["end: no card left"] += 1
            return decisions
        ids = {GAME.action_text(state, action): action for action in GAME.legal_actions(state)}
        legal = oracle.legal()
        if ids.keys() != legal:
            only_core, only_oracle = sorted(ids.keys() - legal), sorted(legal - ids.keys())
            raise Disagreement(f"legal only to the core: {only_core}, to the oracle: {only_oracle}\n{json.dumps(last)}")
        if not legal:
            break
        if rng.random() < 0.02:  # a game goes on from its JSON as if nothing had been
            state = GAME.from_dict(last)
        text = policy(oracle, sorted(legal), rng)
        if GAME.seat(state) != oracle.mover or GAME.parse_action(state, text) != ids[text]:
            raise Disagreement(f"seat or notation of {text}\n{json.dumps(last)}")
        now = _step(state, ids[text], oracle, text, last)
        note(seen, last, text, legal, now)
        last = now
        decisions += 1
    _compare_ends(state, oracle, seen)
    return decisions


def _step(state: State, action: int, oracle: Oracle, text: str, before: dict[str, Any]) -> dict[str, Any]:
    """Play one action on both sides; return the position after it."""
    GAME.apply(state, action)
    core = GAME.to_dict(state)
    if text == "replenish":
        board = Oracle(core).board
        try:
            oracle.play(text, {cell: board[cell] for cell in board if cell not in oracle.board})
        except ValueError as error:
            raise Disagreement(f"{text}: {error}\n{json.dumps(before)}") from error
    else:
        oracle.play(text)
    now = oracle.position()
    if core != now:
        wrong = {
            key: (core.get(key), now.get(key)) for key in core.keys() | now.keys() if core.get(key) != now.get(key)
        }
        raise Disagreement(f"after {text}, core and oracle: {wrong}\n{json.dumps(before)}")
    if GAME.turns(state) != oracle.turn or GAME.points(state) != tuple(player.points() for player in oracle.players):
        raise Disagreement(f"after {text}: turns or points\n{json.dumps(before)}")
    return now


def _compare_ends(state: State, oracle: Oracle, seen: Seen) -> None:
    if oracle.phase != "over":  # tokens or cards were missing from the game
        seen["end: stuck"] += 1
        return
    ranks = (1, 1) if oracle.result == "turn_limit" else (1, 2) if oracle.result == 0 else (2, 1)
    if GAME.victory(state) != oracle.victory() or GAME.ranks(state) != ranks:
        raise Disagreement(f"end: {GAME.victory(state)}, {GAME.ranks(state)}, but {oracle.victory()}, {ranks}")
    victory, flags = oracle.victory()
    seen[f"end: {victory}"] += 1
    seen["end: two ways at once"] += len(flags) > 1


# --- What occurred ---


def note(seen: Seen, before: dict[str, Any], text: str, legal: set[str], now: dict[str, Any]) -> None:
    """Count what a step shows: the kind of action, what it brought, and the rarer twists of the rules."""
    verb, *words = text.split()
    mover = before["mover"]
    me, opponent = before["players"][mover], before["players"][1 - mover]
    after, opponent_after = now["players"][mover], now["players"][1 - mover]
    kind = {
        "take": f"take {len(words)}",
        "reserve": "reserve from a deck" if "deck" in text else "reserve from the pyramid",
        "buy": "buy from the reserve" if _is_reserved(me, words) else "buy from the pyramid",
        "pay": "pay done" if text == "pay done" else "pay gold",
    }.get(verb, verb)
    seen[f"action: {kind}"] += 1
    if verb in ("steal", "royal", "discard", "wild"):
        seen[f"action: {text}"] += 1
    for name, value in after["counters"].items():
        if value > me["counters"].get(name, 0):
            seen[f"counted: {name}"] += 1
    for royal in set(after["royals"]) - set(me["royals"]):
        seen[f"royal {royal} {ROYALS[royal]['abilities']}"] += 1
    for card in set(after["cards"]) - set(me["cards"]):
        _note_purchase(seen, card, now, mover)
        for ability, phase in (("steal", "steal"), ("take_matching", "match")):
            name = f"ability_{ability}"
            used = now["phase"] == phase or after["counters"].get(name, 0) > me["counters"].get(name, 0)
            seen[f"nothing to {phase}"] += ability in CARDS[card]["abilities"] and not used
    if verb == "wild":
        doubles = [card for card in me["cards"] if CARDS[card]["bonuses"] == 2 and CARDS[card]["color"] == words[0]]
        seen["wild on a double bonus"] += bool(doubles)
    if legal == {"replenish"}:
        seen["forced replenish"] += 1
    plain = sum(cell not in (".", "Au") for row in before["board"] for cell in row.split())
    if before["phase"] == "main" and me["privileges"] and plain and not before["replenished"]:
        seen["privilege forbidden"] += not any(option.startswith("privilege") for option in legal)
    if now["turn"] > before["turn"] and now["mover"] == mover:
        seen["extra turn"] += 1
        seen["extra turn with tokens in the bag after a replenish"] += bool(before["replenished"] and now["bag"])
    if opponent_after["privileges"] > opponent["privileges"] and me["privileges"] > after["privileges"]:
        seen["privilege from the mover"] += 1
    if opponent["privileges"] > opponent_after["privileges"]:
        seen["privilege from the opponent"] += 1
    if verb == "replenish" and opponent["privileges"] == 3:
        seen["no fourth privilege"] += 1
    _note_silent_choices(seen, verb, before, now)


def _is_reserved(player: dict[str, Any], words: list[str]) -> bool:
    return any(entry and words == [str(entry["card"])] for entry in player["reserved"])


def _note_purchase(seen: Seen, card: int, now: dict[str, Any], mover: int) -> None:
    """Called when a card is paid; ``now`` may be in the middle of what follows."""
    owner = now["players"][mover]
    seen[f"card ability: {CARDS[card]['abilities']}"] += 1
    seen["card without colour"] += CARDS[card]["bonuses"] == 0
    seen["card replaced by nothing"] += not now["decks"][CARDS[card]["level"]]
    seen["wild joined silently"] += str(card) in owner["wild_colors"]
    crowns_now = Player(owner).crowns()
    crossed = any(crowns_now - CARDS[card]["crowns"] < threshold <= crowns_now for threshold in (3, 6))
    seen["no royal left"] += crossed and not now["royals"] and not owner["royals"]
    if CARDS[card]["abilities"] == ["privilege"] and owner["privileges"] == 3:
        seen["privilege ability with three"] += 1


def _note_silent_choices(seen: Seen, verb: str, before: dict[str, Any], now: dict[str, Any]) -> None:
    if verb == "reserve" and now["phase"] != "gold":
        seen["gold taken silently"] += 1
    if verb == "buy" and now["phase"] != "payment":
        seen["paid silently"] += 1
    if now["phase"] in ("wild", "match", "steal", "royal", "discard") and before["phase"] != now["phase"]:
        seen[f"{before['phase']} then {now['phase']}"] += 1
