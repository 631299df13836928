"""How much of a score some cues explain: a model that sees only them, next to the full model."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.information.cues.features import CueFeatures
from assay.information.cues.places import PlacedWord, find_place, split_place
from assay.statistics import Interval
from assay.views.results import Result

N_RESAMPLES = 1000


@dataclass(frozen=True)
class CueEffect(Result):
    """The held-out accuracy of a model that sees only some cues, of the most frequent label, and of the full model.

    `gain` is the gain of the cues over the most frequent label, `share` the part of the full model's gain that it is (nan
    if the full model gains nothing). Intervals are bootstrapped over items.
    """

    accuracy: float
    majority: float
    full: float
    gain: Interval
    share: Interval
    n_items: int


def measure_cue_effect(
    features: CueFeatures, cues: Collection[PlacedWord], codes: Array, folds: Array, full: Array, random_state: int = 0
) -> CueEffect:
    """Cross-validate a logistic regression that sees only whether words are at their places.

    `folds` numbers the held-out fold of each item, `full` tells which items the full model got right when its fold was
    held out.
    """
    from sklearn.linear_model import LogisticRegression

    matrix = _select_columns(features, cues)
    by_cues, by_majority = np.zeros(len(codes)), np.zeros(len(codes))
    for fold in np.unique(folds):
        test, train = folds == fold, folds != fold
        majority = np.bincount(codes[train]).argmax()
        by_majority[test] = codes[test] == majority
        predicted = np.full(int(test.sum()), majority)
        if matrix.shape[1] and len(np.unique(codes[train])) > 1:
            model = LogisticRegression(max_iter=200).fit(matrix[train], codes[train])
            predicted = model.predict(matrix[test])
        by_cues[test] = codes[test] == predicted
    return compare_gains(by_cues, by_majority, np.asarray(full, dtype=float), random_state)


def compare_gains(by_cues: Array, by_majority: Array, full: Array, random_state: int = 0) -> CueEffect:
    """Compare what cues and the full model gain over the most frequent label; arrays hold 1 if an item is right.

    >>> effect = compare_gains(np.array([1.0, 1, 1, 0]), np.array([1.0, 1, 0, 0]), np.ones(4))
    >>> effect.gain.value, effect.share.value
    (0.25, 0.5)
    """
    n = len(full)
    rng = np.random.default_rng(random_state)
    scores = np.column_stack([by_cues, by_majority, full])
    # Items with the same three scores are drawn together: there are at most eight kinds of them.
    kinds, counts = np.unique(scores, axis=0, return_counts=True)
    weights = rng.multinomial(n, counts / n, size=N_RESAMPLES) / n
    means, draws = scores.mean(axis=0), weights @ kinds
    gain, gains = means[0] - means[1], draws[:, 0] - draws[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(draws[:, 2] > draws[:, 1], gains / (draws[:, 2] - draws[:, 1]), np.nan)
    share = float(gain / (means[2] - means[1])) if means[2] > means[1] else float("nan")
    return CueEffect(
        accuracy=float(means[0]),
        majority=float(means[1]),
        full=float(means[2]),
        gain=_bound(float(gain), gains),
        share=_bound(share, shares[np.isfinite(shares)]),
        n_items=n,
    )


def _bound(value: float, draws: Array) -> Interval:
    low, high = np.percentile(draws, [2.5, 97.5]).tolist() if len(draws) else (float("nan"), float("nan"))
    return Interval(value, low, high, method="bootstrap")


def _select_columns(features: CueFeatures, cues: Collection[PlacedWord]) -> sparse.csr_array:
    """Return which items have which words at their places."""
    wanted = {(word, place) for word, where in cues for place in split_place(where)}
    columns = []
    for table in features.tables:
        place = find_place(table.kind)
        columns.append(table.matrix[:, [(word, place) in wanted for word in table.words]])
    return sparse.csr_array(sparse.hstack(columns))
