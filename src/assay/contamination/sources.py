"""The files of a corpus and the sources they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import polars as pl

from assay.base.errors import UsageError
from assay.contamination.documents import list_files

MAX_SOURCES = 100
CorpusFiles: TypeAlias = "str | Path | Sequence[str | Path] | pl.Series"  # files, or texts in memory


def name_files(corpus: CorpusFiles) -> list[str]:
    """Return the files of a corpus, or the name of texts in memory."""
    if isinstance(corpus, pl.Series):
        return [corpus.name]
    paths: Sequence[str | Path] = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    if not paths:
        raise UsageError("names no files", option="corpus")
    return [str(file) for file in list_files(paths)]


def name_sources(files: Sequence[str]) -> list[str]:
    """Return the source of every file: its folder, or one further up if there are too many folders.

    >>> name_sources(["web/a.txt", "web/b.txt", "books/a.txt"])
    ['web', 'web', 'books']
    """
    folders = [Path(file).parent for file in files]
    while len(set(folders)) > MAX_SOURCES:
        deepest = max(len(folder.parts) for folder in folders)
        folders = [folder.parent if len(folder.parts) == deepest else folder for folder in folders]
    return [str(folder) for folder in folders]


def get_state(file: str) -> tuple[int, int]:
    """Return size and time of change: a finished search is reused only while the file is the same."""
    status = Path(file).stat()
    return status.st_size, status.st_mtime_ns


def identify_corpus(corpus: CorpusFiles) -> str:
    """Return a hash that changes with the files of a corpus."""
    import joblib

    if isinstance(corpus, pl.Series):
        return str(joblib.hash(corpus.to_list()))
    return str(joblib.hash([(file, get_state(file)) for file in name_files(corpus)]))
