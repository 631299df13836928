"""Splits as out-of-fold predictions show them: scores by fold, by period and by seen sides, labels and words of folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.marks import NAME, OWN, WORD
from assay.models.cross_validation import OutOfFoldPredictions
from assay.models.split_drawing import RANDOM, STANDARD
from assay.splits import FoldAssignment, PartAssignment
from assay.splits.dates import parse_times
from assay.statistics import cohen_kappa, wilson
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.splits.assignments import Assignment
    from assay.text import Corpus

CLUSTERS = "sds-k-means"
N_PERIODS = 12
N_WORDS = 8


@dataclass(frozen=True)
class FoldAccuracy(Result):
    """The accuracy of a model on one fold of a split."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    fold: int
    accuracy: float


@dataclass(frozen=True)
class GivenSplitScore(Result):
    """Agreement beyond chance of a model trained on train: with test, and cross-validated within train."""

    test: Interval
    within_train: Interval
    n: int


@dataclass(frozen=True)
class SideScore(Result):
    """The accuracy of a model trained on train, on test pairs with some or no side that is also in train."""

    sides: Literal["some", "none"]
    accuracy: Interval
    n: int


@dataclass(frozen=True)
class PeriodScore(Result):
    """The items of one period, and the accuracy of a model on those of them it was tested on.

    `folds` says how it was trained: on random folds, or on earlier items only (the temporal split).
    """

    start: str = field(metadata=OWN)  # a date
    folds: Literal["random folds", "earlier items"]
    n: int
    accuracy: Interval


@dataclass(frozen=True)
class FoldLabel(Result):
    """How many held-out items of a fold have a label."""

    split: str = field(metadata=OWN)
    fold: int
    label: str = field(metadata=NAME)
    count: int


@dataclass(frozen=True)
class FoldWord(Result):
    """A word that goes with a fold more often than chance allows."""

    split: str = field(metadata=OWN)
    fold: str = field(metadata=NAME)
    word: str = field(metadata=WORD)
    z: float


def score_folds(predictions: OutOfFoldPredictions) -> Iterator[FoldAccuracy]:
    """Yield the accuracy of every model on every fold."""
    for fit in predictions.predictions:
        accuracy = float((fit.predicted == predictions.codes[fit.rows]).mean())
        yield FoldAccuracy(fit.split, fit.model, fit.fold, accuracy)


def score_given_split(predictions: OutOfFoldPredictions) -> GivenSplitScore | None:
    """Return the agreement with gold, beyond chance, of a model trained on train and tested on test."""
    fits = predictions.select(STANDARD)
    if not fits:
        return None
    assert predictions.data.parts is not None
    train = (predictions.data.parts == "train").fill_null(value=False).to_numpy()
    random = predictions.select(RANDOM)
    predicted = np.concatenate([fit.predicted[train[fit.rows]] for fit in random])
    gold = np.concatenate([predictions.codes[fit.rows[train[fit.rows]]] for fit in random])
    test = cohen_kappa(fits[0].predicted, predictions.codes[fits[0].rows])
    return GivenSplitScore(test, cohen_kappa(predicted, gold), len(fits[0].rows))


def measure_signal(predictions: OutOfFoldPredictions) -> Interval:
    """Return the agreement with gold, beyond chance, of the first model on random folds."""
    random = predictions.select(RANDOM)
    rows = np.concatenate([fit.rows for fit in random])
    return cohen_kappa(np.concatenate([fit.predicted for fit in random]), predictions.codes[rows])


def score_seen_sides(predictions: OutOfFoldPredictions, n_seen: Array) -> Iterator[SideScore]:
    """Score a model trained on train on test pairs with a side that is in train, and on pairs with new sides.

    `n_seen` is the number of sides of every item that are in train.
    """
    fits = predictions.select(STANDARD)
    if not fits:
        return
    is_right, is_seen = fits[0].predicted == predictions.codes[fits[0].rows], n_seen[fits[0].rows] > 0
    sides: tuple[tuple[Literal["some", "none"], Array], ...] = (("some", is_seen), ("none", ~is_seen))
    for name, chosen in sides:
        if chosen.any():
            n = int(chosen.sum())
            yield SideScore(name, wilson(float(is_right[chosen].sum()), n), n)


def score_periods(predictions: OutOfFoldPredictions) -> Iterator[PeriodScore]:
    """Score the first model by period, trained on random folds and on earlier items; nothing without dates."""
    times = predictions.data.times
    if times is None or times.null_count():
        return
    trainings: tuple[tuple[str, Literal["random folds", "earlier items"]], ...]
    trainings = ((RANDOM, "random folds"), ("temporal", "earlier items"))
    for split, folds in trainings:
        rows, is_right = predictions.score_items(split)
        for start, chosen in cut_periods(times.to_list(), rows) if len(rows) else ():
            yield PeriodScore(start, folds, len(chosen), wilson(float(is_right[chosen].sum()), len(chosen)))


def cut_periods(times: Sequence[str], rows: Array) -> Iterator[tuple[str, Array]]:
    """Yield the first day of every period and the places of its rows; periods have the same length.

    The whole span of time is cut, whichever rows are chosen; periods without rows are left out.
    """
    try:
        moments = parse_times(times)
    except AssayError:
        return
    edges = np.linspace(moments.min(), moments.max(), N_PERIODS + 1)
    if not edges[-1] > edges[0]:
        return
    numbers = np.clip(np.searchsorted(edges, moments[rows], side="right") - 1, 0, N_PERIODS - 1)
    for number in range(N_PERIODS):
        places = np.flatnonzero(numbers == number)
        if len(places):
            yield datetime.fromtimestamp(float(edges[number]), UTC).date().isoformat(), places


def assign_folds(folds: Array) -> Assignment:
    """Return fold numbers as folds, or as train and test if only one fold is held out."""
    if folds.max() > 1:
        return FoldAssignment(folds)
    return PartAssignment(np.where(folds > 0, "test", "train").astype(object))


def count_fold_labels(predictions: OutOfFoldPredictions) -> Iterator[FoldLabel]:
    """Count the labels of the held-out items of every fold."""
    for split, folds in predictions.folds.items():
        for fold in sorted(set(folds.tolist()) - {0}):
            counts = np.bincount(predictions.codes[folds == fold], minlength=len(predictions.label_names)).tolist()
            for label, count in zip(predictions.label_names, counts, strict=True):
                if count:
                    yield FoldLabel(split, fold, label, count)


def find_fold_words(predictions: OutOfFoldPredictions, corpus: Corpus) -> Iterator[FoldWord]:
    """Find the words tied to each fold beyond chance, by the test that ties words to labels.

    The parts of the data itself are left out. The clusters come first, random folds last.
    """
    from assay.features import LabelledTexts
    from assay.features.profiling.label_words import find_label_words

    drawn = [split for split in predictions.folds if split != STANDARD]
    for split in sorted(drawn, key=lambda name: (name != CLUSTERS) + (name == RANDOM)):
        numbers = predictions.folds[split]
        is_single = numbers.max() == 1
        folds = ("train", "test") if is_single else tuple(str(fold) for fold in range(1, int(numbers.max()) + 1))
        part = LabelledTexts(predictions.data.texts, corpus, numbers if is_single else numbers - 1, folds)
        words = find_label_words({None: part}, N_WORDS)
        for fold in ("test",) if is_single else folds:
            for row in words.get(fold, []):
                yield FoldWord(split, fold, row.word, row.z)
