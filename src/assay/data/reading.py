"""Read a dataset from wherever it is, and say what was recognised."""

from __future__ import annotations

from collections.abc import Sequence
from glob import has_magic
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.base.errors import AssayError, UsageError
from assay.data.cells import Table
from assay.data.dataset import Dataset, part_counts
from assay.data.ids import ids_of
from assay.data.labels import labels_of
from assay.data.missing import without_missing
from assay.data.parts import joined, parts_of, read_parts
from assay.data.roles import Roles, blank_to_null, find_roles, wanted
from assay.data.sources import from_object

_MISSING = ("keep", "drop", "error")


def read(
    source: Any = None,
    *,
    text: str | Sequence[str] | None = None,
    label: str | None = None,
    id: str | None = None,  # noqa: A002, the name of the role
    split: str | None = None,
    time: str | None = None,
    group: str | None = None,
    train: Any = None,
    dev: Any = None,
    test: Any = None,
    sample: int | None = None,
    seed: int = 0,
    encoding: str = "utf-8",
    quoting: str = "auto",
    missing: str = "keep",
) -> Dataset:
    """Read a file, folder, glob, frame, table, list or dict; roles not named are found by the usual names.

    `train`, `dev` and `test` are sources of their own; `sample` draws rows; `missing` says what to do
    with rows whose text or label is missing. `Dataset.notes` tells what was recognised.

    >>> read({"sentence": ["Fine.", "Poor."], "target": [1, 0]}).notes[0]
    'text: sentence, label: target, id: row numbers; 2 rows'
    """
    if missing not in _MISSING:
        raise UsageError(f"No way '{missing}' with missing cells. Known: {', '.join(_MISSING)}.")
    if sample is not None and sample < 1:
        raise UsageError(f"A sample of {sample} rows. Give at least 1.")
    want = wanted(text, label=label, id=id, split=split, time=time, group=group)
    given = {"train": train, "dev": dev, "test": test}
    parts = _parts(source, given, encoding, quoting)
    name = _name(source, given)
    place = _place(source, given)
    table, in_part = joined(parts)
    if not len(table.frame):
        raise AssayError(f"{place} has no rows.")
    data = _dataset(table, in_part, find_roles(table, place, want), name, place)
    return _sampled(without_missing(data, missing, place), sample, seed)


def _parts(source: Any, given: dict[str, Any], encoding: str, quoting: str) -> dict[str, Table]:
    named = {part: found for part, found in given.items() if found is not None}
    if source is None and not named:
        raise UsageError("No data: give DATA, or --train, --dev and --test files.")
    if not named:
        return _tables(source, encoding, quoting)
    if source is not None and "train" in named:
        raise UsageError("DATA and --train both name training data. Give one of them.")
    if source is not None:
        named = {"train": source, **named}
    return {part: joined(_tables(found, encoding, quoting))[0] for part, found in named.items()}


def _tables(source: Any, encoding: str, quoting: str) -> dict[str, Table]:
    if isinstance(source, (str, Path)):
        from assay.data.hub import is_hub_name, read_hub

        try:
            if is_hub_name(source):
                return read_hub(str(source))
            return read_parts(source, encoding=encoding, quoting=quoting)
        except (OSError, ValueError) as error:  # a name too long, a null in it, a disk that fails
            reason = getattr(error, "strerror", None) or str(error)
            raise AssayError(f"{str(source)[:80]} cannot be read: {reason}.") from error
    return from_object(source)


def _place(source: Any, given: dict[str, Any]) -> str:
    """Say in errors where the data came from."""
    named = [found for found in (source, *given.values()) if found is not None]
    return " + ".join(str(found) if isinstance(found, (str, Path)) else _name(found, {}) for found in named)


def _name(source: Any, given: dict[str, Any]) -> str:
    first = source if source is not None else next(found for found in given.values() if found is not None)
    if not isinstance(first, (str, Path)):
        kind = type(first).__name__
        return kind if isinstance(first, (list, dict)) else {"DataFrame": "frame"}.get(kind, kind)
    path = Path(first)
    if source is None or has_magic(path.name):
        return path.resolve().parent.name or path.name
    return (path.name or path.resolve().name).partition(".")[0] or path.name


def _dataset(table: Table, in_part: pl.Series | None, roles: Roles, name: str, place: str) -> Dataset:
    frame, notes = table.frame, list(table.notes)
    parts = in_part
    if parts is None and roles.split:
        parts = parts_of(frame[roles.split])
    ids = ids_of(frame[roles.id] if roles.id else None, in_part, len(frame), place)
    labels = None
    if roles.label:
        labels, told = labels_of(frame[roles.label], ids, place)
        notes += told
    return Dataset(
        name=name,
        ids=ids,
        sides=tuple(frame[column] for column in roles.text),
        labels=labels,
        parts=parts.alias("part") if parts is not None else None,
        times=blank_to_null(frame[roles.time]).alias("time") if roles.time else None,
        groups=blank_to_null(frame[roles.group]).alias("group") if roles.group else None,
        notes=(_told(roles, parts, len(frame)), *_left_alone(roles), *notes),
        numbered=roles.id is None,
        whole=frame,
    )


def _told(roles: Roles, parts: pl.Series | None, n: int) -> str:
    """Say which column was taken for what, and how many rows there are."""
    found = [f"text: {' and '.join(roles.text)}", f"label: {roles.label or 'none'}", f"id: {roles.id or 'row numbers'}"]
    others = {"split": roles.split, "time": roles.time, "group": roles.group}
    found += [f"{role}: {column}" for role, column in others.items() if column]
    rows = f"{n:,} row{'s' if n != 1 else ''}" if parts is None else part_counts(parts)
    return f"{', '.join(found)}; {rows}"


def _left_alone(roles: Roles) -> tuple[str, ...]:
    """Mention columns that were recognised and not used."""
    seen, nested = roles.group_seen, roles.nested
    groups = f"column '{seen}' looks like groups; it is used only with --group {seen}"
    lists = f"column '{nested}' holds lists or objects; it is not taken for the label"
    return ((groups,) if seen else ()) + ((lists,) if nested else ())


def _sampled(data: Dataset, sample: int | None, seed: int) -> Dataset:
    if sample is None or sample >= len(data):
        return data
    rows = np.sort(np.random.default_rng(seed).choice(len(data), size=sample, replace=False))
    note = f"a sample of {sample:,} of {len(data):,} rows (seed {seed})"
    return data.take(rows).noted(note)
