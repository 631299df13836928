"""Preparation of an audit: data if there is none, names, the folder of finished work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.data import Dataset
from assay.evaluation import Predictions
from assay.tasks import run_tasks


def confirm_labels(data: Dataset, predictions: Predictions | None) -> Dataset:
    """Return the data with -1 as a label if a system predicts it, as the predictions were scored."""
    if predictions is None or predictions.gold is None or data.hidden_labels is None:
        return data
    hidden = set(data.hidden_labels.drop_nulls().to_list())
    return data.restore_hidden_labels() if hidden & set(predictions.gold.tolist()) else data


def make_empty_data(name: str) -> Dataset:
    """Return data without items, for an audit of predictions, scores, votes or verdicts alone."""
    import polars as pl

    nothing = pl.Series([], dtype=pl.String)
    return Dataset(name, ids=nothing.alias("id"), sides=(nothing.alias("text"),), has_row_ids=True)


def name_inputs(*sources: Any) -> str:
    """Name an audit without data after its first file.

    >>> name_inputs(None, "boards/glue.tsv.gz")
    'glue'
    """
    first = next((source for source in sources if source is not None), None)
    first = first[0] if isinstance(first, (list, tuple)) and first else first
    if isinstance(first, (str, Path)):
        return Path(first).name.partition(".")[0]
    return str(getattr(first, "name", "table")).partition(".")[0]


def check_backend_runs(backend: str | None) -> None:
    """Run a trivial task on the backend, so that an unreachable one is an error before any work."""
    if backend is not None:
        run_tasks(max, [(0, 1)], backend=backend)


def identify_source(source: Any) -> str | None:
    """Return a key that changes with the files of a source, or with its content in memory; None without a source."""
    import joblib

    if source is None:
        return None
    if not isinstance(source, (str, Path)):
        content = source.to_dict() if hasattr(source, "to_dict") else source
        return str(joblib.hash(content))
    path = Path(source)
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    facts = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files if file.exists()]
    return str(joblib.hash(facts))
