"""Out-of-fold probabilities of quick text models, averaged over models and repeats."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.models.counted_texts import CountedTexts
from assay.models.cross_validation import cross_validate, select_trainable
from assay.models.inputs import list_items
from assay.models.split_drawing import RANDOM
from assay.suspects.probabilities import average_probabilities
from assay.tasks.running import Cache

if TYPE_CHECKING:
    from assay.data import Dataset

N_REPEATS = 2
MODELS: dict[str, dict[str, Any]] = {
    "words and characters": {},
    "words": {"word_ngrams": (1, 1), "char_ngrams": None},
}


@dataclass(frozen=True)
class TextProbabilities:
    """Probabilities (items × labels) of the rows that models were trained on, and the names of the labels."""

    rows: Array = field(repr=False)
    labels: list[str]
    probabilities: Array = field(repr=False)


def predict_out_of_fold(
    data: Dataset,
    *,
    texts: CountedTexts | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> TextProbabilities:
    """Train linear models on words, and on words and characters, under two draws of five folds, and average them.

    Rows whose label fewer than three rows have are left out. `texts` are the texts of `data` with the n-grams that have been
    counted.
    """
    trainable = select_trainable(data)
    places = {name: row for row, name in enumerate(data.ids.to_list())}
    rows = np.array([places[name] for name in trainable.ids.to_list()])
    if texts is None:
        texts = CountedTexts(list_items(data))
    options: dict[str, Any] = {"texts": texts.take(rows), "n_jobs": n_jobs, "backend": backend, "cache": cache}
    tables = []
    for repeat in range(N_REPEATS):
        for settings in MODELS.values():
            folds = cross_validate(
                trainable, {"linear": settings}, splits=(), random_state=random_state + repeat, **options
            )
            table = np.zeros((len(trainable), len(folds.label_names)))
            for fold in folds.select(RANDOM):
                table[fold.rows] = fold.probabilities
            tables.append(table)
    return TextProbabilities(rows, trainable.label_names, average_probabilities(tables, [1.0] * len(tables)))
