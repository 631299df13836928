"""Train the predictor that ships, test it on held-out families, and turn LightGBM's trees into plain arrays."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.codec import to_plain
from assay.forecast.evidence import TARGETS, Evidence
from assay.forecast.features import FEATURE_SETS
from assay.forecast.predictor import (
    PAIR_FEATURE,
    SETTINGS_FILE,
    TREES_FILE,
    FeatureRanges,
    Line,
    Margins,
    Predictor,
    TargetModel,
    measure_distance,
    standardise,
)
from assay.forecast.trees import ARRAYS, Trees
from assay.system.files import open_for_writing
from benchmarks.studies.forecast.regressors import fit_with_settings

CONFIDENCE = 0.8
FAMILY_SHARE = 0.5  # of families, whose own 80% the margins contain: 80% intervals then hold over all families
SHIPPED_FEATURES = "probes"
LEADING_FEATURE = "probe.error"
N_NEARBY = 400
Predict = Callable[[Array, Array, Array], Array]  # features and λ of training rows, features of other rows → λ


def build_predictor(evidence: Evidence) -> Predictor:
    """Train on all evidence, and calibrate the intervals on families held out."""
    X, families = evidence.features(SHIPPED_FEATURES), evidence.families
    is_pair = find_pairs(X)
    models = {}
    for target in TARGETS:
        y = evidence.target(target)
        line, booster = fit_line_and_trees(X, y)
        residuals = compute_residuals(X, y, families, fit_and_predict)
        trees = parse_booster(booster.booster_.model_to_string())
        single, paired = (compute_margins(residuals[kind], families[kind], CONFIDENCE) for kind in (~is_pair, is_pair))
        models[target] = TargetModel(line, single, paired, trees)
    mean_log_error = float(np.log1p(X[:, FEATURE_SETS[SHIPPED_FEATURES].index(LEADING_FEATURE)]).mean())
    return Predictor(models, mean_log_error, _measure_ranges(evidence.features("light"), families))


def write_predictor(predictor: Predictor, folder: Path) -> None:
    """Write a predictor as the two files that ship."""
    arrays = {
        f"{target}.{name}": getattr(model.trees, name) for target, model in predictor.models.items() for name in ARRAYS
    }
    np.savez_compressed(folder / TREES_FILE, allow_pickle=False, **arrays)
    with open_for_writing(folder / SETTINGS_FILE) as file:
        file.write(json.dumps(to_plain(predictor)) + "\n")


def fit_line_and_trees(X: Array, y: Array, chosen: str = SHIPPED_FEATURES) -> tuple[Line, Any]:
    """Fit the line, and boosted trees to what it leaves."""
    logs = np.log1p(y)
    line = Line(float(logs.mean()), 0.0, None)
    if LEADING_FEATURE in FEATURE_SETS[chosen]:
        column = FEATURE_SETS[chosen].index(LEADING_FEATURE)
        slope, start = np.polyfit(np.log1p(X[:, column]), logs, 1)
        line = Line(float(start), float(slope), column)
    return line, fit_with_settings("lightgbm", X, logs - line.evaluate(X), {}, log=False).model


def fit_and_predict(X: Array, y: Array, others: Array, chosen: str = SHIPPED_FEATURES) -> Array:
    """Fit the kind of predictor that ships and return λ of other rows."""
    line, model = fit_line_and_trees(X, y, chosen)
    return line.add_rest(others, np.asarray(model.predict(others)))


def compute_margins(
    residuals: Array, families: Array, confidence: float = CONFIDENCE, family_share: float = FAMILY_SHARE
) -> Margins:
    """Return margins that hold inside a new family: a random effect of the family, and the spread inside families.

    Sub-datasets of a family err alike, so that families are the random units. The medians of the families give the
    prediction interval of a new family's median (Student's t); the mean of the families' own quantiles around their
    medians is added on either side.

    >>> margins = compute_margins(np.r_[np.linspace(-1, 1, 101), np.linspace(0, 2, 101)], np.repeat(["a", "b"], 101))
    >>> round(margins.low, 2), round(margins.high, 2)
    (-1.17, 2.17)
    """
    from scipy.stats import t

    tail = (1 - confidence) / 2
    names = np.unique(families)
    ends = np.array([np.quantile(residuals[families == name], [tail, 0.5, 1 - tail]) for name in names])
    medians, n = ends[:, 1], len(names)
    reach = 0.0
    if n > 1:
        quantile = float(t.ppf((1 + family_share) / 2, n - 1))
        reach = quantile * float(medians.std(ddof=1)) * math.sqrt(1 + 1 / n)
    below, above = (ends[:, 0] - medians).mean(), (ends[:, 2] - medians).mean()
    low, high = medians.mean() - reach + below, medians.mean() + reach + above
    return Margins(float(np.round(low, 12)), float(np.round(high, 12)), confidence, n, family_share)


def compute_residuals(X: Array, y: Array, families: Array, predict: Predict) -> Array:
    """Return log(1 + λ) minus its prediction by a model trained without the family."""
    residuals = np.zeros(len(y))
    for family in np.unique(families):
        is_held_out = families == family
        predicted = predict(X[~is_held_out], y[~is_held_out], X[is_held_out])
        residuals[is_held_out] = np.log1p(y[is_held_out]) - np.log1p(predicted)
    return residuals


def find_pairs(X: Array) -> Array:
    """Tell which rows of the predictor's features are of pairs."""
    return np.asarray(X[:, FEATURE_SETS[SHIPPED_FEATURES].index(PAIR_FEATURE)] > 0)


