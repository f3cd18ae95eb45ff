import os
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from harness.engines import Recipe, build, make_engine
from harness.engines import local as local_module
from harness.match import Limits, play_block
from harness.records import Block


@pytest.fixture
def recipe(toy_registry):
    game = toy_registry.game("high_card")
    return Recipe(
        game="high_card",
        options={"target": 10, "turn_limit": 60},
        seed=3,
        limits=Limits(),
        sources=tuple(toy_registry.source(name, spec, {}, game) for name, spec in BOTS.items()),
        plugins=toy_registry.extra,
    )


BOTS = {"fair": "fair", "slow": "slow?move=0.01"}


def blocks(count, table=("fair", "slow")):
    return (Block(index, table, index) for index in range(count))


@pytest.mark.parametrize(("name", "workers"), [("serial", None), ("local", 1), ("local", 2)])
def test_blocks_come_back_whole_and_in_order(recipe, toy_registry, name, workers):
    played = list(make_engine(name, recipe, toy_registry, workers).run(blocks(12)))
    assert [block.index for block, _ in played] == list(range(12))
    for block, results in played:
        assert [r.game_id for r in results] == [block.game_id(0), block.game_id(1)]


def test_blocks_are_taken_a_bounded_stretch_ahead(recipe, toy_registry):
    taken = []

    def endless():
        for block in blocks(10**9):
            taken.append(block.index)
            yield block

    for name, bound in (("serial", 1), ("local", 2 * local_module.AHEAD)):
        taken.clear()
        results = make_engine(name, recipe, toy_registry, 2).run(endless())
        next(results)
        assert len(taken) <= bound
        results.close()


def test_chunks_grow_to_about_a_second_and_no_further(recipe, toy_registry):
    results = play_block(build(recipe, toy_registry), Block(0, ("fair", "slow"), 0))
    for seconds, blocks_wanted in ((0.004, 125), (0.3, 1), (1e-6, local_module.CHUNK_GAMES // 2)):
        engine = make_engine("local", recipe, toy_registry, 1)
        timed = [replace(result, seconds=seconds) for result in results]
        sizes = []
        for _ in range(30):
            engine._pace([timed])
            sizes.append(engine._chunk_blocks)
        assert sizes[-1] == pytest.approx(blocks_wanted, abs=1)
        assert all(after <= 4 * before for before, after in pairwise(sizes))


def test_a_stopped_engine_ends(recipe, toy_registry):
    for name in ("serial", "local"):
        engine = make_engine(name, recipe, toy_registry, 2)
        results = engine.run(blocks(10**9))
        first = [block.index for block, _ in islice(results, 3)]
        engine.stop()
        rest = [block.index for block, _ in results]
        assert first + rest == list(range(3 + len(rest)))


def test_workers_compute_on_one_thread_and_the_environment_is_put_back(recipe, toy_registry, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    list(make_engine("local", recipe, toy_registry, 1).run(blocks(1)))
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ
