"""The parts of a split as separate files: the columns and ids of the data, one file per part or fold."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names, unknown_name
from assay.data import Dataset
from assay.splits.assignments import Assignment, FoldAssignment, PartAssignment
from assay.system.files import create_folder, write_bytes, write_together

FORMATS = ("tsv", "csv", "jsonl", "parquet")


def write_parts(
    folder: str | Path, data: Dataset, assignments: Sequence[Assignment], parts_format: str = "tsv"
) -> list[Path]:
    """Write train, dev and test (or fold-1 …) files, in one folder per repeat if there are several.

    Return their paths. Unused rows are in no file. Rows of a bootstrap occur once, with their weight.
    """
    if parts_format not in FORMATS:
        raise unknown_name("format of parts", parts_format, FORMATS)
    table, paths = _select_columns(data), []
    _refuse_line_breaks(table, parts_format)
    with write_together():
        for repeat, assignment in enumerate(assignments):
            target = create_folder(Path(folder) / f"repeat-{repeat}" if len(assignments) > 1 else folder)
            for name, rows in assignment.iterate_members():
                part = table.filter(rows)
                if isinstance(assignment, PartAssignment) and assignment.weights is not None:
                    part = part.with_columns(weight=pl.Series(assignment.weights[rows]))
                stem = f"fold-{name}" if isinstance(assignment, FoldAssignment) else name
                paths.append(target / f"{stem}.{parts_format}")
                _write_table(paths[-1], part, parts_format)
    return paths


def _select_columns(data: Dataset) -> pl.DataFrame:
    """Return the columns of the data, with ids, without the column of the old parts: the files now say the part."""
    table = data.frame if data.frame.width else data.to_frame()
    if data.parts is not None:
        old = [
            name for name in table.columns if name.lower() in ("split", "part", "subset", "set", "partition", "fold")
        ]
        table = table.drop(old)
    has_ids = any(table[name].cast(pl.String).equals(data.ids, null_equal=True) for name in table.columns)
    return table if has_ids else table.with_columns(id=data.ids).select("id", pl.exclude("id"))


def _write_table(path: Path, table: pl.DataFrame, parts_format: str) -> None:
    content = io.BytesIO()
    if parts_format == "parquet":
        table.write_parquet(content)
    elif parts_format == "jsonl":
        table.write_ndjson(content)
    elif parts_format == "csv":
        table.write_csv(content)
    else:
        table.write_csv(content, separator="\t", quote_style="never")
    write_bytes(path, content.getvalue())


def _refuse_line_breaks(table: pl.DataFrame, parts_format: str) -> None:
    if parts_format != "tsv":
        return
    texts = table.select(pl.col(pl.String))
    broken = [name for name in texts.columns if texts[name].str.contains(r"[\t\r\n]").any()]
    if broken:
        raise AssayError(
            f"Cells of {join_names(broken)} hold tabs or line breaks, which a TSV file cannot.",
            hint="Choose csv, jsonl or parquet with {parts_format}.",
        )
