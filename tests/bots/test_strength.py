"""How strong the bots are and by which road the specialists win. Deals are seeded: a figure is always the same."""

import pytest

from tests.bots.play import SPECIALISTS, WEIGHTED, contest


@pytest.mark.parametrize("name", WEIGHTED)
def test_beats_random(name):
    score, _ = contest(name, "random", blocks=40)
    assert score >= 0.95


@pytest.mark.parametrize(("name", "road"), SPECIALISTS.items())
def test_a_specialist_wins_on_its_own_road(name, road):
    _, shares = contest(name, "random", blocks=40)
    assert shares[road] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", WEIGHTED)
def test_beats_random_over_200_blocks(name):
    score, shares = contest(name, "random", blocks=200)
    assert score >= 0.97
    assert name not in SPECIALISTS or shares[SPECIALISTS[name]] > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("name", "other"), [(a, b) for a in SPECIALISTS for b in WEIGHTED if a != b])
def test_a_specialist_keeps_to_its_road_and_level_among_its_peers(name, other):
    road = SPECIALISTS[name]
    score, shares = contest(name, other, blocks=200)
    assert 0.25 < score < 0.75
    assert shares[road] > 0.5
