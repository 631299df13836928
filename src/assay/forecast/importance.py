"""Which features a predictor of λ rests on: split counts as in paper 000, and what shuffling costs on new families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.results import Result
from assay.forecast.describing import SETS
from assay.forecast.evidence import Evidence
from assay.forecast.protocols import folds
from assay.forecast.regressors import trained


@dataclass(frozen=True)
class Importance(Result):
    """One feature: how often trees split on it, and the rise of the error of log(1 + λ) when it is shuffled."""

    feature: str
    splits: int
    permutation: float


def importance(evidence: Evidence, target: str, chosen: str = "light", n_repeats: int = 5) -> list[Importance]:
    """Measure LightGBM's features, the most needed first.

    Splits are counted in one model of all rows (paper 000, Figure 3). Permutation importance is the rise in mean
    squared error on families the model did not see, a feature being shuffled within the family.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    whole = trained("lightgbm", X, y, {}, log=True)
    splits = whole.model.booster_.feature_importance("split")
    rises = np.zeros((X.shape[1], 2))
    draw = np.random.default_rng(0)
    for train, test in folds(evidence, "families"):
        model = trained("lightgbm", X[train], y[train], {}, log=True).model
        rises += [_rise(model, X[test], np.log1p(y[test]), column, draw, n_repeats) for column in range(X.shape[1])]
    values = rises[:, 0] / rises[:, 1]
    found = [
        Importance(name, int(count), float(value))
        for name, count, value in zip(SETS[chosen], splits, values, strict=True)
    ]
    return sorted(found, key=lambda one: -one.permutation)


def _rise(model: Any, X: Array, y: Array, column: int, draw: np.random.Generator, n_repeats: int) -> list[float]:
    """Return the summed rise of the squared error, and the number of rows."""
    before = ((model.predict(X) - y) ** 2).sum()
    shuffled = np.tile(X, (n_repeats, 1))
    shuffled[:, column] = np.concatenate([draw.permutation(X[:, column]) for _ in range(n_repeats)])
    after = ((model.predict(shuffled) - np.tile(y, n_repeats)) ** 2).sum() / n_repeats
    return [after - before, len(y)]
