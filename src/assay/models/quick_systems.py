"""A few cheap systems, for benchmarks without predictions of any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.models.fitting import FitTask, run_fits
from assay.models.inputs import list_items
from assay.models.presets import FREQUENT_TERMS
from assay.models.row_splits import split_by_parts
from assay.tasks.running import Cache

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation import Predictions
    from assay.models.counted_texts import CountedTexts

# Settings in which each system differs from a linear model of frequent words and word pairs.
QUICK_SYSTEMS: dict[str, dict[str, Any]] = {
    "linear (words)": {"word_ngrams": (1, 1)},
    "linear (words, cautious)": {"word_ngrams": (1, 1), "C": 0.1},
    "linear (word pairs)": {},
    "linear (words and characters)": {"char_ngrams": (2, 3)},
}


def predict_with_quick_systems(
    data: Dataset,
    *,
    texts: CountedTexts | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> Predictions:
    """Train cheap linear systems on train and predict test, or a fifth of the rows if there are no parts.

    Every item needs a label (see `cross_validation.select_trainable`). `texts` brings n-gram counts that are ready.
    """
    from assay.evaluation import Predictions

    assert data.labels is not None
    rows = split_by_parts(data, random_state=random_state)[0]
    tasks = [FitTask("linear", rows, FREQUENT_TERMS | settings) for settings in QUICK_SYSTEMS.values()]
    X = list_items(data) if texts is None else texts
    labels = data.labels.to_list()
    results = run_fits(tasks, X, labels, random_state=random_state, n_jobs=n_jobs, backend=backend, cache=cache)
    gold = [labels[row] for row in rows.test.tolist()]
    answers = {name: result.predicted for name, result in zip(QUICK_SYSTEMS, results, strict=True)}
    return Predictions.from_arrays(gold, answers, ids=data.ids.gather(rows.test).to_list())
