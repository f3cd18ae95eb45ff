"""The compiled core against the oracle, an independent implementation of the rules: every step of many games.

At every step both give the same legal actions, after every action the same position; ends, points and ranks agree.
"""

from collections import Counter
from random import Random

import pytest

from harness.games.game import State
from harness.games.splendor_duel import GAME
from tests.games.splendor_duel import oracle as rules
from tests.games.splendor_duel.odd_positions import FAMILIES, odd_state
from tests.games.splendor_duel.oracle import Oracle
from tests.games.splendor_duel.oracle_facts import CARDS, CELLS, COLORS, GEMS, PLAIN, ROYALS
from tests.games.splendor_duel.side_by_side import POLICIES, Disagreement, Policy, Seen, play_side_by_side, uniform

KINDS = (
    *("take 1", "take 2", "take 3", "privilege", "replenish", "reserve from a deck", "reserve from the pyramid"),
    *("gold", "buy from the pyramid", "buy from the reserve", "pay gold", "pay done", "match"),
    *(f"wild {color}" for color in GEMS),
    *(f"steal {color}" for color in PLAIN),
    *(f"royal {royal}" for royal in ROYALS),
    *(f"discard {color}" for color in COLORS),
)
TWISTS = (
    *("forced replenish", "privilege forbidden", "privilege from the opponent", "privilege from the mover"),
    *("no fourth privilege", "privilege ability with three", "extra turn", "card without colour"),
    *("card replaced by nothing", "nothing to match", "wild on a double bonus", "wild joined silently"),
    *("gold taken silently", "paid silently", "wild then royal", "royal then steal", "gold then discard"),
    *("steal then discard", "payment then wild", "payment then royal", "payment then steal"),
    *("counted: takes_penalized", "no royal left"),
)
ENDINGS = ("color", "crowns", "points", "turn_limit", "two ways at once")
MUST_OCCUR = (
    *(f"action: {kind}" for kind in KINDS),
    *(f"card ability: {card['abilities']}" for card in CARDS.values()),
    *(f"royal {number} {royal['abilities']}" for number, royal in ROYALS.items()),
    *(f"end: {ending}" for ending in ENDINGS),
    *TWISTS,
)


def play_games(deals: range, odd: range) -> Seen:
    """Play every deal by every policy, and odd positions of every family; return what occurred."""
    seen: Seen = Counter()
    for deal in deals:
        for policy in POLICIES:
            rng = Random(f"{policy.__name__} {deal}")
            _play(GAME.new(2, rng.getrandbits(128), GAME.options()), policy, rng, seen)
    for number in odd:
        for family in FAMILIES:
            rng = Random(f"{family} {number}")
            _play(odd_state(family, rng), POLICIES[number % len(POLICIES)], rng, seen)
    return seen


def _play(state: State, policy: Policy, rng: Random, seen: Seen) -> None:
    seen["decisions"] += play_side_by_side(state, policy, rng, seen)


def test_core_and_oracle_agree_at_every_step():
    seen = play_games(deals=range(5), odd=range(12))
    assert [event for event in MUST_OCCUR if not seen[event]] == []
    assert seen["decisions"] > 20_000


@pytest.mark.slow
def test_core_and_oracle_agree_in_many_games():
    seen = play_games(deals=range(1_000, 1_100), odd=range(1_000, 1_100))
    assert [event for event in MUST_OCCUR if seen[event] < 20] == []
    assert seen["nothing to steal"]
    assert seen["extra turn with tokens in the bag after a replenish"]


def test_the_package_facts_are_those_of_the_game():
    """Both sides read the same files, so the files are held against the totals of the rules [duel 13]."""
    assert Counter(card["level"] for card in CARDS.values()) == {"1": 30, "2": 24, "3": 13}
    assert sum(card["points"] for card in CARDS.values()) == 92
    assert sum(card["crowns"] for card in CARDS.values()) == 28
    costs = sum((Counter(card["cost"]) for card in CARDS.values()), Counter())
    assert costs == {**dict.fromkeys(GEMS, 81), "pearl": 29}
    bonuses = Counter()
    for card in CARDS.values():
        bonuses[card["color"]] += card["bonuses"]
    assert bonuses == {**dict.fromkeys(GEMS, 12), None: 9}
    assert len(rules.LINES) == 145
    assert sorted(rules.SPIRAL) == sorted(CELLS)
    steps = zip(rules.SPIRAL, rules.SPIRAL[1:], strict=False)
    assert all((a, b) in rules.LINES or (b, a) in rules.LINES for a, b in steps)
    assert rules.SPIRAL[:3] == ["c3", "c4", "b4"]
    assert rules.SPIRAL[-1] == "e5"


# The comparison itself can fail: a wrong rule on one side is found within a few games.
WRONG_RULES = {
    "hand limit": lambda patch: patch.setattr(rules, "HAND_LIMIT", 9),
    "no diagonals": lambda patch: patch.setattr(
        rules,
        "LINES",
        [line for line in rules.LINES if len({c[0] for c in line}) == 1 or len({c[1] for c in line}) == 1],
    ),
    "spiral": lambda patch: patch.setattr(rules, "SPIRAL", rules.SPIRAL[::-1]),
    "a cost": lambda patch: patch.setitem(CARDS[1]["cost"], "red", 2),
    "an ability": lambda patch: patch.setitem(CARDS[3], "abilities", []),
    "gold only for what is missing": lambda patch: patch.setattr(Oracle, "_legal_payments", lambda _self: {"pay done"}),
    "royals at four crowns": lambda patch: patch.setattr(Oracle, "_royal_or_finish", Oracle._finish_action),
    "no privilege for a replenish": lambda patch: patch.setattr(Oracle, "_gain_privilege", lambda *_: False),
}


@pytest.mark.parametrize("name", WRONG_RULES)
def test_a_wrong_rule_is_found(name, monkeypatch):
    WRONG_RULES[name](monkeypatch)
    with pytest.raises(Disagreement):
        play_games(deals=range(10), odd=range(10))


def test_oracle_refuses_impossible_luck():
    position = GAME.to_dict(
        GAME.from_dict({"board": [". . . . .", ". W . . .", *[". . . . ."] * 3], "bag": {"red": 1, "pearl": 1}})
    )
    Oracle(position).play("replenish", {"c3": "red", "c4": "pearl"})
    for laid in ({"c3": "red", "b4": "pearl"}, {"c3": "red", "c4": "red"}, {"c3": "red"}, {}):
        with pytest.raises(ValueError, match="the bag"):
            Oracle(position).play("replenish", laid)


def test_oracle_refuses_what_is_not_legal():
    oracle = Oracle(GAME.to_dict(GAME.new(2, 1, GAME.options())))
    before = oracle.position()
    with pytest.raises(ValueError, match="not legal: replenish"):
        oracle.play("replenish")
    assert oracle.position() == before


def test_uniform_policy_is_seeded():
    games = []
    for _ in range(2):
        seen: Seen = Counter()
        play_side_by_side(GAME.new(2, 5, GAME.options()), uniform, Random(5), seen)
        games.append(seen)
    assert games[0] == games[1]
