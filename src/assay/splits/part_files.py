"""The parts of a split as files of their own: the data's columns and ids, one file a part or fold."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO, cast

import numpy as np
import polars as pl

from assay.base.errors import AssayError, UsageError, join_names
from assay.base.files import open_for_writing
from assay.data import Dataset
from assay.splits.base import Assignment, Parts

FORMATS = ("tsv", "csv", "jsonl", "parquet")


def write_parts(folder: str | Path, data: Dataset, draws: list[Assignment | Parts], form: str = "tsv") -> list[Path]:
    """Write train, dev and test (or fold-1 …) files, in a folder a repeat where there are several; return their paths.

    Unused rows are in no file. A bootstrap's rows stand once, with their weight. The ids are the data's own.
    """
    if form not in FORMATS:
        raise UsageError(f"No format '{form}' of parts. Known: {', '.join(FORMATS)}.")
    table, paths = _table(data), []
    _refuse_unwritable(table, form)
    for repeat, drawn in enumerate(draws):
        place = Path(folder) / f"repeat-{repeat}" if len(draws) > 1 else Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for name, rows in _members(drawn):
            part = table.filter(rows)
            if isinstance(drawn, Parts) and drawn.weights is not None:
                part = part.with_columns(weight=pl.Series(drawn.weights[rows]))
            paths.append(place / f"{name}.{form}")
            _write(paths[-1], part, form)
    return paths


def _members(drawn: Assignment | Parts) -> Iterator[tuple[str, np.ndarray]]:
    if isinstance(drawn, Assignment):
        for fold in np.unique(drawn.folds[drawn.folds > 0]).tolist():
            yield f"fold-{fold}", drawn.folds == fold
    else:
        for part in ("train", "dev", "test"):
            if (drawn.parts == part).any():
                yield part, drawn.parts == part


def _table(data: Dataset) -> pl.DataFrame:
    """Return the file's columns, with ids; the column of the old parts goes, since the files now say the part."""
    table = data.frame if data.frame.width else data.to_frame()
    if data.parts is not None:
        old = [
            name for name in table.columns if name.lower() in ("split", "part", "subset", "set", "partition", "fold")
        ]
        table = table.drop(old)
    has_ids = any(table[name].cast(pl.String).equals(data.ids, null_equal=True) for name in table.columns)
    return table if has_ids else table.with_columns(id=data.ids).select("id", pl.exclude("id"))


def _write(path: Path, table: pl.DataFrame, form: str) -> None:
    content = io.BytesIO()
    if form == "parquet":
        table.write_parquet(content)
    elif form == "jsonl":
        table.write_ndjson(content)
    elif form == "csv":
        table.write_csv(content)
    else:
        table.write_csv(content, separator="\t", quote_style="never")
    with open_for_writing(path) as file:
        cast("TextIO", file).buffer.write(content.getvalue())


def _refuse_unwritable(table: pl.DataFrame, form: str) -> None:
    if form != "tsv":
        return
    texts = table.select(pl.col(pl.String))
    broken = [name for name in texts.columns if texts[name].str.contains(r"[\t\r\n]").any()]
    if broken:
        raise AssayError(
            f"Cells of {join_names(broken)} hold tabs or line breaks, which a TSV file cannot: --parts-format jsonl."
        )
