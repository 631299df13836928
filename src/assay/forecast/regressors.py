"""Predictors of λ: those of paper 000, a linear one and the mean, each tuned inside the data it is fitted on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import import_extra
from assay.base.registry import Registry

Grid = dict[str, list[Any]]


def knn() -> tuple[Any, Grid]:
    """Return nearest neighbours on standardised features."""
    from sklearn.neighbors import KNeighborsRegressor

    return _scaled(KNeighborsRegressor()), {"n_neighbors": [5, 10, 20], "weights": ["distance"]}


def lightgbm() -> tuple[Any, Grid]:
    """Return LightGBM's boosted trees, thresholds drawn at random; missing features stay missing."""
    found = import_extra("lightgbm", "forecast", "LightGBM")
    model = found.LGBMRegressor(
        n_estimators=400, learning_rate=0.05, num_leaves=15, min_child_samples=10, extra_trees=True, reg_lambda=5.0,
        subsample=0.8, subsample_freq=1, colsample_bytree=0.5, random_state=0, n_jobs=1, verbose=-1,
        deterministic=True, force_col_wise=True,
    )  # fmt: skip
    return model, {}


def extra_trees() -> tuple[Any, Grid]:
    """Return many trees with thresholds drawn at random, averaged."""
    from sklearn.ensemble import ExtraTreesRegressor

    model = ExtraTreesRegressor(100, min_samples_leaf=3, max_features=0.5, random_state=0)
    return _filled(model), {}


def tree() -> tuple[Any, Grid]:
    """Return one decision tree."""
    from sklearn.tree import DecisionTreeRegressor

    return _filled(DecisionTreeRegressor(random_state=0)), {"min_samples_leaf": [5, 10, 20]}


def svm() -> tuple[Any, Grid]:
    """Return a support vector machine with a radial kernel on standardised features."""
    from sklearn.svm import SVR

    return _scaled(SVR()), {"C": [1.0, 10.0], "gamma": [0.01]}


def linear() -> tuple[Any, Grid]:
    """Return ridge regression on standardised features."""
    from sklearn.linear_model import Ridge

    return _scaled(Ridge()), {"alpha": [10.0, 100.0, 1000.0]}


def mean() -> tuple[Any, Grid]:
    """Return what knows nothing of features."""
    from sklearn.dummy import DummyRegressor

    return DummyRegressor(), {}


REGRESSORS: Registry[Callable[[], tuple[Any, Grid]]] = Registry(
    "predictor",
    {"knn": knn, "lightgbm": lightgbm, "tree": tree, "svm": svm}
    | {"extra-trees": extra_trees, "linear": linear, "mean": mean},
)


@dataclass(frozen=True)
class Fitted:
    """A fitted predictor, on λ or on log(1 + λ)."""

    model: Any
    log: bool
    settings: dict[str, Any]

    def predict(self, X: Array) -> Array:
        """Return λ, never below 0."""
        found = np.asarray(self.model.predict(X), dtype=np.float64)
        return np.maximum(np.expm1(np.minimum(found, 12.0)) if self.log else found, 0.0)


def fitted(name: str, X: Array, y: Array, groups: Array | None = None) -> Fitted:
    """Fit a predictor; its settings, and whether it sees λ or log(1 + λ), are tuned by cross-validation.

    Given groups, no group is on both sides of a tuning fold. What is best is decided by Spearman's correlation.
    Ensembles of trees, which need no tuning and are dear, see log(1 + λ); the mean sees λ.
    """
    from sklearn.model_selection import ParameterGrid

    grid = REGRESSORS[name]()[1]
    choices = [(settings, log) for settings in ParameterGrid(grid) for log in (False, True)]
    if not grid:
        return trained(name, X, y, {}, log=name != "mean")
    scores = [_tuning_score(name, X, y, groups, settings, log) for settings, log in choices]
    settings, log = choices[int(np.argmax(scores))]
    return trained(name, X, y, settings, log=log)


def trained(name: str, X: Array, y: Array, settings: dict[str, Any], *, log: bool) -> Fitted:
    """Fit a predictor with given settings."""
    model = REGRESSORS[name]()[0]
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    last.set_params(**settings)
    return Fitted(model.fit(X, np.log1p(y) if log else y), log, settings)


def _tuning_score(name: str, X: Array, y: Array, groups: Array | None, settings: dict[str, Any], log: bool) -> float:
    from scipy.stats import spearmanr
    from sklearn.model_selection import GroupKFold, KFold

    folds = KFold(3, shuffle=True, random_state=0) if groups is None else GroupKFold(min(3, len(np.unique(groups))))
    predicted = np.zeros(len(y))
    for train, test in folds.split(X, y, groups):
        predicted[test] = trained(name, X[train], y[train], settings, log=log).predict(X[test])
    if np.ptp(predicted) == 0:
        return -1.0
    return float(spearmanr(predicted, y).statistic)


def _filled(model: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), model)


def _scaled(model: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer

    # Ranks: features such as squared differences have tails that would rule any distance.
    ranks = QuantileTransformer(n_quantiles=100, output_distribution="normal", subsample=None, random_state=0)
    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), ranks, model)
