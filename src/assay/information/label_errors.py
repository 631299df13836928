"""Labels that are probably wrong, by confident learning on the probabilities of a model trained without them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.base.results import Result
from assay.statistics import Interval, wilson

TRUSTED_ACCURACY = 0.85  # labels are doubted only among the confident predictions that are right so often
MIN_AGREEMENT = 0.1  # agreement beyond chance that a model needs, with 95 % confidence, to doubt any label
CONFIDENT_SHARES = (0.05, 0.1, 0.2, 0.4)
MIN_CONFIDENT_ITEMS = 20

_HIDDEN = {"json": False, **OWN}


def _empty() -> Array:
    return np.zeros(0, np.int64)


@dataclass(frozen=True)
class LabelErrors(Result):
    """Suspected label errors: their share of all items, and what they rest on.

    Of `n` items the model is trusted on `n_trusted`. `random_errors` bounds the share of labels that are wrong at
    random, `agreement` is that of the model with the labels beyond chance. `rows` are the suspected items, the most
    doubtful first; `suggested` holds for every item the number of the label it more probably has, -1 where its own is
    not suspected; `doubt` by how much the model prefers another label to its own.
    """

    share: Interval
    count: int
    n: int
    n_trusted: int
    random_errors: Interval
    agreement: Interval
    rows: Array = field(default_factory=lambda: np.zeros(0, np.int64), repr=False, compare=False, metadata=_HIDDEN)
    suggested: Array = field(default_factory=lambda: np.zeros(0, np.int64), repr=False, compare=False, metadata=_HIDDEN)
    doubt: Array = field(default_factory=_empty, repr=False, compare=False, metadata=_HIDDEN)


def find_label_errors(probabilities: Array, codes: Array, agreement: Interval) -> LabelErrors:
    """Find labels that are probably wrong, from probabilities of models that did not learn from the item.

    `probabilities` has one row per item and one column per label, `codes` are the label numbers, and `agreement` is
    the chance-corrected agreement (Cohen's kappa) of the most probable labels with `codes`. Of the suspected labels
    the most doubtful are kept, as many as the bound on labels wrong at random allows.
    """
    is_trusted = mark_trusted(probabilities, codes) & (agreement.low > MIN_AGREEMENT)
    likelier, doubt = suggest_labels(probabilities, codes), measure_doubt(probabilities, codes)
    random_errors = bound_random_errors(probabilities, codes)
    rows = np.flatnonzero(is_trusted & (likelier >= 0))
    rows = rows[np.argsort(-doubt[rows], kind="stable")][: int(random_errors.high * len(codes))]
    suggested = np.full(len(codes), -1)
    suggested[rows] = likelier[rows]
    share = wilson(len(rows), len(codes))
    n_trusted = int(is_trusted.sum())
    return LabelErrors(share, len(rows), len(codes), n_trusted, random_errors, agreement, rows, suggested, doubt)


def suggest_labels(probabilities: Array, codes: Array) -> Array:
    """Return the label that each item more probably has, or -1 where its own is not doubted (confident learning).

    A label j is confident where its probability reaches the mean that items labelled j get for it; an item is doubted
    when its most probable confident label is another than its own, and its own is not confident.

    >>> table = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.05, 0.95], [0.02, 0.98]])
    >>> suggest_labels(table, np.array([0, 0, 1, 1, 0])).tolist()
    [-1, -1, -1, -1, 1]
    """
    labels = np.unique(codes)
    thresholds = np.full(probabilities.shape[1], np.inf)
    thresholds[labels] = [probabilities[codes == label, label].mean() for label in labels]
    is_confident = probabilities >= thresholds
    best = np.where(is_confident, probabilities, -1.0).argmax(axis=1)
    own = is_confident[np.arange(len(codes)), codes]
    is_doubted = is_confident.any(axis=1) & (best != codes) & ~own
    return np.where(is_doubted, best, -1)


def measure_doubt(probabilities: Array, codes: Array) -> Array:
    """Return by how much the model prefers another label to the item's own, from -1 to 1.

    >>> measure_doubt(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 0])).round(2).tolist()
    [-0.8, 0.6]
    """
    rows = np.arange(len(codes))
    others = probabilities.copy()
    others[rows, codes] = -1.0
    return np.asarray(others.max(axis=1) - probabilities[rows, codes])


def mark_trusted(probabilities: Array, codes: Array) -> Array:
    """Mark the items on which the model is so confident that it is right 85 times in 100.

    The doubts of a weak model would only show its own errors.

    >>> table = np.array([[0.9, 0.1], [0.8, 0.2], [0.55, 0.45], [0.51, 0.49]])
    >>> mark_trusted(table, np.array([0, 0, 1, 1])).tolist()
    [True, True, False, False]
    """
    confidence, is_right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    order = np.argsort(-confidence, kind="stable")
    accuracy = np.cumsum(is_right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(accuracy >= TRUSTED_ACCURACY)
    threshold = confidence[order[good[-1]]] if len(good) else np.inf
    return np.asarray(confidence >= threshold)


def bound_random_errors(probabilities: Array, codes: Array) -> Interval:
    """Return the share of labels that differ where the model is most confident; `high` bounds random label errors.

    Of the most confident 5, 10, 20 and 40 % of the items, the share with the lowest upper end, and the lowest lower
    end of all: the model's own errors fade with confidence, random label errors do not. Wilson, Bonferroni over four.
    """
    order = np.argsort(-probabilities.max(axis=1), kind="stable")
    is_wrong = (probabilities.argmax(axis=1) != codes)[order]
    sizes = [round(share * len(is_wrong)) for share in CONFIDENT_SHARES if share * len(is_wrong) >= MIN_CONFIDENT_ITEMS]
    sizes = sizes or [len(is_wrong)]
    intervals = [wilson(int(is_wrong[:n].sum()), n, 1 - 0.05 / len(sizes)) for n in sizes]
    best = min(intervals, key=lambda interval: interval.high)
    low = min(interval.low for interval in intervals)
    return Interval(best.value, low, best.high, method="wilson-bonferroni")
