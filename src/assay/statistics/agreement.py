"""Agreement beyond chance: Cohen's kappa of two raters and Fleiss' kappa of several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array, Values
from assay.base.errors import UsageError, unknown_name
from assay.statistics.interval import normal_quantile
from assay.statistics.proportions import effective_wilson
from assay.views.values import Interval

_DIAGONAL_SHRINKAGE = 1e-3
_N_FITTING_STEPS = 30
_NEGLIGIBLE = 1e-12


def cohen_kappa(
    first: Values,
    second: Values,
    confidence: float = 0.95,
    method: Literal["score", "fleiss"] = "score",
    clusters: object = None,
) -> Interval:
    """Return Cohen's kappa of two raters of the same items: agreement beyond what their label shares give by chance.

    `fleiss` is the large-sample interval kappa ± z·error (Fleiss, Cohen and Everitt 1969). `score` takes the error of
    the same formula at each hypothetical kappa instead of the estimated one, as Wilson's interval of a proportion does,
    so it also holds for rare labels and for kappa near 1. With `clusters`, ratings of one cluster may depend on each
    other (one item shown twice). Undefined (nan) if both raters use one and the same label.

    >>> interval = cohen_kappa(list("aaaabbbb"), list("aaabbbbb"))
    >>> round(interval.value, 2), round(interval.low, 2), round(interval.high, 2)
    (0.75, 0.08, 0.96)
    """
    if method not in ("score", "fleiss"):
        raise unknown_name("interval of kappa", method, ("score", "fleiss"))
    z = normal_quantile(confidence)
    table, n = _cross_tabulate(first, second)
    value = _kappa(table)
    if n < 2 or math.isnan(value):
        return Interval(math.nan, math.nan, math.nan, confidence, method)
    if clusters is not None and len(np.unique(np.asarray(clusters))) < n:
        return _clustered_kappa(first, second, clusters, value, confidence)
    if method == "fleiss":
        half = z * _kappa_error(table, n)
        return Interval(value, value - half, value + half, confidence, method)
    low = _score_end(table, _least_agreement(table), n, z)
    high = _score_end(table, np.diag((table.sum(axis=1) + table.sum(axis=0)) / 2), n, z)
    return Interval(value, min(value, low), max(value, high), confidence, method)


def fleiss_kappa(ratings: Sequence[Values], confidence: float = 0.95) -> Interval:
    """Return Fleiss' kappa of a table with one row per item and one column per rater; None is a missing rating.

    Items with fewer than two ratings are left out. If numbers of ratings differ, each item gives the share of its
    own pairs of ratings that agree, and labels count by their share of all ratings. The interval is over items.
    Undefined (nan) if all ratings are alike.

    >>> round(fleiss_kappa([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]]).value, 4)
    0.3333
    """
    counts = count_ratings(ratings)
    statistics = fleiss_statistics(counts[counts.sum(axis=1) >= 2])
    n_items = len(statistics)
    value = float(fleiss_kappas(np.ones((1, n_items)), statistics)[0])
    if math.isnan(value) or n_items < 2:
        return Interval(value, math.nan, math.nan, confidence, "fleiss-kappa")
    agreement, labels = statistics[:, 0], statistics[:, 1:]
    shares = labels.sum(axis=0) / labels.sum()
    disagreement = 1 - float((shares**2).sum())  # expected by chance
    # How much each item moves kappa: through its own agreement, and through the shares of the labels.
    chance = 2 * (labels - labels.sum(axis=1, keepdims=True) * shares) @ shares / labels.sum(axis=1).mean()
    influence = agreement - agreement.mean() - (1 - value) * chance
    error = math.sqrt(float((influence**2).sum()) / (n_items * (n_items - 1)))
    observed = effective_wilson(float(agreement.mean()), error, n_items, confidence)
    low, high = (1 - (1 - end) / disagreement for end in (observed.low, observed.high))
    return Interval(value, low, high, confidence, "fleiss-kappa")


def count_ratings(ratings: Sequence[Values]) -> Array:
    """Return an items × labels table: how many raters gave each label; labels are sorted, None is left out.

    >>> count_ratings([["b", "a"], ["b", None]]).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    names = sorted({str(rating) for row in ratings for rating in row if rating is not None})
    columns = {name: number for number, name in enumerate(names)}
    counts = np.zeros((len(ratings), len(names)))
    for number, row in enumerate(ratings):
        for rating in row:
            if rating is not None:
                counts[number, columns[str(rating)]] += 1
    return counts


def fleiss_statistics(counts: Array) -> Array:
    """Return what Fleiss' kappa needs of each item: the share of its pairs that agree, then its ratings per label.

    >>> fleiss_statistics(np.array([[2.0, 1.0]])).round(3).tolist()
    [[0.333, 2.0, 1.0]]
    """
    n = counts.sum(axis=1)
    agreement = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    return np.column_stack([agreement, counts])


