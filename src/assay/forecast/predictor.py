"""The predictor that ships: a line in the error of the probes, and boosted trees for the rest, as JSON and arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path

import numpy as np

from assay.base.arrays import Array
from assay.base.codec import from_plain
from assay.forecast.features import FEATURE_SETS
from assay.forecast.trees import ARRAYS, Trees
from assay.views.results import Result

N_NEIGHBOURS = 5
# Features of the texts themselves identify the parent of a sub-dataset, and mislead the predictor on new families.
PREDICTOR_FEATURES = FEATURE_SETS["probes"]
RANGE_FEATURES = FEATURE_SETS["light"]
PAIR_FEATURE = "probe.pair"
SLACK = 0.05  # share of a feature's span by which it may lie beyond its range
MAX_LOG = 12.0
SETTINGS_FILE, TREES_FILE = "predictor.json", "trees.npz"


@dataclass(frozen=True)
class Line(Result):
    """log(1 + λ) as a line in log(1 + error of the probes), which holds for every family; flat without a column."""

    start: float
    slope: float
    column: int | None

    def evaluate(self, X: Array) -> Array:
        """Return the line's value at rows of features."""
        if self.column is None:
            return np.full(len(X), self.start)
        return np.asarray(self.start + self.slope * np.log1p(np.nan_to_num(X[:, self.column])))

    def add_rest(self, X: Array, rest: Array) -> Array:
        """Return λ from what lies above the line, never below 0."""
        return np.maximum(np.expm1(np.minimum(self.evaluate(X) + rest, MAX_LOG)), 0.0)


@dataclass(frozen=True)
class FeatureRanges(Result):
    """The range of every light feature in the evidence, and rows of evidence to compare a dataset with.

    `nearby` are rows in units of `spread` around `centre`; `limit` is the distance to the nearest of them beyond which
    a dataset is far from the evidence.
    """

    low: list[float]
    high: list[float]
    centre: list[float]
    spread: list[float]
    limit: float
    nearby: list[list[float]] = field(repr=False)

    def find_outside(self, x: Array) -> list[str]:
        """Name the features that lie outside of the range of the evidence."""
        low, high = np.array(self.low), np.array(self.high)
        slack = SLACK * (high - low)
        with np.errstate(invalid="ignore"):
            is_outside = (x < low - slack) | (x > high + slack)
        return [RANGE_FEATURES[number] for number in np.flatnonzero(is_outside)]

    def is_far(self, x: Array) -> bool:
        """Return whether the nearest evidence is farther than for 95% of the sub-datasets of held-out families."""
        row = standardise(x[None, :], np.array(self.centre), np.array(self.spread))
        return bool(measure_distance(row, np.array(self.nearby))[0] > self.limit)


@dataclass(frozen=True)
class Margins(Result):
    """How far log(1 + λ) lies below and above its prediction, for families of data that were not in training.

    The margins contain `confidence` of the sub-datasets of a family, for a share `family_share` of families.
    """

    low: float
    high: float
    confidence: float
    n_families: int
    family_share: float = 0.8

    def add_to(self, predicted: Array) -> tuple[Array, Array]:
        """Return both ends of the intervals around predictions, never below 0.

        >>> low, high = Margins(-0.5, 0.5, 0.8, 13).add_to(np.array([3.0]))
        >>> low.round(2).tolist(), high.round(2).tolist()
        ([1.43], [5.59])
        """
        middle = np.log1p(predicted)
        return np.maximum(np.expm1(middle + self.low), 0.0), np.maximum(np.expm1(middle + self.high), 0.0)


@dataclass(frozen=True)
class TargetModel(Result):
    """The predictor of one λ: a line, the margins of its intervals, and trees for values above the line.

    Pairs have margins of their own: families of pairs differ more from each other than those of single texts.
    """

    line: Line
    margins: Margins
    pair_margins: Margins
    trees: Trees | None = field(default=None, repr=False, compare=False, metadata={"json": False})


@dataclass(frozen=True)
class Predictor(Result):
    """A model for λ_var and one for λ_sva, and what the evidence covers.

    `mean_log_error` is the mean over the evidence of log(1 + error of the probes).
    """

    models: dict[str, TargetModel]
    mean_log_error: float
    ranges: FeatureRanges

    def predict(self, target: str, X: Array) -> Array:
        """Return λ of rows of the predictor's features."""
        model = self.models[target]
        return model.line.add_rest(X, _get_trees(model).predict(X))

    def add_margins(self, target: str, X: Array, predicted: Array) -> tuple[Array, Array]:
        """Return both ends of the intervals around predictions for rows of the predictor's features."""
        model = self.models[target]
        is_pair = X[:, PREDICTOR_FEATURES.index(PAIR_FEATURE)] > 0
        single, paired = model.margins.add_to(predicted), model.pair_margins.add_to(predicted)
        return np.where(is_pair, paired[0], single[0]), np.where(is_pair, paired[1], single[1])

    def compute_factors(self, target: str, x: Array) -> Array:
        """Return by how much each feature multiplies 1 + λ: SHAP values of the trees, and the line in its feature."""
        model = self.models[target]
        logs = _get_trees(model).explain(x)
        if model.line.column is not None:
            distance = float(np.log1p(x[model.line.column])) - self.mean_log_error
            logs[model.line.column] += model.line.slope * distance
        return np.asarray(np.exp(logs))


def measure_distance(X: Array, rows: Array) -> Array:
    """Return the mean distance to the five nearest rows."""
    squares = ((X[:, None, :] - rows[None, :, :]) ** 2).mean(axis=2)
    return np.asarray(np.sqrt(np.sort(squares, axis=1)[:, :N_NEIGHBOURS]).mean(axis=1))


def standardise(X: Array, centre: Array, spread: Array) -> Array:
    """Return features in units of their spread, at most three from the centre, missing ones at the centre."""
    return np.asarray(np.nan_to_num(np.clip((X - centre) / spread, -3, 3)))


@lru_cache(maxsize=2)
def read_predictor(folder: Path | None = None) -> Predictor:
    """Read a predictor, without a folder the one that ships."""
    home = resources.files("assay.forecast") if folder is None else folder
    settings = json.loads((home / SETTINGS_FILE).read_text(encoding="utf-8"))
    stored = from_plain(Predictor, settings, SETTINGS_FILE)
    with (home / TREES_FILE).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        models = {
            target: replace(model, trees=Trees(*(arrays[f"{target}.{name}"] for name in ARRAYS)))
            for target, model in stored.models.items()
        }
    return Predictor(models, stored.mean_log_error, stored.ranges)


def _get_trees(model: TargetModel) -> Trees:
    assert model.trees is not None
    return model.trees
