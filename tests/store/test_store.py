import json
import os
import resource
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.errors import UsageError
from harness.records import Block, Fault, Result
from harness.store import Manifest, Store, find_game, load, ordered, signature
from harness.store import folder as folder_module
from harness.store.manifest import read_manifest
from harness.store.shards import shard_paths

TABLES = [("a", "b"), ("a", "c"), ("b", "c")]


def manifest(**changes):
    values = {
        "fixed": {"game": "toy", "seed": 1, "seats": 2},
        "bots": {name: {"sha256": name * 3, "options": {}} for name in "abc"},
        "victory_types": ["lucky", "steady", "forfeit"],
        "measures": ["draws", "sighs"],
        **{name: [] for name in ("plugins", "limit_types", "flags")},
        **{name: {} for name in ("config", "versions", "machine")},
    }
    return Manifest(**(values | changes))


def result(block, rotation, fault=None):
    rng = np.random.default_rng([block.deal, rotation, TABLES.index(block.table)])
    ranks = (1, 2) if fault is None else (1, 2) if fault.seat else (2, 1)
    return Result(
        game_id=block.game_id(rotation),
        bots=block.seating(rotation),
        ranks=[(1, 2), (2, 1), (1, 1)][rng.integers(3)] if fault is None else ranks,
        points=(int(rng.integers(20)), -3),
        victory_type="forfeit" if fault else ["lucky", "steady"][rng.integers(2)],
        flags=() if fault else [(), ("x",), ("x", "y")][rng.integers(3)],
        ended_by="forfeit" if fault else "rules",
        turns=int(rng.integers(100)),
        actions=rng.integers(0, 65536, rng.integers(0, 30)).astype("<u2").tobytes(),
        measures={"draws": (int(rng.integers(9)), 1), "sighs": (70_000, -1)},
        seat_seconds=(0.25, 0.5),
        max_move_seconds=(0.125, 0.5),
        seconds=1.5,
        fault=fault,
    )


def blocks(deals, tables=TABLES, first_deal=0):
    pairs = [(table, deal) for deal in range(first_deal, deals) for table in tables]
    return [Block(index, table, deal) for index, (table, deal) in enumerate(pairs, first_deal * len(tables))]


def fill(path, to_play, fault_at=None, small=None, **changes):
    """Store what is missing of these blocks; return all Results given, in order."""
    given = []
    with Store(path, manifest(**changes)) as store:
        for block in to_play:
            if store.has(block):
                continue
            results = [result(block, rotation) for rotation in range(2)]
            if block.index == fault_at:
                results[1] = result(block, 1, Fault(1, "exception", "ValueError: no", {"traceback": "T", "legal": [1]}))
            store.add(block, results)
            given += results
            if small and len(given) % small == 0:
                store.flush()
        store.flush()
    return given


