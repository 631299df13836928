"""Write repaired data and the log of changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import AssayError
from assay.suspects.repairs.results import Repair
from assay.system.files import open_for_writing, write_bytes

if TYPE_CHECKING:
    import polars as pl

LOG_COLUMNS = ("id", "action", "column", "old", "new", "reason")
BREAKS = r"[\t\r\n]"


def write_data(path: str | Path, table: pl.DataFrame) -> None:
    """Write a table as TSV, or by its suffix as CSV, JSON lines or Parquet.

    TSV is written without quotes; a cell with a tab or line break is an error, since it would be changed in silence.
    """
    import io

    import polars as pl

    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        buffer = io.BytesIO()
        table.write_parquet(buffer)
        write_bytes(path, buffer.getvalue())
        return
    if suffix not in (".csv", ".jsonl"):
        broken = [name for name in table.columns if table[name].cast(pl.String).str.contains(BREAKS).any()]
        if broken:
            hint = "Write a .csv, .jsonl or .parquet file."
            raise AssayError(f"TSV cannot hold the tabs or line breaks of column '{broken[0]}'", place=path, hint=hint)
    with open_for_writing(path) as file:
        if suffix == ".jsonl":
            file.write(table.write_ndjson())
        elif suffix == ".csv":
            file.write(table.write_csv())
        else:
            file.write(table.write_csv(separator="\t", quote_style="never", null_value=""))


def write_log(path: str | Path, result: Repair) -> None:
    """Write one row per change (TSV): id, action, column, old, new, reason."""
    with open_for_writing(path) as file:
        file.write("\t".join(LOG_COLUMNS) + "\n")
        for change in result.changes:
            cells = (getattr(change, name) for name in LOG_COLUMNS)
            file.write("\t".join(" ".join(str(cell).split()) for cell in cells) + "\n")
