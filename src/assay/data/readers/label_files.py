"""Labels in a file of their own next to the data: `valid-labels.lst` next to `valid.jsonl`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.columns.names import normalise_name
from assay.data.columns.table import RawTable
from assay.data.left_out import LeftOut
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import decode_text
from assay.system.links import check_links

_WORDS, _SUFFIXES = ("labels", "label", "gold", "answers"), (".lst", ".txt", ".labels", ".lab", "")
_LABEL_WORD = re.compile(r"(?:^|[^a-z])(?:labels?|gold|answers?|targets?)(?:[^a-z]|$)")
# A table with one of these columns has labels of its own.
OWN_LABELS = {"label", "labels", "gold", "goldlabel", "answer", "answerkey", "target", "class", "correctanswer"}
LABEL_COLUMN = "label"
MAX_BYTES = 1 << 26


def find_label_file(path: Path) -> Path | None:
    """Return the file next to a data file that has its name and the word labels.

    `valid.jsonl` has `valid-labels.lst`, `valid_labels.txt` or `valid.labels`.
    """
    stem = path.name.partition(".")[0]
    names = [f"{stem}{mark}{word}{suffix}" for mark, word, suffix in product("-_.", _WORDS, _SUFFIXES)]
    return next((path.with_name(name) for name in names if name != path.name and path.with_name(name).is_file()), None)


def join_label_file(table: RawTable, path: Path, encoding: str) -> RawTable:
    """Return the table of a data file with the labels of the file next to it, one per line; without one as it is."""
    file = find_label_file(path)
    if file is None:
        return table
    check_links([file], path.parent)
    if {normalise_name(name) for name in table.frame.columns} & OWN_LABELS:
        entry = LeftOut("files", 1, f"labels are in the data too: {file.name}")
        return replace(table, left_out=(*table.left_out, entry))
    labels = read_label_lines(file, encoding)
    if len(labels) != len(table.frame):
        fact = f"the file has {len(labels):,} labels for the {len(table.frame):,} rows of {path.name}"
        raise AssayError(fact, place=file, hint="Complete it, or remove it to read the data without labels.")
    frame = table.frame.with_columns(pl.Series(LABEL_COLUMN, labels, dtype=pl.String))
    return replace(table, frame=frame, notes=(*table.notes, f"labels of {path.name} are from {file.name}"))


def read_label_lines(path: Path, encoding: str) -> list[str]:
    """Return the lines of a file of labels."""
    text = decode_text(read_content(path), encoding, path)
    return [line.strip() for line in text.rstrip("\r\n").split("\n")]


def list_unused_labels(folder: Path, used: Iterable[Path], counts: Iterable[int]) -> tuple[LeftOut, ...]:
    """Return the files of a folder that look like labels and are not used: by name, with a line for each row."""
    files = {*used, *(file for path in used if (file := find_label_file(path)))}
    others = [file for file in sorted(folder.iterdir()) if file.is_file() and file not in files]
    sizes = {*counts}
    names = [file.name for file in others if _LABEL_WORD.search(file.name.lower()) and _count_lines(file) in sizes]
    reason = f"they look like labels and belong to no file by name: {join_names(names)}"
    return (LeftOut("files", len(names), reason),) if names else ()


def _count_lines(path: Path) -> int:
    if path.stat().st_size > MAX_BYTES:
        return -1
    content = path.read_bytes()
    return content.count(b"\n") + (not content.endswith(b"\n"))
