"""Compare the splits of a dataset that stand in folds files, or its own parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from assay.base.errors import UsageError
from assay.data import Dataset
from assay.splits.base import Assignment, Parts
from assay.splits.comparison.compare import SplitComparison, compare
from assay.splits.folds import read_folds


def compare_splits(
    data: Dataset, paths: list[str | Path], **settings: Any
) -> tuple[dict[str, SplitComparison], list[str]]:
    """Compare folds files side by side, keyed by file name without its ending; and say what was left out.

    Without files, the parts the data came with are compared, under the name "given".
    """
    draws = {name: _draws(data, path) for name, path in _named(paths).items()} if paths else {"given": _given(data)}
    labels = None if data.labels is None else data.labels.to_list()
    found = compare(data.texts.to_list(), draws, labels, ids=data.ids.to_list(), **settings)
    notes = [
        f"{name}: {result.n_unused:,} of {result.n_rows:,} rows are in no part and left out."
        for name, result in found.items()
        if result.n_unused
    ]
    return found, notes


def _draws(data: Dataset, path: str | Path) -> list[Assignment | Parts]:
    parts = None if data.parts is None else data.parts.to_list()
    return read_folds(path).draws(data.ids.to_list(), parts)


def _given(data: Dataset) -> list[Assignment | Parts]:
    if data.parts is None:
        raise UsageError("No folds file given, and the data has no parts of its own: assay compare DATA FOLDS…")
    names = ("train", "dev", "test")
    parts = np.array([part if part in names else "unused" for part in data.parts.to_list()], dtype=object)
    return [Parts(parts, {})]


def _named(paths: list[str | Path]) -> dict[str, str | Path]:
    """Name each file by its stem; files of one stem keep their folder too."""
    stems = [Path(path).name.split(".")[0] for path in paths]
    return {stem if stems.count(stem) == 1 else str(path): path for stem, path in zip(stems, paths, strict=True)}