def test_every_column_survives_the_round_trip(tmp_path):
    given = fill(tmp_path / "run", blocks(7), fault_at=4, small=6)
    frames = load(tmp_path / "run", actions=True)
    games, seats = frames.games, frames.seats
    assert list(games.columns) == [
        "game_id", "table", "deal", "rotation", "block", "seats", "victory_type", "flags", "turns", "decisions",
        "ended_by", "first_seat_bot", "seconds", "actions",
    ]  # fmt: skip
    assert list(seats.columns) == [
        "game_id", "block", "table", "deal", "rotation", "bot", "seat", "rank", "points", "score", "won",
        "victory_type", "fault", "fault_text", "seconds", "max_move_seconds", "draws", "sighs",
    ]  # fmt: skip
    assert len(games) == len(given) == 42
    for row, expected in zip(games.itertuples(), given, strict=True):
        table, deal, rotation = expected.game_id.split("/")
        assert (row.game_id, row.table, row.deal, row.rotation) == (expected.game_id, table, int(deal), int(rotation))
        assert (row.victory_type, row.flags, row.ended_by) == (
            expected.victory_type, "+".join(expected.flags), expected.ended_by
        )  # fmt: skip
        assert (row.turns, row.decisions, row.seats, row.seconds) == (expected.turns, expected.decisions, 2, 1.5)
        assert row.first_seat_bot == expected.bots[0]
        assert row.actions.dtype == np.uint16
        assert row.actions.tobytes() == expected.actions
    assert games.block.tolist() == [i // 2 for i in range(42)]
    assert "actions" not in load(tmp_path / "run").games
    by_seat = [(r, s) for r in given for s in range(2)]
    for row, (expected, seat) in zip(seats.itertuples(), by_seat, strict=True):
        assert (row.game_id, row.bot, row.seat) == (expected.game_id, expected.bots[seat], seat)
        assert (row.rank, row.points) == (expected.ranks[seat], expected.points[seat])
        assert (row.score, row.won) == (expected.scores[seat], expected.won[seat])
        assert (row.draws, row.sighs) == (expected.measures["draws"][seat], expected.measures["sighs"][seat])
        assert (row.seconds, row.max_move_seconds) == (expected.seat_seconds[seat], expected.max_move_seconds[seat])
        assert row.victory_type == expected.victory_type
    faulty = seats[seats.fault.notna()]
    assert faulty[["game_id", "seat", "fault", "fault_text"]].values.tolist() == [
        ["a+c/1/1", 1, "exception", "ValueError: no"]
    ]
    assert seats.fault_text.notna().sum() == 1
    assert games.victory_type.cat.categories.tolist() == ["lucky", "steady", "forfeit"]
    assert seats.bot.cat.categories.tolist() == ["a", "b", "c"]
    assert isinstance(seats.table.dtype, pd.CategoricalDtype)


def test_plain_pandas_reads_a_run_too(tmp_path):
    fill(tmp_path / "run", blocks(3), small=4)
    frame = pd.read_parquet(tmp_path / "run" / "games")
    assert len(frame) == 18
    assert list(frame.bots[0]) == ["a", "b"]


def test_a_game_is_found_by_its_id(tmp_path):
    given = fill(tmp_path / "run", blocks(7), fault_at=4, small=6)
    paths = shard_paths(tmp_path / "run" / "games")
    assert len(paths) > 3
    row = find_game(paths, "a+c/1/1")
    assert row["actions"] == given[9].actions
    assert json.loads(row["fault_evidence"]) == {"traceback": "T", "legal": [1]}
    assert find_game(paths, "a+c/7/1") is None
    assert find_game(paths, "a+z/1/1") is None


def test_merging_changes_nothing_but_the_number_of_files(tmp_path):
    run = tmp_path / "run"
    given = fill(run, blocks(7), fault_at=4, small=6)
    before, signed = load(run, actions=True), signature(run)
    with Store(run, manifest()) as store:
        store.merge()
        assert store.tally.games == len(given)
    after = load(run, actions=True)
    assert [p.name for p in shard_paths(run / "games")] == ["part-00000000-00000020.parquet"]
    pd.testing.assert_frame_equal(before.games.drop(columns="actions"), after.games.drop(columns="actions"))
    assert [a.tolist() for a in before.games.actions] == [a.tolist() for a in after.games.actions]
    pd.testing.assert_frame_equal(before.seats, after.seats)
    assert signature(run) == signed


def test_the_signature_sees_every_part_of_a_game(tmp_path):
    signatures = set()
    for number, fault_at in enumerate([None, 0, 1]):
        fill(tmp_path / str(number), blocks(2), fault_at=fault_at)
        signatures.add(signature(tmp_path / str(number)))
    with Store(tmp_path / "other", manifest()) as store:
        for block in blocks(2):
            two = [result(block, rotation) for rotation in range(2)]
            if block.index == 3:  # one action more
                object.__setattr__(two[0], "actions", two[0].actions + b"\x01\x00")
            store.add(block, two)
        store.flush()
    signatures.add(signature(tmp_path / "other"))
    assert len(signatures) == 4


def test_a_killed_merge_neither_loses_nor_doubles_games(tmp_path, monkeypatch):
    run = tmp_path / "run"
    given = fill(run, blocks(7), small=6)
    signed = signature(run)
    parts = shard_paths(run / "games")

    def die(self, missing_ok=False):
        raise KeyboardInterrupt

    with Store(run, manifest()) as store:
        monkeypatch.setattr(Path, "unlink", die)
        with pytest.raises(KeyboardInterrupt):
            store.merge()
        monkeypatch.undo()
    assert all(part.exists() for part in parts)
    assert len(load(run).games) == len(given)
    assert signature(run) == signed
    with Store(run, manifest()) as store:
        assert store.tally.games == len(given)
        assert not any(part.exists() for part in parts)
        store.add(block := Block(0, ("a", "b"), 100), [result(block, 0), result(block, 1)])
        store.flush()
    assert len(load(run).games) == len(given) + 2


def test_runs_grow_by_tables_and_keep_their_order(tmp_path):
    run = tmp_path / "run"
    fill(run, blocks(5, TABLES[:1]), small=4)
    fill(run, blocks(5), small=6)
    games = load(run).games
    expected = [block.game_id(rotation) for block in blocks(5) for rotation in range(2)]
    assert games.game_id.tolist() == expected
    assert games.block.tolist() == [i // 2 for i in range(30)]
    with Store(run, manifest()) as store:
        store.merge()
    at_once = tmp_path / "at_once"
    fill(at_once, blocks(5))
    assert signature(run) == signature(at_once)
    merged = pq.read_table(shard_paths(run / "games"))
    assert merged["block"].to_pylist() == [i // 2 for i in range(30)]


def test_reading_in_order_is_the_same_for_any_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("harness.store.shards.GROUP_ROWS", 20)  # read four rows at a time
    run = tmp_path / "run"
    for tables in (TABLES[2:], TABLES[:1], TABLES):
        fill(run, blocks(9, tables), small=10)
    ids = [i for table in ordered(shard_paths(run / "games")) for i in table["game_id"].to_pylist()]
    assert ids == [block.game_id(rotation) for block in blocks(9) for rotation in range(2)]


DAMAGE = {
    "truncated": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "garbled inside": lambda data: data[:300] + bytes(200) + data[500:],
    "overwritten": lambda data: b"no parquet at all" * 50,
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_shard_is_set_aside_and_played_again(tmp_path, kind, caplog):
    run = tmp_path / "run"
    given = fill(run, blocks(7), small=12)
    signed = signature(run)
    victim = shard_paths(run / "games")[1]
    victim.write_bytes(DAMAGE[kind](victim.read_bytes()))
    with pytest.raises(UsageError, match=f"{victim.name} is damaged"):
        load(run, actions=True)
    again = fill(run, blocks(7))
    assert [r.game_id for r in again] == [r.game_id for r in given[12:24]]
    assert victim.with_name(victim.name + ".damaged").exists()
    assert f"set aside as {victim.name}.damaged" in caplog.text
    assert signature(run) == signed


def test_what_a_killed_writer_left_is_removed(tmp_path):
    run = tmp_path / "run"
    fill(run, blocks(2))
    left = [run / ".tmp-run.json", run / "games" / ".tmp-part-00000000-00000001.parquet"]
    for path in left:
        path.write_bytes(b"half")
    assert len(load(run).games) == 12
    fill(run, blocks(2))
    assert not any(path.exists() for path in left)


def test_one_writer_at_a_time(tmp_path):
    with Store(tmp_path / "run", manifest()):
        with pytest.raises(UsageError, match=f"written by another run .process {os.getpid()}"):
            Store(tmp_path / "run", manifest()).__enter__()
        with pytest.raises(UsageError, match="holds no games yet"):
            load(tmp_path / "run")
    with Store(tmp_path / "run", manifest()):
        pass


def test_a_full_disk_is_told_and_nothing_stored_is_lost(tmp_path):
    run = tmp_path / "run"
    given = fill(run, blocks(4))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(run, manifest()) as store:
        for block in blocks(40, first_deal=4):
            store.add(block, [result(block, 0), result(block, 1)])
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, before[1]))
            with pytest.raises(UsageError, match=r"cannot write .*part-.*What is stored is safe"):
                store.flush()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert not list((run / "games").glob(".tmp-*"))
        assert len(load(run).games) == store.committed == len(given)
        store.flush()  # the games are still pending: with room again they are stored
    assert len(load(run).games) == 240


def test_a_parquet_file_of_something_else_is_set_aside(tmp_path, caplog):
    run = tmp_path / "run"
    fill(run, blocks(2))
    signed = signature(run)
    stranger = run / "games" / "part-00000009-00000009.parquet"
    pq.write_table(pa.table({"x": [1]}), stranger)
    for action in (lambda: load(run), lambda: find_game(shard_paths(run / "games"), "a+b/0/9")):
        with pytest.raises(UsageError, match=f"{stranger.name} is damaged .it holds no games"):
            action()
    fill(run, blocks(2))
    assert caplog.text.count("set") == 1
    assert signature(run) == signed


@pytest.mark.parametrize("inside", ["", "run", "x" * 300])
def test_a_folder_that_cannot_be_written_is_named(tmp_path, inside):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"cannot write .*file.*--out"):
        Store(tmp_path / "file" / inside, manifest()).__enter__()


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match=r"no run and not empty \(it holds thesis.tex\)"):
        Store(tmp_path, manifest()).__enter__()
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_missing_or_broken_manifest_is_named(tmp_path):
    with pytest.raises(UsageError, match="is no run"):
        load(tmp_path / "nothing")
    run = tmp_path / "run"
    fill(run, blocks(2))
    (run / "run.json").write_text("{")
    for action in (lambda: load(run), lambda: fill(run, blocks(2))):
        with pytest.raises(UsageError, match=r"run\.json cannot be read"):
            action()
    (run / "run.json").unlink()
    (run / "report").mkdir()
    with pytest.raises(UsageError, match=r"holds games but no run\.json"):
        fill(run, blocks(2))


