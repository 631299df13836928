"""Predictors of λ: those of Xiao et al. (2022), a linear one and the mean, each tuned on the data it is fitted to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry

Grid = dict[str, list[Any]]
MAX_LOG = 12.0

REGRESSORS: Registry[Callable[[], tuple[Any, Grid]]] = Registry("predictor")


@REGRESSORS.add("knn")
def make_knn() -> tuple[Any, Grid]:
    """Nearest neighbours on standardised features."""
    from sklearn.neighbors import KNeighborsRegressor

    return _standardise(KNeighborsRegressor()), {"n_neighbors": [5, 10, 20], "weights": ["distance"]}


@REGRESSORS.add("lightgbm")
def make_lightgbm() -> tuple[Any, Grid]:
    """LightGBM's boosted trees with random thresholds; missing features stay missing."""
    import lightgbm

    model = lightgbm.LGBMRegressor(
        n_estimators=400, learning_rate=0.05, num_leaves=15, min_child_samples=10, extra_trees=True, reg_lambda=5.0,
        subsample=0.8, subsample_freq=1, colsample_bytree=0.5, random_state=0, n_jobs=1, verbose=-1,
        deterministic=True, force_col_wise=True,
    )  # fmt: skip
    return model, {}


@REGRESSORS.add("tree")
def make_tree() -> tuple[Any, Grid]:
    """One decision tree."""
    from sklearn.tree import DecisionTreeRegressor

    return _fill_missing(DecisionTreeRegressor(random_state=0)), {"min_samples_leaf": [5, 10, 20]}


@REGRESSORS.add("svm")
def make_svm() -> tuple[Any, Grid]:
    """A support vector machine with a radial kernel on standardised features."""
    from sklearn.svm import SVR

    return _standardise(SVR()), {"C": [1.0, 10.0], "gamma": [0.01]}


@REGRESSORS.add("extra-trees")
def make_extra_trees() -> tuple[Any, Grid]:
    """The average of many trees with random thresholds."""
    from sklearn.ensemble import ExtraTreesRegressor

    model = ExtraTreesRegressor(100, min_samples_leaf=3, max_features=0.5, random_state=0)
    return _fill_missing(model), {}


@REGRESSORS.add("linear")
def make_linear() -> tuple[Any, Grid]:
    """Ridge regression on standardised features."""
    from sklearn.linear_model import Ridge

    return _standardise(Ridge()), {"alpha": [10.0, 100.0, 1000.0]}


@REGRESSORS.add("mean")
def make_mean() -> tuple[Any, Grid]:
    """The mean of the training rows, whatever the features."""
    from sklearn.dummy import DummyRegressor

    return DummyRegressor(), {}


@dataclass(frozen=True)
class FittedRegressor:
    """A fitted predictor, on λ or on log(1 + λ)."""

    model: Any = field(repr=False)
    log: bool
    settings: dict[str, Any]

    def predict(self, X: Array) -> Array:
        """Return λ, never below 0."""
        predicted = np.asarray(self.model.predict(X), dtype=np.float64)
        return np.maximum(np.expm1(np.minimum(predicted, MAX_LOG)) if self.log else predicted, 0.0)


def fit_tuned(name: str, X: Array, y: Array, groups: Array | None = None) -> FittedRegressor:
    """Fit a predictor; its settings, and whether it predicts λ or log(1 + λ), are tuned by cross-validation.

    With groups, no group is on both sides of a tuning fold. Spearman's correlation decides. Ensembles of trees, which
    need no tuning and take long, predict log(1 + λ); the mean predicts λ.
    """
    from sklearn.model_selection import ParameterGrid

    grid = REGRESSORS[name]()[1]
    if not grid:
        return fit_with_settings(name, X, y, {}, log=name != "mean")
    candidates = [(settings, log) for settings in ParameterGrid(grid) for log in (False, True)]
    scores = [_cross_validate(name, X, y, groups, settings, log) for settings, log in candidates]
    settings, log = candidates[int(np.argmax(scores))]
    return fit_with_settings(name, X, y, settings, log=log)


def fit_with_settings(name: str, X: Array, y: Array, settings: dict[str, Any], *, log: bool) -> FittedRegressor:
    """Fit a predictor with fixed settings."""
    model = REGRESSORS[name]()[0]
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    last.set_params(**settings)
    return FittedRegressor(model.fit(X, np.log1p(y) if log else y), log, settings)


def _cross_validate(name: str, X: Array, y: Array, groups: Array | None, settings: dict[str, Any], log: bool) -> float:
    from scipy.stats import spearmanr
    from sklearn.model_selection import GroupKFold, KFold

    folds = KFold(3, shuffle=True, random_state=0) if groups is None else GroupKFold(min(3, len(np.unique(groups))))
    predicted = np.zeros(len(y))
    for train, test in folds.split(X, y, groups):
        predicted[test] = fit_with_settings(name, X[train], y[train], settings, log=log).predict(X[test])
    if np.ptp(predicted) == 0:
        return -1.0
    return float(spearmanr(predicted, y).statistic)


def _fill_missing(model: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), model)


def _standardise(model: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer

    # Ranks: features such as squared differences have tails that would dominate any distance.
    ranks = QuantileTransformer(n_quantiles=100, output_distribution="normal", subsample=None, random_state=0)
    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), ranks, model)
