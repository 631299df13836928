"""A new sample: whether it is of the same domain, and what models score on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.results import Result
from assay.kinds import kind_of
from assay.models.fits import Fit, run_fits
from assay.models.inputs import joined

if TYPE_CHECKING:
    from assay.data import Dataset

N_WORDS = 1000
NEAR = 1.0  # the paper calls samples told apart with 69 % accuracy in-domain: A-distance 0.76


@dataclass(frozen=True)
class SampleScore(Result):
    """A model trained on all the data, on the new sample."""

    model: str
    score: float
    error_reduction: float
    n: int


@dataclass(frozen=True)
class NewSample(Result):
    """How far the sample is from the data (A-distance of a linear classifier on frequent words), and scores on it."""

    _table: ClassVar[str] = "scores"

    name: str
    a_distance: float
    domain_accuracy: float
    in_domain: bool
    n: int
    scores: list[SampleScore]


def check_new_sample(data: Dataset, sample: Dataset, models: dict[str, dict], running: dict[str, Any]) -> NewSample:
    """Score models trained on all of the data on the new sample, and measure how far it is."""
    _refuse_other_kind(data, sample)
    accuracy = domain_accuracy_of(data.texts.to_list(), sample.texts.to_list(), running["random_state"])
    distance = 2 * (2 * accuracy - 1)
    return NewSample(
        sample.name, distance, accuracy, distance <= NEAR, len(sample), _scores(data, sample, models, running)
    )


def domain_accuracy_of(here: list[str], there: list[str], random_state: int) -> float:
    """Return the cross-validated accuracy of a linear classifier on frequent words between two samples."""
    from sklearn.feature_extraction.text import CountVectorizer

    from assay.splits.comparison.domain import domain_accuracy

    draw = np.random.default_rng(random_state)
    kept = [[texts[row] for row in draw.permutation(len(texts))[:1000]] for texts in (here, there)]
    words = CountVectorizer(max_features=N_WORDS, token_pattern=r"(?u)\b\w+\b", binary=True)
    vectors = words.fit_transform(kept[0] + kept[1]).toarray().astype(float)
    first = np.arange(len(vectors)) < len(kept[0])
    return domain_accuracy(vectors, first, ~first, draw, n_permutations=0)[0]


def _scores(data: Dataset, sample: Dataset, models: dict[str, dict], running: dict[str, Any]) -> list[SampleScore]:
    from assay.models.studies.stress import chance, reduction

    both = [joined(tuple(side.to_list() for side in each.sides)) for each in (data, sample)]
    y = np.array(_labels(data) + _labels(sample), dtype=object)
    train, test = np.arange(len(data)), len(data) + np.arange(len(sample))
    fits = [Fit(model, settings, train, test, None, f"{model}, new sample") for model, settings in models.items()]
    found = []
    for fit, fitted in zip(fits, run_fits(fits, both[0] + both[1], y.tolist(), **running), strict=True):
        score = float(np.mean(fitted.predicted == y[test]))
        found.append(SampleScore(fit.model, score, reduction(score, chance(y[train], y[test])), len(test)))
    return found


def _labels(data: Dataset) -> list[str]:
    assert data.labels is not None
    return data.labels.to_list()


def _refuse_other_kind(data: Dataset, sample: Dataset) -> None:
    if kind_of(data).is_paired(data) != kind_of(sample).is_paired(sample):
        raise AssayError(f"the task is {sample.task}, that of {data.name} is {data.task}", place=sample.name)
    if not set(sample.label_names) & set(data.label_names):
        raise AssayError(
            f"{sample.name} shares no label with {data.name}: {join_names(sample.label_names)} "
            f"against {join_names(data.label_names)}."
        )
