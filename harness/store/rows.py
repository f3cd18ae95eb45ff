"""One game as one row: the Arrow schema of the shards, and Results turned into it, column by column.

Columns of a seat are lists with one item per seat; measures stand in ``measure_<name>``; actions are bytes, uint16
little endian (a list costs twice as much to write and read). Names are plain strings (Parquet keeps them as
dictionaries), so that shards of any age concatenate.
"""

import json
import struct
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from harness.records import Block, Fault, Result

MEASURE = "measure_"
NAMES = ("table", "victory_type", "flags", "ended_by", "first_seat_bot", "fault")
"""Columns with few distinct strings: read as dictionaries."""
FLAG_SEPARATOR = "+"

_GAME_FIELDS: list[tuple[str, pa.DataType]] = [
    ("game_id", pa.string()),
    ("table", pa.string()),
    ("deal", pa.int32()),
    ("rotation", pa.int8()),
    ("block", pa.int32()),
    ("seats", pa.int8()),
    ("victory_type", pa.string()),
    ("flags", pa.string()),
    ("turns", pa.int32()),
    ("decisions", pa.int32()),
    ("ended_by", pa.string()),
    ("first_seat_bot", pa.string()),
    ("seconds", pa.float64()),
]
_SEAT_FIELDS: list[tuple[str, pa.DataType]] = [
    ("bots", pa.string()),
    ("ranks", pa.int8()),
    ("points", pa.int32()),
    ("seat_seconds", pa.float64()),
    ("max_move_seconds", pa.float64()),
]
_FAULT_FIELDS: list[tuple[str, pa.DataType]] = [
    ("fault_seat", pa.int8()),
    ("fault", pa.string()),
    ("fault_text", pa.string()),
    ("fault_evidence", pa.string()),
]


def schema(measures: Sequence[str]) -> pa.Schema:
    """Return the schema of a game's shards; ``measures`` are the game's measure names."""
    seat_fields = [*_SEAT_FIELDS, *((MEASURE + name, pa.int32()) for name in measures)]
    lists = [(name, pa.list_(kind)) for name, kind in seat_fields]
    return pa.schema([*_GAME_FIELDS, *lists, ("actions", pa.binary()), *_FAULT_FIELDS])


def encode(played: Sequence[tuple[Block, Sequence[Result]]], measures: Sequence[str]) -> pa.Table:
    """Turn played blocks into rows, in the order given. Measures come in declared order, as a match gives them."""
    blocks = [block for block, _ in played]
    results = [result for _, of_block in played for result in of_block]
    seats = len(results[0].bots)
    columns: dict[str, Any] = {
        "game_id": [r.game_id for r in results],
        "table": pa.array(["+".join(b.table) for b in blocks]).take(_each(seats, len(blocks))),
        "deal": np.repeat([b.deal for b in blocks], seats),
        "rotation": np.tile(np.arange(seats), len(blocks)),
        "block": np.repeat([b.index for b in blocks], seats),
        "seats": np.full(len(results), seats),
        "victory_type": [r.victory_type for r in results],
        "flags": [FLAG_SEPARATOR.join(r.flags) for r in results],
        "turns": [r.turns for r in results],
        "decisions": [len(r.actions) // 2 for r in results],
        "ended_by": [r.ended_by for r in results],
        "first_seat_bot": [r.bots[0] for r in results],
        "seconds": [r.seconds for r in results],
        "actions": [r.actions for r in results],
    }
    for name, kind in _SEAT_FIELDS:
        flat = chain.from_iterable(getattr(r, name) for r in results)
        columns[name] = _per_seat(pa.array(list(flat), kind), seats)
    columns |= _measures(results, measures, seats)
    faults, wanted = [r.fault for r in results], schema(measures)
    columns["fault_seat"] = [f and f.seat for f in faults]
    columns["fault"] = [f and f.cause for f in faults]
    columns["fault_text"] = [f and f.text for f in faults]
    columns["fault_evidence"] = [f and _evidence(f) for f in faults]
    return pa.table({name: columns[name] for name in wanted.names}, schema=wanted)


def _each(times: int, length: int) -> pa.Array:
    """Indices that repeat each of ``length`` items."""
    return pa.array(np.repeat(np.arange(length), times))


def _per_seat(flat: pa.Array, seats: int) -> pa.ListArray:
    return pa.ListArray.from_arrays(np.arange(0, len(flat) + 1, seats, dtype=np.int32), flat)


def _measures(results: Sequence[Result], names: Sequence[str], seats: int) -> dict[str, pa.ListArray]:
    if not names:
        return {}
    pack = struct.Struct(f"{len(names) * seats}i").pack  # the fastest way from tuples of ints to memory
    data = b"".join([pack(*chain.from_iterable(r.measures.values())) for r in results])
    cube = np.frombuffer(data, np.int32).reshape(len(results), len(names), seats)
    return {
        MEASURE + name: _per_seat(pa.array(np.ascontiguousarray(cube[:, i]).ravel()), seats)
        for i, name in enumerate(names)
    }


def _evidence(fault: Fault) -> str:
    """JSON; what a game or bot put in that JSON does not know is written as its repr. Lone surrogates become ``?``."""
    return json.dumps(fault.evidence, default=repr)
