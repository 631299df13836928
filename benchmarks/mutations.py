"""Ways to damage a file: bytes, lines, fields, values of JSON and cells of binary tables."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

DEPTH = 3_000
ODD_VALUES: tuple[Any, ...] = (None, [], {}, "", "x", float("nan"), float("inf"), -1, 10**400, True, [[1]], {"a": {}})
ODD_CELLS = ("", "NaN", "nan", "-1", "inf", "1e400", "9" * 5_000, "x", "[" * DEPTH, '"', "\x00", "null", " ")


@dataclass(frozen=True)
class Mutant:
    """A damaged file. `keeps_rows` tells that no row was removed, so that none may disappear without a note."""

    kind: str
    content: bytes
    keeps_rows: bool


def mutate(path: Path, content: bytes, generator: random.Random) -> Mutant:
    """Damage a file in one way that its format allows; compressed files are damaged inside or outside."""
    suffix = path.suffix
    if suffix in (".gz", ".zst"):
        if generator.random() < 0.4:
            return _damage_bytes(content, generator)
        inner = mutate(path.with_suffix(""), _unpack(content, suffix), generator)
        return Mutant(f"{inner.kind} inside", _pack(inner.content, suffix), inner.keeps_rows)
    ways = {
        ".parquet": [_damage_bytes, _damage_table],
        ".arrow": [_damage_bytes, _damage_table],
        ".eval": [_damage_bytes],
        ".json": [_damage_bytes, _damage_json, _damage_json, _damage_lines],
        ".jsonl": [_damage_bytes, _damage_json_line, _damage_json_line, _damage_lines],
    }.get(suffix, [_damage_bytes, _damage_lines, _damage_fields, _damage_fields])
    way = generator.choice(ways)
    return way(content, generator, suffix) if way is _damage_table else way(content, generator)  # type: ignore[operator]


def _damage_bytes(content: bytes, generator: random.Random) -> Mutant:
    start = generator.randrange(len(content))
    stop = min(len(content), start + generator.randrange(1, 40))
    kind = generator.choice(["truncate", "flip bits", "overwrite", "delete bytes", "repeat bytes"])
    damaged = bytearray(content)
    if kind == "truncate":
        return Mutant(kind, content[:start], keeps_rows=False)
    if kind == "flip bits":
        for _ in range(generator.randrange(1, 4)):
            damaged[generator.randrange(len(damaged))] ^= 1 << generator.randrange(8)
        return Mutant(kind, bytes(damaged), keeps_rows=True)
    if kind == "overwrite":
        damaged[start:stop] = generator.randbytes(stop - start)
    elif kind == "delete bytes":
        del damaged[start:stop]
    else:
        damaged[start:start] = content[start:stop]
    return Mutant(kind, bytes(damaged), keeps_rows=kind == "repeat bytes")


def _damage_lines(content: bytes, generator: random.Random) -> Mutant:
    lines = content.splitlines(keepends=True)
    kind = generator.choice(["delete lines", "repeat a line", "swap lines", "empty line"])
    place = generator.randrange(len(lines))
    if kind == "delete lines":
        del lines[place : place + generator.randrange(1, 4)]
    elif kind == "repeat a line":
        lines.insert(place, lines[place])
    elif kind == "swap lines":
        other = generator.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    else:
        lines.insert(place, b"\n")
    return Mutant(kind, b"".join(lines), keeps_rows=kind in ("repeat a line", "empty line"))


def _damage_fields(content: bytes, generator: random.Random) -> Mutant:
    lines = content.decode("utf-8", "replace").split("\n")
    separator = "\t" if "\t" in lines[0] else ","
    place = generator.randrange(max(1, len(lines) - 1))
    fields = lines[place].split(separator)
    kind = generator.choice(["swap fields", "odd cell", "odd column", "drop a field", "add a field"])
    column = generator.randrange(len(fields))
    if kind == "swap fields":
        other = generator.randrange(len(fields))
        fields[column], fields[other] = fields[other], fields[column]
    elif kind == "odd cell":
        fields[column] = generator.choice(ODD_CELLS)
    elif kind == "drop a field":
        del fields[column]
    elif kind == "add a field":
        fields.insert(column, "new")
    lines[place] = separator.join(fields)
    if kind == "odd column":
        cell = generator.choice(ODD_CELLS)
        rows = [line.split(separator) for line in lines[1:]]
        for row in rows:
            if len(row) > column:
                row[column] = cell
        lines[1:] = [separator.join(row) for row in rows]
    return Mutant(kind, "\n".join(lines).encode(), keeps_rows=True)


def _damage_json(content: bytes, generator: random.Random) -> Mutant:
    """Change a value of a JSON document somewhere."""
    document = json.loads(content)
    places = list(_list_places(document))
    kind = generator.choice(["wrong type", "nest deep", "delete a value", "swap values", "another document"])
    if kind == "another document" or not places:
        return Mutant(kind, json.dumps(generator.choice(ODD_VALUES)).encode(), keeps_rows=False)
    container, key = generator.choice(places)
    if kind == "wrong type":
        container[key] = generator.choice(ODD_VALUES)
    elif kind == "delete a value":
        del container[key]
    elif kind == "swap values":
        other, other_key = generator.choice(places)
        if other is container:
            container[key], other[other_key] = other[other_key], container[key]
    else:
        container[key] = "DEEP"
        deep = "[" * DEPTH + "]" * DEPTH
        return Mutant(kind, json.dumps(document).replace('"DEEP"', deep).encode(), keeps_rows=True)
    return Mutant(kind, json.dumps(document).encode(), keeps_rows=kind in ("wrong type", "swap values"))


def _damage_json_line(content: bytes, generator: random.Random) -> Mutant:
    lines = content.splitlines()
    place = generator.randrange(len(lines))
    try:
        inner = _damage_json(lines[place], generator)
    except ValueError:
        return _damage_lines(content, generator)
    lines[place] = inner.content
    return Mutant(f"{inner.kind} in a line", b"\n".join(lines) + b"\n", inner.keeps_rows)


def _list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(entries):
        yield value, key
        yield from _list_places(item)


def _damage_table(content: bytes, generator: random.Random, suffix: str) -> Mutant:
    frame = pl.read_parquet(content) if suffix == ".parquet" else pl.read_ipc(content)
    name = generator.choice(frame.columns)
    changes: dict[str, Callable[[], pl.DataFrame]] = {
        "drop a column": lambda: frame.drop(name),
        "empty column": lambda: frame.with_columns(pl.lit(None, pl.String).alias(name)),
        "null column": lambda: frame.with_columns(pl.lit(None).alias(name)),
        "numbers": lambda: frame.with_columns(pl.lit(float("nan")).alias(name)),
        "lists": lambda: frame.with_columns(pl.concat_list(pl.col(name)).alias(name)),
        "objects": lambda: frame.with_columns(pl.struct(pl.col(name)).alias(name)),
        "binary": lambda: frame.with_columns(pl.lit(b"\xff\x00").alias(name)),
        "no rows": lambda: frame.head(0),
        "rename": lambda: frame.rename({name: f"{name}2"}),
    }
    kind = generator.choice(sorted(changes))
    sink = io.BytesIO()
    changed = changes[kind]()
    changed.write_parquet(sink) if suffix == ".parquet" else changed.write_ipc(sink)
    return Mutant(kind, sink.getvalue(), keeps_rows=kind not in ("no rows", "drop a column"))


def _unpack(content: bytes, suffix: str) -> bytes:
    import zstandard

    return gzip.decompress(content) if suffix == ".gz" else zstandard.ZstdDecompressor().decompress(content)


def _pack(content: bytes, suffix: str) -> bytes:
    import zstandard

    return gzip.compress(content, mtime=0) if suffix == ".gz" else zstandard.ZstdCompressor().compress(content)
