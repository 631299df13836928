"""A new sample: whether it is of the same domain, and what models score on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.models.drops import compute_error_reduction
from assay.models.fitting import fit_under_splits
from assay.models.inputs import list_items
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.text.characters import plain_word_pattern
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.data import Dataset

N_WORDS = 1000
MAX_TEXTS = 1000
# Søgaard et al. (2021) call samples in-domain that can be distinguished with 69% accuracy: an A-distance of 0.76.
MAX_DISTANCE = 1.0


@dataclass(frozen=True)
class SampleScore(Result):
    """Score of a model, trained on all the data, on the new sample."""

    model: str = field(metadata=OWN)
    score: float
    error_reduction: float
    n: int


@dataclass(frozen=True)
class NewSampleScores(Result):
    """How far the sample is from the data (A-distance of a linear classifier on frequent words), and scores on it."""

    _table: ClassVar[str] = "scores"

    name: str = field(metadata=NAME)
    a_distance: float
    domain_accuracy: float
    in_domain: bool
    n: int
    scores: list[SampleScore]


def measure_new_sample(
    data: Dataset, sample: Dataset, models: dict[str, Options], *, random_state: int = 0, **work: Any
) -> NewSampleScores:
    """Score models trained on all of the data on the new sample, and measure how far it is."""
    _refuse_other_kind(data, sample)
    accuracy = measure_domain_accuracy(data.texts.to_list(), sample.texts.to_list(), random_state)
    distance = 2 * (2 * accuracy - 1)
    scores = _score_models(data, sample, models, random_state=random_state, **work)
    return NewSampleScores(sample.name, distance, accuracy, distance <= MAX_DISTANCE, len(sample), scores)


def measure_domain_accuracy(texts: list[str], others: list[str], random_state: int) -> float:
    """Return the cross-validated accuracy of a linear classifier on frequent words between two samples."""
    from sklearn.feature_extraction.text import CountVectorizer

    from assay.splits.comparison import domain_classifier

    rng = np.random.default_rng(random_state)
    kept = [[sample[row] for row in rng.permutation(len(sample))[:MAX_TEXTS]] for sample in (texts, others)]
    vectorizer = CountVectorizer(max_features=N_WORDS, token_pattern=plain_word_pattern(), binary=True)
    vectors = vectorizer.fit_transform(kept[0] + kept[1]).toarray().astype(float)
    is_first = np.arange(len(vectors)) < len(kept[0])
    return domain_classifier.measure_domain_accuracy(vectors, is_first, ~is_first, rng, n_permutations=0)[0]


def _score_models(data: Dataset, sample: Dataset, models: dict[str, Options], **work: Any) -> list[SampleScore]:
    X = [item for part in (data, sample) for item in list_items(part)]
    y = np.array(get_labels(data) + get_labels(sample), dtype=object)
    rows = RowSplit(np.arange(len(data)), NO_ROWS, len(data) + np.arange(len(sample)))
    baseline = expected_accuracy(y[rows.train], y[rows.test])
    scores = []
    for fit in fit_under_splits(models, [("new sample", rows)], X, y.tolist(), **work):
        score = float(np.mean(fit.result.predicted == y[rows.test]))
        scores.append(SampleScore(fit.model, score, compute_error_reduction(score, baseline), len(rows.test)))
    return scores


def expected_accuracy(train: Array, test: Array) -> float:
    """Return the expected accuracy of guessing labels by their shares in training.

    >>> expected_accuracy(np.array(["a", "a", "b", "b"]), np.array(["a", "b"]))
    0.5
    """
    return float(sum(np.mean(train == label) * np.mean(test == label) for label in sorted(set(train.tolist()))))


def get_labels(data: Dataset) -> list[str]:
    """Return the labels of data in which every row has one."""
    assert data.labels is not None
    return data.labels.to_list()


def _refuse_other_kind(data: Dataset, sample: Dataset) -> None:
    if data.task != sample.task:
        raise AssayError(f"{sample.task} texts, while {data.name} holds {data.task} ones", place=sample.name)
    if not set(sample.label_names) & set(data.label_names):
        names = f"{join_names(sample.label_names)} against {join_names(data.label_names)}"
        raise AssayError(f"shares no label with {data.name}: {names}", place=sample.name)