def parse_booster(text: str) -> Trees:
    """Turn the text of a LightGBM model of numeric features into plain arrays."""
    columns: dict[str, list[Array]] = {}
    roots, start = [], 0
    for tree in _read_trees(text):
        nodes = _arrange_nodes(tree, start)
        roots.append(start)
        start += len(nodes["feature"])
        for name, values in nodes.items():
            columns.setdefault(name, []).append(values)
    return Trees(np.array(roots), **{name: np.concatenate(values) for name, values in columns.items()})


def _read_trees(text: str) -> Iterator[dict[str, list[str]]]:
    for block in text.partition("end of trees")[0].split("\nTree=")[1:]:
        yield {name: value.split() for name, _, value in (line.partition("=") for line in block.splitlines()[1:])}


def _arrange_nodes(tree: dict[str, list[str]], start: int) -> dict[str, Array]:
    """Return the splits of a tree and then its leaves, children by their numbers among all nodes."""
    if tree["num_cat"] != ["0"] or tree["is_linear"] != ["0"]:
        raise ValueError("only trees with numeric splits and constant leaves are supported")
    n_leaves = int(tree["num_leaves"][0])
    n_splits = n_leaves - 1
    decisions = np.array(tree.get("decision_type", []), dtype=np.int64)
    leaf_numbers = start + n_splits + np.arange(n_leaves)

    def children(name: str) -> Array:
        numbers = np.array(tree.get(name, []), dtype=np.int64)
        return np.concatenate([np.where(numbers >= 0, start + numbers, start + n_splits - 1 - numbers), leaf_numbers])

    def pad(values: Array, leaves: float) -> Array:
        return np.concatenate([values, np.full(n_leaves, leaves, dtype=values.dtype)])

    counts = [*tree.get("internal_count", []), *tree["leaf_count"]]
    return {
        "feature": pad(np.array(tree.get("split_feature", []), dtype=np.int16), -1),
        "threshold": pad(np.array(tree.get("threshold", []), dtype=np.float64), 0.0),
        "missing": pad(((decisions >> 2) & 3).astype(np.int8), 0),
        "default_left": pad((decisions & 2) > 0, 0.0),
        "left": children("left_child").astype(np.int32),
        "right": children("right_child").astype(np.int32),
        "value": np.concatenate([np.zeros(n_splits), np.array(tree["leaf_value"], dtype=np.float64)]),
        "count": np.array(counts, dtype=np.int32),
    }


def _measure_ranges(X: Array, families: Array) -> FeatureRanges:
    """Return the range of every feature, and how far a family lies from the others at most (95th percentile)."""
    centre = np.nanmedian(X, axis=0)
    spread = np.maximum(np.nanpercentile(X, 84, axis=0) - np.nanpercentile(X, 16, axis=0), 1e-9) / 2
    scaled = standardise(X, centre, spread)
    kept = np.sort(np.random.default_rng(0).permutation(len(X))[:N_NEARBY])
    distances = [
        measure_distance(scaled[families == family], scaled[kept[families[kept] != family]])
        for family in np.unique(families)
    ]
    return FeatureRanges(
        low=np.nanmin(X, axis=0).tolist(),
        high=np.nanmax(X, axis=0).tolist(),
        centre=centre.tolist(),
        spread=spread.tolist(),
        limit=float(np.percentile(np.concatenate(distances), 95)),
        nearby=np.round(scaled[kept], 3).tolist(),
    )
