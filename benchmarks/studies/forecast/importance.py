"""Which features a predictor of λ rests on: split counts as in Xiao et al. (2022), and permutation importance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.forecast.evidence import Evidence
from assay.forecast.features import FEATURE_SETS
from assay.views.results import Result
from benchmarks.studies.forecast.protocols import FAMILIES, make_folds
from benchmarks.studies.forecast.regressors import fit_with_settings


@dataclass(frozen=True)
class Importance(Result):
    """One feature: how often trees split on it, and the rise of the error of log(1 + λ) when it is shuffled."""

    feature: str = field(metadata=OWN)
    splits: int
    permutation: float


def measure_importance(evidence: Evidence, target: str, chosen: str = "light", n_repeats: int = 5) -> list[Importance]:
    """Measure the features of LightGBM, the most important first.

    Splits are counted in one model of all rows (Xiao et al. 2022, Figure 3). Permutation importance is the rise in mean
    squared error on families that are not in training, a feature being shuffled within the family.
    """
    X, y = evidence.features(chosen), evidence.target(target)
    whole = fit_with_settings("lightgbm", X, y, {}, log=True)
    splits = whole.model.booster_.feature_importance("split")
    rises = np.zeros((X.shape[1], 2))
    rng = np.random.default_rng(0)
    for train, test in make_folds(evidence, FAMILIES):
        model = fit_with_settings("lightgbm", X[train], y[train], {}, log=True).model
        logs = np.log1p(y[test])
        rises += [_measure_rise(model, X[test], logs, column, rng, n_repeats) for column in range(X.shape[1])]
    values = rises[:, 0] / rises[:, 1]
    rows = zip(FEATURE_SETS[chosen], splits, values, strict=True)
    features = [Importance(name, int(count), float(value)) for name, count, value in rows]
    return sorted(features, key=lambda feature: -feature.permutation)


def _measure_rise(model: Any, X: Array, y: Array, column: int, rng: np.random.Generator, n_repeats: int) -> list[float]:
    """Return the summed rise of the squared error, and the number of rows."""
    before = ((model.predict(X) - y) ** 2).sum()
    shuffled = np.tile(X, (n_repeats, 1))
    shuffled[:, column] = np.concatenate([rng.permutation(X[:, column]) for _ in range(n_repeats)])
    after = ((model.predict(shuffled) - np.tile(y, n_repeats)) ** 2).sum() / n_repeats
    return [after - before, len(y)]
