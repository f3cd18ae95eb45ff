"""How strong the bots are, and by which road the specialists win; on seeded deals, so each figure is always the same."""

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
@pytest.mark.parametrize("other", WEIGHTED)
@pytest.mark.parametrize(("name", "road"), SPECIALISTS.items())
def test_a_specialist_keeps_to_its_road_and_level_among_its_peers(name, road, other):
    if name == other:
        pytest.skip("no contest")
    score, shares = contest(name, other, blocks=200)
    assert 0.3 < score < 0.7
    assert shares[road] > 0.5
