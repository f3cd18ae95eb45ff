"""The Schedule of a run: its Tables and the order of its Blocks, fully determined by the config."""

from collections.abc import Iterator
from itertools import combinations
from math import comb

from harness.config import BotConfig, RunConfig
from harness.errors import UsageError
from harness.records import Block

MAX_TABLES = 10_000
"""For tables of more than two, where every combination soon is too many to play."""

Table = tuple[str, ...]


def schedule(config: RunConfig, seats: int) -> Iterator[Block]:
    """Yield the Blocks: every Table on deal 0, then every Table on deal 1, ...

    So a run stopped anywhere is balanced to within one Block a Table.
    """
    all_tables = tables(config, seats)
    index = 0
    for deal in range(config.deals):
        for table in all_tables:
            yield Block(index, table, deal)
            index += 1


def size(config: RunConfig, seats: int) -> int:
    """Return the number of Blocks; a Block is ``seats`` games."""
    return len(tables(config, seats)) * config.deals


def tables(config: RunConfig, seats: int) -> list[Table]:
    """Return the Tables, sorted, whatever the order of bots in the config. UsageError when they are too many."""
    names = sorted(bot.name for bot in config.bots)
    hero = config.schedule.hero if config.schedule.kind == "gauntlet" else None
    count = comb(len(names), seats) if hero is None else comb(len(names) - 1, seats - 1)
    if seats > 2 and count > MAX_TABLES:
        raise UsageError(
            f"bots: {len(names)} bots make {count:,} tables of {seats}, more than {MAX_TABLES:,}; "
            'name fewer bots, or one hero in a gauntlet (schedule.kind = "gauntlet")'
        )
    if hero is None:
        found = set(combinations(names, seats))
    else:
        others = [name for name in names if name != hero]
        found = {tuple(sorted((hero, *rest))) for rest in combinations(others, seats - 1)}
    if config.schedule.mirrors:
        found |= {mirror(name, seats) for name in names}
    return sorted(found)


def mirror(name: str, seats: int) -> Table:
    """Return the Table of a bot against itself: ``(a, a#2)``."""
    return tuple(sorted([name, *(f"{name}#{number}" for number in range(2, seats + 1))]))


def entrants(config: RunConfig, seats: int) -> dict[str, BotConfig]:
    """Return every name that sits at a Table, mirrors included, with the settings of its bot."""
    bots = {bot.name: bot for bot in config.bots}
    if config.schedule.mirrors:
        bots |= {name: bot for bot in config.bots for name in mirror(bot.name, seats)}
    return bots
