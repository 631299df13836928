"""What people hand to an audit, made into what the sections take."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from assay.data import Dataset
from assay.discrimination import Scores, read_scores
from assay.evaluation import Predictions, read_predictions
from assay.tasks import default_cache


def given_predictions(predictions: Any, data: Dataset) -> Predictions | None:
    """Read prediction files, or take arrays: a mapping from systems to one answer for every row of the data."""
    if predictions is None or isinstance(predictions, Predictions):
        return predictions
    if isinstance(predictions, dict):
        gold = [None] * len(data) if data.labels is None else data.labels.to_list()
        return Predictions.from_arrays(gold, predictions, ids=data.ids.to_list())
    paths = [predictions] if isinstance(predictions, (str, Path)) else list(predictions)
    return read_predictions(paths, data) if paths else None


def given_scores(scores: Any) -> Scores | None:
    """Read a table of scores."""
    return scores if scores is None or isinstance(scores, Scores) else read_scores(scores)


def cache_folder(folder: str | Path | bool | None) -> Path | None:
    """Return the folder of finished work, one for every state of the code, so that nothing old comes back."""
    if folder is None or folder is False:
        return None
    base = default_cache() if folder is True else Path(folder)
    return base / f"audit-{code_fingerprint()}"


@cache
def code_fingerprint() -> str:
    """Return a hash of this package's source."""
    import assay

    digest = hashlib.sha256()
    home = Path(assay.__file__).parent
    for path in sorted(home.rglob("*.py")):
        digest.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]
