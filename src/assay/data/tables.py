"""Read one table of any format. A new format is a module with its reader and a line in READERS."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError
from assay.data.arrow import read_ipc, read_parquet
from assay.data.cells import EmptyError, Table, refuse_many_columns, shortened
from assay.data.compression import contents
from assay.data.delimited import read_delimited
from assay.data.encoding import as_utf8
from assay.data.formats import format_of
from assay.data.json_lines import read_json

Reader = Callable[[pa.Buffer, Path, str], Table]  # content (text as UTF-8), its path, quoting

READERS: dict[str, Reader] = {
    "csv": lambda content, path, quoting: read_delimited(content, path, None, quoting),
    "tsv": lambda content, path, quoting: read_delimited(content, path, "\t", quoting),
    "json": lambda content, path, _: read_json(content, path),
    "parquet": lambda content, path, _: read_parquet(content, path),
    "arrow": lambda content, path, _: read_ipc(content, path),
}
TEXTUAL = ("csv", "tsv", "json")


def read_table(path: str | Path, *, encoding: str = "utf-8", quoting: str = "auto") -> pl.DataFrame:
    """Read a file, a folder or a glob of shards into a frame whose columns are all text."""
    from assay.data.parts import read_files

    return read_files(path, encoding=encoding, quoting=quoting).frame


def read_file(path: Path, *, encoding: str = "utf-8", quoting: str = "auto") -> Table:
    """Read one file; raise where it has no rows."""
    if not path.exists():
        raise missing(path)
    content = contents(path)
    kind = format_of(content, path)
    if kind in TEXTUAL:
        content = as_utf8(content, encoding, path)
    table = READERS[kind](content, path, quoting)
    refuse_many_columns(table.frame.width, path)
    if not len(table.frame):
        names = shortened(table.frame.columns)
        raise EmptyError(f"{path} has a header ({names}) and no rows." if names else f"{path} is empty.")
    return table


def missing(path: Path) -> AssayError:
    """Make the error for a path that does not exist, with the nearest one that does."""
    try:
        siblings = [sibling.name for sibling in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError:
        siblings = []
    near = difflib.get_close_matches(path.name, siblings, n=1, cutoff=0.75)
    if near:
        return AssayError(f"No file or folder {path}. Did you mean '{path.parent / near[0]}'?")
    if not path.parent.is_dir():
        return AssayError(f"No file or folder {path}: there is no folder {path.parent}.")
    return AssayError(f"No file or folder {path}.")
