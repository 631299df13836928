"""Differences between training and test items in length and in labels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.data.columns.spellings import unify_spellings
from assay.statistics import Interval, mann_whitney
from assay.text import Corpus
from assay.views.results import Result

CHI_SQUARE, FISHER = "chi-square", "fisher"  # the tests of labels
LEVEL = 0.01  # of the tests of single labels of label sets


@dataclass(frozen=True)
class LengthDrift(Result):
    """P(a test text has more words than a training text), ties counted half, with interval and p-value.

    The interval is by Hanley and McNeil, the p-value from the test of Mann and Whitney.
    """

    longer: Interval
    p: float
    mean_train: float
    mean_test: float
    n_train: int
    n_test: int
    parts: tuple[str, str] = field(default=("train", "test"), metadata=NAME)


@dataclass(frozen=True)
class LabelShift(Result):
    """The share of a label among training and among test items."""

    label: str = field(metadata=NAME)
    train: float
    test: float


@dataclass(frozen=True)
class LabelDrift(Result):
    """The total variation distance of the labels of train and test, and the p-value of the chi-square test.

    `most` is the label whose share differs most. If items can have several labels, `test` is Fisher's exact test, and
    `distance` and `p` belong to `most`.
    """

    distance: float
    p: float
    n_train: int
    n_test: int
    most: LabelShift
    test: str = field(default=CHI_SQUARE, metadata=OWN)
    parts: tuple[str, str] = field(default=("train", "test"), metadata=NAME)


@dataclass(frozen=True)
class GradeDrift(Result):
    """How the grades of train and test differ: the Kolmogorov–Smirnov distance with its p-value, and the means.

    `shift` is the Wasserstein distance: how far a grade of one part must move on average to match the other.
    """

    distance: float
    p: float
    shift: float
    mean_train: float
    mean_test: float
    n_train: int
    n_test: int
    parts: tuple[str, str] = field(default=("train", "test"), metadata=NAME)


def length_drift(
    train: Sequence[str] | Corpus, test: Sequence[str] | Corpus, parts: tuple[str, str] = ("train", "test")
) -> LengthDrift | None:
    """Compare the numbers of words of training and test texts; None with fewer than two texts on one side.

    >>> round(length_drift(["one two", "one", "one"], ["one two three", "one two"]).longer.value, 3)
    0.917
    """
    lengths = [np.asarray(_to_corpus(texts).lengths, dtype=float) for texts in (train, test)]
    if min(map(len, lengths)) < 2:
        return None
    compared = mann_whitney(lengths[1], lengths[0])
    return LengthDrift(
        longer=Interval(compared.value, compared.low, compared.high, method="hanley-mcneil"),
        p=compared.p,
        mean_train=float(lengths[0].mean()),
        mean_test=float(lengths[1].mean()),
        n_train=len(lengths[0]),
        n_test=len(lengths[1]),
        parts=parts,
    )


def label_drift(
    train: Iterable[object], test: Iterable[object], parts: tuple[str, str] = ("train", "test")
) -> LabelDrift | None:
    """Compare the labels of training and test items; None is a missing label.

    Numbers are compared by value. The result is None if there are fewer than two labels, or none on one side.

    >>> drift = label_drift(["a", "a", "a", "b"], ["a", "b", "b", "b"])
    >>> drift.distance, drift.most.label
    (0.5, 'a')
    """
    from scipy.stats import chi2_contingency

    counters = _count_labels(train, test)
    names = sorted({*counters[0], *counters[1]})
    if len(names) < 2 or not counters[0] or not counters[1]:
        return None
    counts = np.array([[counter[name] for name in names] for counter in counters], dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    differences = np.abs(shares[0] - shares[1])
    largest = int(differences.argmax())
    return LabelDrift(
        distance=float(differences.sum() / 2),
        p=float(chi2_contingency(counts).pvalue),
        n_train=int(counts[0].sum()),
        n_test=int(counts[1].sum()),
        most=LabelShift(names[largest], float(shares[0, largest]), float(shares[1, largest])),
        parts=parts,
    )


def label_set_drift(
    train: Sequence[Collection[str]], test: Sequence[Collection[str]], parts: tuple[str, str] = ("train", "test")
) -> LabelDrift | None:
    """Compare how many training and test items have each label if an item can have several.

    `most` is the label whose share differs most among those that differ beyond chance (Fisher's exact test, corrected
    for the number of labels), or among all if none does; `p` and `distance` are its own. None without items or
    labels on one side.

    >>> drift = label_set_drift([["a"], ["a", "b"]] * 10, [["b"], ["b", "c"]] * 10)
    >>> drift.most.label, drift.distance
    ('a', 1.0)
    """
    from scipy.stats import fisher_exact

    counters = [Counter(label for labels in side for label in set(labels)) for side in (train, test)]
    names = sorted({*counters[0], *counters[1]})
    n_train, n_test = len(train), len(test)
    if not names or not n_train or not n_test:
        return None
    rows = []
    for name in names:
        known, tested = counters[0][name], counters[1][name]
        p = min(1.0, float(fisher_exact([[known, n_train - known], [tested, n_test - tested]])[1]) * len(names))
        rows.append((p < LEVEL, abs(known / n_train - tested / n_test), p, name))
    _, distance, p, name = max(rows, key=lambda row: (row[0], row[1]))
    most = LabelShift(name, counters[0][name] / n_train, counters[1][name] / n_test)
    return LabelDrift(distance=distance, p=p, n_train=n_train, n_test=n_test, most=most, test=FISHER, parts=parts)


def _count_labels(*sides: Iterable[object]) -> list[Counter[str]]:
    """Count the labels of each side; a number that is written in several ways is one label."""
    counters = [Counter(str(label) for label in labels if label is not None) for labels in sides]
    unified = unify_spellings(sorted({label for counter in counters for label in counter}))
    merged = []
    for counter in counters:
        merged.append(Counter[str]())
        for label, count in counter.items():
            merged[-1][unified.get(label, label)] += count
    return merged


def grade_drift(
    train: Iterable[object], test: Iterable[object], parts: tuple[str, str] = ("train", "test")
) -> GradeDrift | None:
    """Compare the grades of training and test items as numbers; a grade that is not a number is missing.

    The result is None with fewer than two grades on one side.

    >>> drift = grade_drift([1, 2, 3, "4.0"], [3, 4, 5, "6"])
    >>> drift.distance, drift.shift
    (0.5, 2.0)
    """
    from scipy.stats import ks_2samp, wasserstein_distance

    sides = [_to_grades(labels) for labels in (train, test)]
    if min(map(len, sides)) < 2:
        return None
    compared = ks_2samp(*sides)
    return GradeDrift(
        distance=float(compared.statistic),
        p=float(compared.pvalue),
        shift=float(wasserstein_distance(*sides)),
        mean_train=float(sides[0].mean()),
        mean_test=float(sides[1].mean()),
        n_train=len(sides[0]),
        n_test=len(sides[1]),
        parts=parts,
    )


def _to_grades(labels: Iterable[Any]) -> Array:
    numbers = []
    for label in labels:
        try:
            numbers.append(float(label) if label is not None else math.nan)
        except ValueError:
            numbers.append(math.nan)
    grades = np.array(numbers, dtype=float)
    return grades[np.isfinite(grades)]


def _to_corpus(texts: Sequence[str] | Corpus) -> Corpus:
    return texts if isinstance(texts, Corpus) else Corpus.from_texts(texts)