@pytest.mark.parametrize(
    ("key", "value"), [("fixed", 3), ("fixed", {}), ("bots", {"a": 1}), ("measures", None), ("victory_types", "x")]
)
def test_a_manifest_with_wrong_values_is_named(tmp_path, key, value):
    run = tmp_path / "run"
    fill(run, blocks(2))
    data = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(data | {key: value}))
    for action in (lambda: load(run), lambda: fill(run, blocks(2))):
        with pytest.raises(UsageError, match=r"run\.json cannot be read"):
            action()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"fixed": {"game": "toy", "seed": 2, "seats": 2}}, "seed 1 there and 2 here"),
        ({"fixed": {"game": "other", "seed": 1, "seats": 2}}, 'game "toy" there and "other" here'),
        ({"fixed": {"game": "toy", "seed": 1, "seats": 2, "limits": {"move": 3}}}, 'limits null there and {"move": 3}'),
        ({"bots": {n: {"sha256": "new" if n == "b" else n * 3, "options": {}} for n in "abc"}}, r"games of b \(sha256"),
        ({"bots": {n: {"sha256": n * 3, "options": {"d": 1} if n == "c" else {}} for n in "abc"}}, r"c \(options\.d"),
    ],
)
def test_what_cannot_go_on_is_refused_with_what_differs(tmp_path, changes, told):
    run = tmp_path / "run"
    fill(run, blocks(2))
    manifest_before = (run / "run.json").read_text()
    with pytest.raises(UsageError, match=told):
        fill(run, blocks(3), **changes)
    assert (run / "run.json").read_text() == manifest_before
    assert len(load(run).games) == 12


