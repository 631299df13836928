"""Two ways to test a predictor: the paper's random cut of sub-datasets, and whole families held out.

A random cut puts pieces of one parent on both sides, so a predictor may win by knowing the parent again. Holding
out families asks what a user asks: how well does it do on data it has never seen anything of?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.forecast.evidence import Evidence
from assay.forecast.regressors import fitted
from assay.statistics import spearman

TEST_SHARE = 287 / 987  # of paper 000
PROTOCOLS = ("random", "families")


@dataclass(frozen=True)
class Judged(Result):
    """How well a predictor does: Spearman with interval and p, RMSE, over n sub-datasets."""

    spearman: float
    low: float
    high: float
    p: float
    rmse: float
    n: int
    within: float
    truth: Array = field(repr=False, compare=False)
    predicted: Array = field(repr=False, compare=False)


def folds(evidence: Evidence, protocol: str, random_state: int = 0) -> Iterator[tuple[Array, Array]]:
    """Yield train and test rows: one random cut of 700 : 287, or each family in turn."""
    n = len(evidence)
    if protocol == "random":
        order = np.random.default_rng(random_state).permutation(n)
        n_test = round(TEST_SHARE * n)
        yield np.sort(order[n_test:]), np.sort(order[:n_test])
        return
    for family in np.unique(evidence.families):
        held = evidence.families == family
        yield np.flatnonzero(~held), np.flatnonzero(held)


def predictions(
    evidence: Evidence, name: str, target: str, protocol: str, chosen: str = "light", random_state: int = 0
) -> tuple[Array, Array]:
    """Return the rows that were held out and what a predictor said of them."""
    X, y = evidence.features(chosen), evidence.target(target)
    rows, found = [], []
    for train, test in folds(evidence, protocol, random_state):
        groups = evidence.families[train] if protocol == "families" else None
        rows.append(test)
        found.append(fitted(name, X[train], y[train], groups).predict(X[test]))
    return np.concatenate(rows), np.concatenate(found)


def judged(evidence: Evidence, rows: Array, predicted: Array, target: str, protocol: str) -> Judged:
    """Score predictions; under families the interval resamples families, which are few.

    `within` is the mean over families of Spearman's correlation inside a family.
    """
    truth, families = evidence.target(target)[rows], evidence.families[rows]
    found = spearman(truth, predicted)
    low, high = found.low, found.high
    if protocol == "families":
        low, high = family_interval(truth, predicted, families)
    rmse = float(np.sqrt(np.mean((truth - predicted) ** 2)))
    inside = [_rank_correlation(truth[families == f], predicted[families == f]) for f in np.unique(families)]
    within = float(np.nanmean(inside)) if not np.isnan(inside).all() else float("nan")
    return Judged(found.value, low, high, found.p, rmse, len(rows), within, truth, predicted)


def family_interval(truth: Array, predicted: Array, families: Array, n_resamples: int = 1000) -> tuple[float, float]:
    """Return the 95 % percentile interval of Spearman's correlation over resampled families."""
    names = np.unique(families)
    members = [np.flatnonzero(families == name) for name in names]
    draw = np.random.default_rng(0)
    found = []
    for _ in range(n_resamples):
        rows = np.concatenate([members[number] for number in draw.integers(0, len(names), len(names))])
        found.append(_rank_correlation(truth[rows], predicted[rows]))
    low, high = np.nanpercentile(found, [2.5, 97.5]) if not np.isnan(found).all() else (np.nan, np.nan)
    return float(low), float(high)


def _rank_correlation(x: Array, y: Array) -> float:
    from scipy.stats import rankdata

    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def best_single_feature(evidence: Evidence, target: str, protocol: str, chosen: str = "light") -> tuple[Array, Array]:
    """Return held-out rows and where they lie in the one feature that ranked λ best among the training rows.

    That is the share of training rows below, by the feature's sign: folds may choose features of different units. A
    missing value counts as the feature's median.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    rows, found = [], []
    for train, test in folds(evidence, protocol):
        ranks = [_rank_correlation(X[train, column], y[train]) for column in range(X.shape[1])]
        best = int(np.nanargmax(np.abs(ranks)))
        known, asked = (np.sign(ranks[best]) * X[part, best] for part in (train, test))
        rows.append(test)
        found.append(np.searchsorted(np.sort(known), asked) / len(known))
    return np.concatenate(rows), np.concatenate(found)


def reliability(evidence: Evidence, target: str) -> dict[str, float]:
    """Return the split-half reliability of λ over test items, and the correlations no predictor can pass.

    Spearman's correlation of λ on two halves of the test items, stepped up to the whole (Spearman-Brown); the ceiling
    is its square root. `ceiling_trained` steps up halves that are of different trainings too, where there are two.
    """
    half = _halves(evidence, target, "half")
    whole, trained = (_doubled(found) for found in (half, _halves(evidence, target, "apart")))
    ceiling, ceiling_trained = (float(np.sqrt(max(found, 0.0))) for found in (whole, trained))
    return {"half": half, "whole": whole, "ceiling": ceiling, "ceiling_trained": ceiling_trained}


def _halves(evidence: Evidence, target: str, kind: str) -> float:
    """Return the rank correlation of two halves over the rows that have both."""
    names = [f"{kind}_{target.removeprefix('lambda_')}_{number}" for number in (1, 2)]
    values = np.array([evidence.target(name) for name in names])
    return _rank_correlation(*values[:, ~np.isnan(values).any(axis=0)])


def _doubled(half: float) -> float:
    return 2 * half / (1 + half)
