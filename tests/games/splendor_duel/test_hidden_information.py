"""What a View hides, what it keeps, and what sample draws."""

from collections import Counter
from itertools import islice
from random import Random

import numpy as np
import pytest
from scipy.stats import chisquare

from harness.games.game import State
from harness.games.splendor_duel import GAME
from harness.games.splendor_duel import state as st
from harness.games.splendor_duel import tables as tb
from tests.games.splendor_duel.random_play import positions

POSITIONS = 1_000


@pytest.fixture(scope="module")
def some_positions() -> list[tuple[State, list[int]]]:
    """Positions of random games, early and late, at most a fifth of them of one phase."""
    found, of_phase = [], Counter()
    for state, legal in islice(positions(11, 400), 0, None, 3):
        phase = int(state[st.PHASE])
        if of_phase[phase] < POSITIONS // 5:
            of_phase[phase] += 1
            found.append((state.copy(), legal))
        if len(found) == POSITIONS:
            break
    return found


def redealt(state: State, seat: int, rng: Random) -> State:
    """Shuffle by hand, in the JSON position, all that a seat may not know."""
    position = GAME.to_dict(state)
    other = position["players"][1 - seat]["reserved"]
    blind = [card for card in other if card and card["from_deck"]]
    for level in ("1", "2", "3"):
        of_level = [card for card in blind if tb.CARD_LEVEL[card["card"]] == int(level) - 1]
        pool = position["decks"][level] + [card["card"] for card in of_level]
        rng.shuffle(pool)
        for card in of_level:
            card["card"] = pool.pop()
        position["decks"][level] = pool
    position["key"] = f"{rng.getrandbits(96):024x}"
    return GAME.from_dict(position)


def test_there_are_enough_positions(some_positions):
    assert len(some_positions) == POSITIONS
    assert len({GAME.to_dict(state)["phase"] for state, _ in some_positions}) == 9


def test_a_view_does_not_change_when_the_hidden_parts_do(some_positions):
    rng, changed = Random(1), 0
    for state, _ in some_positions:
        for seat in (0, 1):
            other = redealt(state, seat, rng)
            changed += not np.array_equal(other, state)
            assert GAME.view(other, seat) == GAME.view(state, seat)
    assert changed > 1.9 * POSITIONS


def test_the_view_of_a_sample_is_the_view(some_positions):
    for number, (state, _) in enumerate(some_positions):
        for seat in (0, 1):
            view = GAME.view(state, seat)
            assert GAME.view(GAME.sample(view, number), seat) == view


def test_the_decider_has_the_same_actions_in_a_sample(some_positions):
    for number, (state, legal) in enumerate(some_positions):
        view = GAME.view(state, GAME.seat(state))
        assert GAME.legal_actions(GAME.sample(view, number)) == legal
        assert GAME.legal_actions(view.array) == legal


def test_a_sample_is_a_whole_position(some_positions):
    for number, (state, _) in enumerate(some_positions):
        position = GAME.to_dict(GAME.sample(GAME.view(state, number % 2), number))
        cards = [card for deck in position["decks"].values() for card in deck]
        cards += [card for slots in position["pyramid"].values() for card in slots if card]
        for player in position["players"]:
            cards += player["cards"] + [card["card"] for card in player["reserved"] if card]
        assert sorted(cards) == list(range(1, tb.NUM_CARDS + 1))


def test_a_view_changes_nothing_in_the_state_it_was_made_from(some_positions):
    for state, _ in some_positions[:50]:
        before = state.copy()
        view = GAME.view(state, 0)
        view.array[:] = 0
        GAME.sample(view, 3)
        assert np.array_equal(state, before)


def test_own_cards_and_cards_reserved_face_up_stay_known():
    state = GAME.from_dict(
        {
            "board": ["W U G R K", "W U G R K", "Au . . . .", ". . . . .", ". . . . ."],
            "players": [
                {"reserved": [{"card": 2, "from_deck": True}, 40]},
                {"reserved": [{"card": 41, "from_deck": True}, 56]},
            ],
            "seed": 1,
        }
    )
    mine, theirs = (player["reserved"] for player in GAME.to_dict(GAME.view(state, 0))["players"])
    assert mine[:2] == [{"card": 2, "from_deck": True}, {"card": 40, "from_deck": False}]
    assert theirs[:2] == [{"level": 2, "from_deck": True}, {"card": 56, "from_deck": False}]
    for seed in range(200):
        sampled = GAME.to_dict(GAME.sample(GAME.view(state, 0), seed))["players"][1]["reserved"]
        assert tb.CARD_LEVEL[sampled[0]["card"]] == 1
        assert sampled[1] == {"card": 56, "from_deck": False}


@pytest.fixture(scope="module")
def samples() -> list[dict]:
    """Samples of a position in which the opponent holds two cards of level 2 unseen."""
    blind = [{"card": 33, "from_deck": True}, {"card": 47, "from_deck": True}]
    state = GAME.from_dict(
        {
            "board": ["W U G R K", ". . . . .", "Au . . . .", ". . . . .", ". . . . ."],
            "pyramid": {"1": [1, 2, 3, 4, 5], "2": [31, 32, 34, 35], "3": [55, 56, 57]},
            "players": [{"cards": [36, 40]}, {"reserved": blind}],
            "seed": 1,
        }
    )
    view = GAME.view(state, 0)
    return [GAME.to_dict(GAME.sample(view, seed)) for seed in range(9_000)]


@pytest.mark.parametrize("where", ["first reserved", "second reserved", "top of the deck", "bottom of the deck"])
def test_sampled_cards_are_uniform(samples, where):
    pick = {
        "first reserved": lambda p: p["players"][1]["reserved"][0]["card"],
        "second reserved": lambda p: p["players"][1]["reserved"][1]["card"],
        "top of the deck": lambda p: p["decks"]["2"][0],
        "bottom of the deck": lambda p: p["decks"]["2"][-1],
    }[where]
    counts = Counter(pick(position) for position in samples)
    assert set(counts) == set(range(31, 55)) - {31, 32, 34, 35, 36, 40}
    assert chisquare(list(counts.values())).pvalue > 0.001


def test_sampled_pairs_of_hidden_cards_are_uniform(samples):
    pairs = Counter(tuple(card["card"] for card in p["players"][1]["reserved"][:2]) for p in samples)
    assert len(pairs) == 18 * 17
    assert chisquare(list(pairs.values())).pvalue > 0.001


def test_later_luck_of_samples_differs(samples):
    assert len({position["key"] for position in samples}) == len(samples)
