"""Two ways to test a predictor: the paper's random split of sub-datasets, and whole families held out.

A random split puts pieces of one parent on both sides, so that a predictor may win by recognising the parent. Holding
out families shows what matters to users: how good it is on data unlike any it was trained on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.forecast.evidence import Evidence
from assay.statistics import spearman
from assay.views.results import Result
from benchmarks.studies.forecast.regressors import fit_tuned

TEST_SHARE = 287 / 987  # of Xiao et al. (2022)
RANDOM, FAMILIES = "random", "families"


@dataclass(frozen=True)
class PredictionScore(Result):
    """How good predictions are: Spearman with interval and p, RMSE, over n sub-datasets.

    `within` is the mean over families of Spearman's correlation inside a family.
    """

    spearman: float
    low: float
    high: float
    p: float
    rmse: float
    n: int
    within: float
    truth: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False, metadata={"json": False})
    predicted: Array = field(default_factory=lambda: np.zeros(0), repr=False, compare=False, metadata={"json": False})


@dataclass(frozen=True)
class Reliability(Result):
    """The split-half reliability of λ over test items, and the correlations no predictor can pass.

    `half` is Spearman's correlation of λ on two halves of the test items, `whole` steps it up to all items
    (Spearman–Brown), and `ceiling` is its square root. `ceiling_trained` steps up halves that are of different
    trainings too, if there are two.
    """

    half: float
    whole: float
    ceiling: float
    ceiling_trained: float


def make_folds(evidence: Evidence, protocol: str, random_state: int = 0) -> Iterator[tuple[Array, Array]]:
    """Yield train and test rows: one random split of 700 : 287, or each family in turn."""
    n = len(evidence)
    if protocol == RANDOM:
        order = np.random.default_rng(random_state).permutation(n)
        n_test = round(TEST_SHARE * n)
        yield np.sort(order[n_test:]), np.sort(order[:n_test])
        return
    for family in np.unique(evidence.families):
        is_held_out = evidence.families == family
        yield np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)


def predict_held_out(
    evidence: Evidence, name: str, target: str, protocol: str, chosen: str = "light", random_state: int = 0
) -> tuple[Array, Array]:
    """Return the rows that were held out and what a predictor predicted for them."""
    X, y = evidence.features(chosen), evidence.target(target)
    rows, predicted = [], []
    for train, test in make_folds(evidence, protocol, random_state):
        groups = evidence.families[train] if protocol == FAMILIES else None
        rows.append(test)
        predicted.append(fit_tuned(name, X[train], y[train], groups).predict(X[test]))
    return np.concatenate(rows), np.concatenate(predicted)


def score_predictions(evidence: Evidence, rows: Array, predicted: Array, target: str, protocol: str) -> PredictionScore:
    """Score predictions; under families the interval resamples families, which are few."""
    truth, families = evidence.target(target)[rows], evidence.families[rows]
    correlation = spearman(truth, predicted)
    low, high = correlation.low, correlation.high
    if protocol == FAMILIES:
        low, high = resample_families(truth, predicted, families)
    rmse = float(np.sqrt(np.mean((truth - predicted) ** 2)))
    inside = [_correlate_ranks(truth[families == f], predicted[families == f]) for f in np.unique(families)]
    within = float(np.nanmean(inside)) if not np.isnan(inside).all() else float("nan")
    return PredictionScore(correlation.value, low, high, correlation.p, rmse, len(rows), within, truth, predicted)


def resample_families(truth: Array, predicted: Array, families: Array, n_resamples: int = 1000) -> tuple[float, float]:
    """Return the 95% percentile interval of Spearman's correlation over resampled families."""
    names = np.unique(families)
    members = [np.flatnonzero(families == name) for name in names]
    rng = np.random.default_rng(0)
    values = []
    for _ in range(n_resamples):
        rows = np.concatenate([members[number] for number in rng.integers(0, len(names), len(names))])
        values.append(_correlate_ranks(truth[rows], predicted[rows]))
    low, high = np.nanpercentile(values, [2.5, 97.5]) if not np.isnan(values).all() else (np.nan, np.nan)
    return float(low), float(high)


def predict_by_best_feature(
    evidence: Evidence, target: str, protocol: str, chosen: str = "light"
) -> tuple[Array, Array]:
    """Return held-out rows and their rank in the one feature that ranked λ best among the training rows.

    The rank is the share of training rows below, by the feature's sign, since folds may choose features of different
    units. A missing value counts as the feature's median.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    rows, ranks = [], []
    for train, test in make_folds(evidence, protocol):
        correlations = [_correlate_ranks(X[train, column], y[train]) for column in range(X.shape[1])]
        best = int(np.nanargmax(np.abs(correlations)))
        known, others = (np.sign(correlations[best]) * X[part, best] for part in (train, test))
        rows.append(test)
        ranks.append(np.searchsorted(np.sort(known), others) / len(known))
    return np.concatenate(rows), np.concatenate(ranks)


def measure_reliability(evidence: Evidence, target: str) -> Reliability:
    """Measure the reliability of λ from its values on halves of the test items."""
    half = _correlate_halves(evidence, target, "half")
    whole, trained = (_step_up(value) for value in (half, _correlate_halves(evidence, target, "apart")))
    ceiling, ceiling_trained = (float(np.sqrt(max(value, 0.0))) for value in (whole, trained))
    return Reliability(half, whole, ceiling, ceiling_trained)


def _correlate_ranks(x: Array, y: Array) -> float:
    from scipy.stats import rankdata

    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def _correlate_halves(evidence: Evidence, target: str, kind: str) -> float:
    """Return the rank correlation of two halves over the rows that have both."""
    names = [f"{kind}_{target.removeprefix('lambda_')}_{number}" for number in (1, 2)]
    values = np.array([evidence.target(name) for name in names])
    return _correlate_ranks(*values[:, ~np.isnan(values).any(axis=0)])


def _step_up(half: float) -> float:
    return 2 * half / (1 + half)
