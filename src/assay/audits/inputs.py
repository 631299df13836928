"""What people hand to an audit, made into what the sections take."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.data import Dataset
from assay.discrimination import ScoreTable, build_log_scores, read_scores
from assay.evaluation import Predictions, read_predictions
from assay.evaluation.predictions.sources import list_sources
from assay.kinds import kind_of
from assay.logs import has_logs, read_logs
from assay.tasks import default_cache, run_tasks

if TYPE_CHECKING:
    from assay.judges import Verdicts
    from assay.votes import Votes


def to_predictions(predictions: Any, data: Dataset) -> Predictions | None:
    """Read prediction files, or convert arrays: a mapping from systems to one answer for every row of the data.

    Without any, the predictions that came with the data are used. Repeats of a run stay apart.
    """
    if predictions is None and data.predictions is not None:
        return read_predictions(data.predictions, data)
    if predictions is None or isinstance(predictions, Predictions):
        return predictions
    if isinstance(predictions, dict) and kind_of(data).scoring.has_own_metrics:
        return read_predictions(predictions, data)
    if isinstance(predictions, dict):
        gold = [None] * len(data) if data.labels is None else data.labels.to_list()
        rows = [row for row, label in enumerate(gold) if label is not None] or range(len(data))
        answers = {name: [values[row] for row in rows] for name, values in predictions.items()}
        return Predictions.from_arrays([gold[row] for row in rows], answers, ids=data.ids[list(rows)].to_list())
    sources = list_sources(predictions)
    if not sources:
        return None
    return read_predictions(sources, data)


def read_answers(predictions: Any) -> Predictions | None:
    """Read predictions without data: item scores, or answers with a column of gold labels. Repeats stay apart."""
    if predictions is None or isinstance(predictions, Predictions):
        return predictions
    if isinstance(predictions, dict):
        return Predictions.from_arrays(None, predictions)
    sources = list_sources(predictions)
    return read_predictions(sources) if sources else None


def confirm_labels(data: Dataset, predictions: Predictions | None) -> Dataset:
    """Return the data with -1 as a label where a system predicts it, as the predictions were scored."""
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


def to_score_table(scores: Any) -> ScoreTable | None:
    """Read a table of scores, or the totals of logs."""
    if scores is None or isinstance(scores, ScoreTable):
        return scores
    if isinstance(scores, (str, Path)) and has_logs(scores):
        return build_log_scores(read_logs(scores))
    return read_scores(scores)


def has_votes(source: Any) -> bool:
    """Return whether a source that is given as data is a table of votes."""
    from assay.votes import is_votes

    return source is not None and is_votes(source)


def to_votes(votes: Any) -> Votes | None:
    """Read a table of votes."""
    from assay.votes import read_votes

    return None if votes is None else read_votes(votes)


def to_verdicts(verdicts: Any) -> Verdicts | None:
    """Read a table of verdicts."""
    from assay.judges import read_verdicts

    return None if verdicts is None else read_verdicts(verdicts)


def cache_folder(folder: str | Path | bool | None) -> Path | None:
    """Return the folder for finished work, one for every version of the code, so that no old result is reused."""
    if folder is None or folder is False:
        return None
    return (default_cache() if folder is True else Path(folder)) / f"audit-{code_fingerprint()}"


@cache
def code_fingerprint() -> str:
    """Return a hash of this package's source."""
    import assay

    digest = hashlib.sha256()
    home = Path(assay.__file__).parent
    for path in sorted(home.rglob("*.py")):
        digest.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]
