from collections import Counter
from itertools import islice

import pytest

from harness.config import BotConfig, RunConfig, ScheduleConfig
from harness.errors import UsageError
from harness.schedule import entrants, schedule, size, tables


def config(names, deals=3, **settings):
    bots = tuple(BotConfig(name=name, bot="x") for name in names)
    return RunConfig(game="g", seed=1, deals=deals, bots=bots, schedule=ScheduleConfig(**settings))


def test_round_robin_plays_every_pair_on_every_deal():
    blocks = list(schedule(config("cab"), 2))
    assert [block.index for block in blocks] == list(range(9))
    assert [block.table for block in blocks[:3]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [block.deal for block in blocks] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_the_order_of_bots_in_the_config_does_not_matter():
    assert list(schedule(config("dbca"), 2)) == list(schedule(config("abcd"), 2))


def test_every_prefix_is_balanced_to_within_one_block():
    run = config("abcde", deals=4)
    for length in range(size(run, 2) + 1):
        counts = Counter(block.table for block in islice(schedule(run, 2), length))
        assert max(counts.values(), default=0) - min((counts[t] for t in tables(run, 2)), default=0) <= 1


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("settings", [{}, {"mirrors": True}, {"kind": "gauntlet", "hero": "c"}])
def test_size_is_the_number_of_blocks_and_tables_are_sorted(seats, settings):
    run = config("eabcd", **settings)
    blocks = list(schedule(run, seats))
    assert len(blocks) == size(run, seats)
    assert len(set(tables(run, seats))) == len(tables(run, seats))
    assert all(list(block.table) == sorted(block.table) and len(block.table) == seats for block in blocks)


def test_a_gauntlet_has_its_hero_at_every_table():
    assert tables(config("bcad", kind="gauntlet", hero="b"), 2) == [("a", "b"), ("b", "c"), ("b", "d")]
    three = tables(config("abcde", kind="gauntlet", hero="e"), 3)
    assert len(three) == 6
    assert all("e" in table for table in three)


def test_mirrors_seat_a_bot_against_itself():
    run = config("ba", mirrors=True)
    assert tables(run, 2) == [("a", "a#2"), ("a", "b"), ("b", "b#2")]
    assert ("a", "a#2", "a#3") in tables(run, 3)
    names = entrants(run, 2)
    assert set(names) == {"a", "a#2", "b", "b#2"}
    assert names["a#2"] is names["a"]


def test_every_name_at_a_table_is_an_entrant():
    for settings in ({}, {"mirrors": True}):
        run = config("abc", **settings)
        assert {name for table in tables(run, 3) for name in table} == set(entrants(run, 3))


def test_too_many_tables_of_more_than_two_are_refused_at_once():
    names = [f"b{number}" for number in range(200)]
    with pytest.raises(UsageError, match=r"200 bots make 1,313,400 tables of 3.*fewer bots"):
        size(config(names), 3)
    assert size(config(names, deals=1), 2) == 19_900
