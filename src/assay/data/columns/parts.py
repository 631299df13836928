"""Parts: which rows are train, dev and test, by the names of cells and files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import polars as pl

PART_NAMES = ("train", "dev", "test")
_PREFIXES = {"train": "train", "dev": "dev", "val": "dev", "trial": "dev", "test": "test"}
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_FILE_WORD = re.compile(r"(?:[a-z]*\d+)?(train|dev|val|test)(ing|el|elopment|id|idation|s)?\d*")


def normalise_part(name: str) -> str:
    """Return train, dev or test for a name that begins so, other names as they are.

    >>> [normalise_part(name) for name in ("training", "dev_matched", "validation", "Test-2017", "unused")]
    ['train', 'dev', 'dev', 'test', 'unused']
    """
    bare = name.strip().lower()
    return next((part for prefix, part in _PREFIXES.items() if bare.startswith(prefix)), name)


def find_part_in_path(path: Path) -> str | None:
    """Return the part that the name of a file or folder mentions, as a word or after a number: the first, else any.

    >>> paths = [Path(name) for name in ("train-00000-of-00002.parquet", "sst2_dev.tsv.gz", "testimonials.csv")]
    >>> [find_part_in_path(path) for path in (*paths, Path("wnut17train.conll"))]
    ['train', 'dev', None, 'train']
    """
    name = path.name.lower()
    words = _SEPARATORS.split(name.partition(".")[0] if path.suffix else name)
    words += _SEPARATORS.split(name.partition(".")[2])
    matches = [_FILE_WORD.fullmatch(word) for word in words]
    parts = [_PREFIXES[match[1]] for match in matches if match]
    return parts[0] if parts and (len(set(parts)) == 1 or matches[0]) else None


def normalise_parts(names: pl.Series) -> pl.Series:
    """Return the part of every row from a column that names it; an empty cell is null."""
    distinct = names.unique().drop_nulls().to_list()
    parts = {name: normalise_part(name) if name.strip() else None for name in distinct}
    return names.replace_strict(parts, return_dtype=pl.String) if parts else names


def sort_parts(names: Iterable[str]) -> list[str]:
    """Put train, dev and test first; other names keep their order.

    >>> sort_parts(["unused", "test", "extra", "train"])
    ['train', 'test', 'unused', 'extra']
    """
    return sorted(names, key=lambda name: PART_NAMES.index(name) if name in PART_NAMES else len(PART_NAMES))


def count_parts(parts: pl.Series) -> str:
    """Write how many rows each part has.

    >>> count_parts(pl.Series(["test", "train", "train", None]))
    '2 train, 1 test, 1 without part'
    """
    counts = dict(parts.value_counts().iter_rows())
    n_without = counts.pop(None, 0)
    phrases = [f"{counts[name]:,} {name}" for name in sort_parts(sorted(counts))]
    return ", ".join([*phrases, f"{n_without:,} without part"] if n_without else phrases)