def test_bots_left_out_stay_known_and_without_games_everything_may_change(tmp_path):
    run = tmp_path / "run"
    fill(run, [], fixed={"game": "other", "seed": 9, "seats": 3})
    fill(run, blocks(2))
    fill(run, blocks(3, TABLES[:1]), bots={n: {"sha256": n * 3, "options": {}} for n in "ab"})
    assert list(read_manifest(run).bots) == ["a", "b", "c"]
    assert load(run).seats.bot.cat.categories.tolist() == ["a", "b", "c"]


def test_forfeits_are_events_and_a_traceback_is_kept_once(tmp_path):
    run = tmp_path / "run"
    with Store(run, manifest()) as store:
        for block in blocks(3, TABLES[:1]):
            fault = Fault(0, "exception", "ValueError: no", {"traceback": "T"})
            store.add(block, [result(block, 0, fault), result(block, 1)])
        store.flush()
        assert store.tally.forfeits == 3
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    assert [(e["event"], e["game_id"], e["bot"], e["cause"]) for e in events] == [
        ("forfeit", f"a+b/{deal}/0", "a", "exception") for deal in range(3)
    ]
    evidence = pq.read_table(run / "games")["fault_evidence"].drop_null().to_pylist()
    assert [json.loads(text) for text in evidence] == [{"traceback": "T"}, {}, {}]


def test_shards_are_written_by_rows_and_by_time(tmp_path, monkeypatch):
    monkeypatch.setattr(folder_module, "SHARD_ROWS", 8)
    with Store(tmp_path / "rows", manifest()) as store:
        for block in blocks(4):
            store.add(block, [result(block, 0), result(block, 1)])
        assert store.committed == 24
    monkeypatch.setattr(folder_module, "SHARD_SECONDS", 0.0)
    with Store(tmp_path / "time", manifest()) as store:
        for block in blocks(1):
            store.add(block, [result(block, 0), result(block, 1)])
            assert store.committed == 2 * (block.index + 1)
