"""What people hand to an audit, made into what the sections take."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError, join_names
from assay.data import Dataset
from assay.discrimination import ScoreTable, read_scores
from assay.evaluation import Predictions, read_predictions
from assay.evaluation.repeats.stacking import keep_first_repeats
from assay.tasks import TaskCache, default_cache, run_tasks


def given_predictions(predictions: Any, data: Dataset) -> Predictions | None:
    """Read prediction files, or take arrays: a mapping from systems to one answer for every row of the data.

    Without any, those that came with the data count. Of repeats of a run the first one is used.
    """
    if predictions is None and data.predictions is not None:
        return keep_first_repeats(read_predictions(data.predictions, data))
    if predictions is None or isinstance(predictions, Predictions):
        return predictions
    if isinstance(predictions, dict):
        gold = [None] * len(data) if data.labels is None else data.labels.to_list()
        return Predictions.from_arrays(gold, predictions, ids=data.ids.to_list())
    paths = [predictions] if isinstance(predictions, (str, Path)) else list(predictions)
    if not paths:
        return None
    found = keep_first_repeats(read_predictions(paths, data))
    refuse_foreign(found, join_names(paths))
    return found


def refuse_foreign(found: Predictions, where: str) -> None:
    """Refuse predictions of which no label is one of the data's: of another dataset, or a table of scores."""
    labels = {str(label) for one in found.systems.values() if one.predicted is not None for label in one.predicted}
    labels -= {"None"}
    gold = set() if found.gold is None else {str(label) for label in found.gold if label is not None}
    if labels and gold and not labels & gold:
        shown = f"{join_names(sorted(labels), 3)} against {join_names(sorted(gold), 3)}"
        raise AssayError(
            f"{where}: no label predicted there is one of the data ({shown}). Is it a file of this data? A table of "
            "scores is given as --scores."
        )


def check_back_end(backend: str | None) -> None:
    """Send a task to where the audit's tasks are to run, so that what cannot be reached is told before any work."""
    if backend is not None:
        run_tasks(max, [(0, 1)], backend=backend)


def given_scores(scores: Any) -> ScoreTable | None:
    """Read a table of scores."""
    return scores if scores is None or isinstance(scores, ScoreTable) else read_scores(scores)


def cache_folder(folder: str | Path | bool | None) -> Path | None:
    """Return the folder of finished work, one for every state of the code, so that nothing old comes back.

    Where the user's own folder cannot be written, nothing is kept; a folder that was named must be there.
    """
    if folder is None or folder is False:
        return None
    base = default_cache() if folder is True else Path(folder)
    place = base / f"audit-{code_fingerprint()}"
    try:
        TaskCache(place)
    except AssayError:
        if folder is True:
            return None
        raise
    return place


@cache
def code_fingerprint() -> str:
    """Return a hash of this package's source."""
    import assay

    digest = hashlib.sha256()
    home = Path(assay.__file__).parent
    for path in sorted(home.rglob("*.py")):
        digest.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]