def fleiss_kappas(weights: Array, statistics: Array) -> Array:
    """Return Fleiss' kappa for each row of item weights; nan without items or with one label only."""
    totals, n_items = weights @ statistics, weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = totals[:, 0] / n_items
        shares = totals[:, 1:] / totals[:, 1:].sum(axis=1, keepdims=True)
        expected = (shares**2).sum(axis=1)
        return np.where(expected < 1 - _NEGLIGIBLE, (observed - expected) / (1 - expected), np.nan)


def _cross_tabulate(first: Values, second: Values) -> tuple[Array, int]:
    """Return the shares of items by the label of each rater, and the number of items."""
    if len(first) != len(second):
        raise UsageError(f"Both raters must rate the same items; there are {len(first)} and {len(second)} labels.")
    left, right, n_labels = _number_labels(first, second)
    table = np.bincount(left * n_labels + right, minlength=n_labels**2).reshape(n_labels, n_labels)
    return table / max(len(first), 1), len(first)


def _number_labels(first: Values, second: ArrayLike) -> tuple[Array, Array, int]:
    """Number the labels of both raters in the order of their names."""
    sides = [np.asarray(labels) for labels in (first, second)]
    if any(side.dtype.kind not in "iu" for side in sides):
        sides = [np.array([str(label) for label in side.tolist()], dtype=str) for side in sides]
    names, codes = np.unique(np.concatenate(sides), return_inverse=True)
    return codes[: len(first)], codes[len(first) :], len(names)


def _kappa(table: Array) -> float:
    observed, chance = float(np.trace(table)), float(table.sum(axis=1) @ table.sum(axis=0))
    return (observed - chance) / (1 - chance) if chance < 1 else math.nan


def _kappa_error(table: Array, n: int) -> float:
    """Return the large-sample standard error of kappa (Fleiss, Cohen and Everitt 1969)."""
    rows, columns, diagonal = table.sum(axis=1), table.sum(axis=0), np.diag(table)
    observed, chance = float(diagonal.sum()), float(rows @ columns)
    if chance >= 1:
        return 0.0
    both = rows + columns
    agreeing = float(diagonal @ ((1 - chance) - both * (1 - observed)) ** 2)
    squares = (columns[:, None] + rows[None, :]) ** 2
    disagreeing = (1 - observed) ** 2 * (float((table * squares).sum()) - float(diagonal @ both**2))
    variance = agreeing + disagreeing - (observed * chance - 2 * chance + observed) ** 2
    return math.sqrt(max(variance, 0.0) / n) / (1 - chance) ** 2


def _clustered_kappa(first: Values, second: Values, clusters: object, value: float, confidence: float) -> Interval:
    """Return kappa with the interval of a linearised estimate whose errors are summed within clusters."""
    left, right, n_labels = _number_labels(first, second)
    rows, columns = (np.bincount(side, minlength=n_labels) / len(left) for side in (left, right))
    chance = float(rows @ columns)
    agreement = (left == right).astype(float)
    influence = agreement - agreement.mean() - (1 - value) * (columns[left] + rows[right] - 2 * chance)
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(groups, influence)
    n_clusters = len(sums)
    error = math.sqrt(float((sums**2).sum()) * n_clusters / max(n_clusters - 1, 1)) / len(left)
    observed = effective_wilson(float(agreement.mean()), error, n_clusters, confidence)
    low, high = ((end - chance) / (1 - chance) for end in (observed.low, observed.high))
    return Interval(value, low, high, confidence, "clustered")


def _score_end(table: Array, extreme: Array, n: int, z: float) -> float:
    """Return the kappa, on the way from a table to an extreme one, that lies z of its own errors from the table's."""
    from scipy.optimize import brentq

    value = _kappa(table)

    def excess(step: float) -> float:
        mixed = (1 - step) * table + step * extreme
        return abs(_kappa(mixed) - value) - z * _kappa_error(mixed, n)

    step = brentq(excess, _NEGLIGIBLE, 1.0, xtol=1e-12) if excess(_NEGLIGIBLE) < 0 < excess(1.0) else 1.0
    return _kappa((1 - step) * table + step * extreme)


def _least_agreement(table: Array) -> Array:
    """Return a table of the same label shares whose raters agree about as little as these allow."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return (_fit_off_diagonal(rows, columns) + _fit_off_diagonal(columns, rows).T) / 2  # the same for either order


def _fit_off_diagonal(rows: Array, columns: Array) -> Array:
    """Fit a table with almost nothing on its diagonal to label shares (iterative proportional fitting)."""
    fitted = np.outer(rows, columns)
    fitted[np.diag_indices_from(fitted)] *= _DIAGONAL_SHRINKAGE
    for _ in range(_N_FITTING_STEPS):
        fitted *= (rows / np.maximum(fitted.sum(axis=1), _NEGLIGIBLE))[:, None]
        fitted *= columns / np.maximum(fitted.sum(axis=0), _NEGLIGIBLE)
    return np.asarray(fitted)
