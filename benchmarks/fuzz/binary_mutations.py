"""Ways to damage compressed files, zip archives, and Parquet and Arrow tables."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from pathlib import PurePosixPath

import polars as pl

from benchmarks.fuzz.mutant import Change, Mutant, Way, choose_change
from benchmarks.fuzz.text_mutations import ROLE_NAMES

COMPRESSED = (".gz", ".zst")


def damage_compression(content: bytes, path: PurePosixPath, generator: random.Random) -> Mutant:
    """Damage a compressed file from the outside."""
    other = {".gz": ".zst", ".zst": ".gz"}[path.suffix]
    plain = unpack(content, path.suffix)
    half = len(plain) // 2
    changes: dict[str, Change] = {
        "truncated": lambda data, rng: data[: rng.randrange(len(data))],
        "cut checksum": lambda data, rng: data[: -rng.randrange(1, 9)],
        "flipped bytes": _flip_bytes,
        "damaged header": lambda data, rng: data[:2] + rng.randbytes(8) + data[10:],
        "damaged checksum": lambda data, rng: data[:-8] + rng.randbytes(8),
        "trailing garbage": lambda data, rng: data + rng.randbytes(rng.randrange(1, 100)),
        "trailing zeros": lambda data, _rng: data + b"\x00" * 512,
        "two members": lambda _data, _rng: pack(plain[:half], path.suffix) + pack(plain[half:], path.suffix),
        "second member cut": lambda data, _rng: data + data[: len(data) // 2],
        "compressed twice": lambda data, _rng: pack(data, path.suffix),
        "not compressed": lambda _data, _rng: plain,
        "wrong compression": lambda _data, _rng: pack(plain, other),
        "empty content": lambda _data, _rng: pack(b"", path.suffix),
        "bomb": lambda _data, _rng: _make_bomb(path.suffix),
    }
    return choose_change(content, generator, changes, frozenset(["two members"]))


def _flip_bytes(content: bytes, generator: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(generator.randrange(1, 5)):
        damaged[generator.randrange(len(damaged))] = generator.randrange(256)
    return bytes(damaged)


@cache
def _make_bomb(suffix: str) -> bytes:
    """Return a small file that unpacks to 1.5 GB of zeros."""
    return pack(b"\x00" * (1 << 24), suffix) * 96


def compress(content: bytes, path: PurePosixPath, generator: random.Random) -> Mutant:
    """Compress a file that was not, with or without the ending that says so, sometimes with damage."""
    suffix = generator.choice(COMPRESSED)
    packed = pack(content, suffix)
    named = path.with_name(path.name + generator.choice([suffix, suffix, ".gz", ".zst", ".GZ", ""]))
    if generator.random() < 0.5:
        packed = damage_compression(packed, PurePosixPath(f"x{suffix}"), generator).content
    return Mutant("compressed", packed, name=str(named))


def rename(content: bytes, path: PurePosixPath, generator: random.Random) -> Mutant:
    """Give a file the ending of another format."""
    endings = (
        ".csv",
        ".tsv",
        ".json",
        ".jsonl",
        ".parquet",
        ".arrow",
        ".txt",
        ".gz",
        ".zst",
        ".eval",
        ".conll",
        ".xml",
    )
    return Mutant("wrong ending", content, name=str(path.with_suffix(generator.choice([*endings, ""]))))


def damage_zip(content: bytes, _path: PurePosixPath, generator: random.Random, damage_member: Way) -> Mutant:
    """Damage a member of a zip archive, its directory, or its records."""
    kind = generator.choice(
        "member,member,member,no member,two of a name,odd name,encrypted,method,sizes,checksum,directory,prefix,"
        "comment,truncated,stored folder".split(",")
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = generator.choice(sorted(members))
    extra: list[tuple[str, bytes]] = []
    if kind == "member":
        inner = damage_member(members[name], PurePosixPath(name), generator)
        kind, members[name] = f"{inner.kind} of a member", inner.content
    elif kind == "no member":
        del members[name]
    elif kind == "two of a name":
        extra = [(name, generator.choice([members[name], b"{}", b""]))]
    elif kind == "odd name":
        new = generator.choice(
            ["../evil.json", "/abs.json", " ", "a" * 5_000, "samples/\x1b[2J.json", "C:\\x", "é/x.json"]
        )
        extra = [(new, members.pop(name))]
    elif kind == "stored folder":
        extra = [(f"{name}/", b"")]
    packed = _write_zip([*members.items(), *extra])
    return Mutant(kind, _damage_records(kind, packed, generator))


def _write_zip(members: list[tuple[str, bytes]]) -> bytes:
    import warnings

    sink = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, content in members:
            archive.writestr(name, content)
    return sink.getvalue()


def _damage_records(kind: str, content: bytes, generator: random.Random) -> bytes:
    damaged = bytearray(content)
    directory = [at for at in range(len(content)) if content.startswith(b"PK\x01\x02", at)]
    start = generator.choice(directory) if directory else 0
    odd = struct.pack("<I", generator.choice([0, 1, 2**31, 2**32 - 1, 2**32 - 2]))
    if kind == "encrypted":
        damaged[start + 8] |= 1
    elif kind == "method":
        damaged[start + 10 : start + 12] = struct.pack("<H", generator.choice([1, 9, 12, 14, 93, 99, 65535]))
    elif kind == "sizes":
        at = start + generator.choice([20, 24, 42])  # packed size, size, place of the member
        damaged[at : at + 4] = odd
    elif kind == "checksum":
        damaged[start + 16 : start + 20] = odd
    elif kind == "directory":
        damaged[directory[0] if directory else 0 :] = _flip_bytes(
            content[directory[0] if directory else 0 :], generator
        )
    elif kind == "prefix":
        damaged[:0] = generator.randbytes(generator.randrange(1, 50))
    elif kind == "comment":
        damaged += generator.randbytes(20)
    elif kind == "truncated":
        del damaged[generator.randrange(len(damaged)) :]
    return bytes(damaged)


def damage_footer(content: bytes, _path: PurePosixPath, generator: random.Random) -> Mutant:
    """Damage the description of the columns that Parquet and Arrow files have at their end."""
    size = int.from_bytes(content[-8:-4], "little")  # of Parquet; nearly the same place in Arrow
    start = max(0, len(content) - 8 - size) if 0 < size < len(content) else max(0, len(content) - 600)
    odd = generator.choice([0, 1, size - 1, size + 1, 2**31 - 1, 2**32 - 1, len(content)])
    changes: dict[str, Change] = {
        "footer bytes": lambda data, rng: data[:start] + _flip_bytes(data[start:], rng),
        "footer bytes again": lambda data, rng: data[:start] + _flip_bytes(data[start:], rng),
        "footer size": lambda data, _rng: data[:-8] + struct.pack("<I", odd & (2**32 - 1)) + data[-4:],
        "no footer": lambda data, _rng: data[:start],
        "last bytes": lambda data, rng: data[: -rng.randrange(1, 12)],
        "first bytes": lambda data, rng: rng.randbytes(8) + data[8:],
        "pages": lambda data, rng: _flip_bytes(data[:start] or b"x", rng) + data[start:],
    }
    return choose_change(content, generator, changes)


def damage_table(content: bytes, path: PurePosixPath, generator: random.Random) -> Mutant:
    """Change a column of a Parquet or Arrow table."""
    is_parquet = path.suffix in (".parquet", ".pq")
    frame = pl.read_parquet(content) if is_parquet else pl.read_ipc(content)
    name = generator.choice(frame.columns)
    column, place = pl.col(name), generator.randrange(max(1, frame.height))
    other, new = generator.choice(frame.columns), generator.choice([each for each in ROLE_NAMES if each])
    literals = {
        "empty column": pl.lit(None, pl.String),
        "null column": pl.lit(None),
        "numbers": pl.lit(float("nan")),
        "infinity": pl.lit(float("inf")),
        "binary": pl.lit(b"\xff\x00"),
        "dates": pl.lit(date(2024, 1, 1)),
        "durations": pl.lit(timedelta(days=-1)),
        "booleans": pl.lit(value=True),
        "large numbers": pl.lit(2**64 - 1, pl.UInt64),
        "zero characters": pl.lit("\x00"),
        "long texts": pl.lit("a" * 50_000),
        "nested": pl.lit('{"a":' * 2_000),
    }
    changes: dict[str, Callable[[], pl.DataFrame]] = {
        kind: lambda literal=literal: frame.with_columns(literal.alias(name))  # type: ignore[misc]
        for kind, literal in literals.items()
    }
    changes |= {
        "drop a column": lambda: frame.drop(name),
        "lists": lambda: frame.with_columns(pl.concat_list(column).alias(name)),
        "lists of lists": lambda: frame.with_columns(pl.concat_list(pl.concat_list(column)).alias(name)),
        "objects": lambda: frame.with_columns(pl.struct(column).alias(name)),
        "lists of objects": lambda: frame.with_columns(pl.concat_list(pl.struct(column)).alias(name)),
        "one empty": lambda: frame.with_columns(pl.when(pl.int_range(pl.len()) != place).then(column).alias(name)),
        "categories": lambda: frame.with_columns(_as_text(frame, name).cast(pl.Categorical)),
        "no rows": lambda: frame.head(0),
        "one row": lambda: frame.head(1),
        "no columns": lambda: frame.select([]),
        "rename": lambda: frame.rename({name: f"{name}2"}),
        "rename to a role": lambda: frame if new in frame.columns else frame.rename({name: new}),
        "other content": lambda: frame.with_columns(pl.col(other).alias(name)),
        "second role": lambda: frame.with_columns(column.alias(new)),
        "repeat rows": lambda: pl.concat([frame, frame]),
    }
    kind = generator.choice(sorted(changes))
    sink = io.BytesIO()
    changed = changes[kind]()
    changed.write_parquet(sink) if is_parquet else changed.write_ipc(sink)
    losing = ("no rows", "one row", "no columns", "drop a column")
    return Mutant(kind, sink.getvalue(), keeps_rows=kind not in (*losing, "one empty"))


def _as_text(frame: pl.DataFrame, name: str) -> pl.Expr:
    simple = frame[name].dtype in (pl.String, pl.Int64, pl.Float64)
    return pl.col(name).cast(pl.String) if simple else pl.lit("x").alias(name)


def unpack(content: bytes, suffix: str) -> bytes:
    """Decompress a whole file."""
    import zstandard

    return gzip.decompress(content) if suffix == ".gz" else zstandard.ZstdDecompressor().decompress(content)


def pack(content: bytes, suffix: str) -> bytes:
    """Compress a whole file."""
    import zstandard

    return gzip.compress(content, mtime=0) if suffix == ".gz" else zstandard.ZstdCompressor().compress(content)
