"""Training the predictor that ships: intervals for new families, and trees as plain arrays."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.studies.forecast.predictor_training import compute_margins, compute_residuals, parse_booster
from tests.benchmarks.forecast.worlds import draw_world, predict_by_slope


def test_residuals_come_from_models_trained_without_the_family():
    X, y, families = draw_world(5, 10)
    sizes = []

    def predict(train, labels, rows):
        sizes.append((len(train), len(rows)))
        return predict_by_slope(train, labels, rows)

    compute_residuals(X, y, families, predict)
    assert sizes == [(40, 10)] * 5


def test_every_family_has_the_same_weight():
    residuals = np.concatenate([np.zeros(1000), np.linspace(-1, 1, 11)])
    assert compute_margins(residuals, np.repeat([0, 1], [1000, 11])).high == pytest.approx(0.8 / 2)


def test_an_interval_never_goes_below_zero():
    low, high = compute_margins(np.linspace(-3, 3, 50), np.arange(50) % 5).add_to(np.array([0.1]))
    assert low[0] == 0 < 0.1 < high[0]


@pytest.mark.parametrize("missing", ["none", "nan", "zero"])
def test_trees_as_arrays_equal_lightgbm(missing):
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    X = np.where(
        rng.random((400, 6)) < 0.2, {"none": 0.5, "nan": np.nan, "zero": 0.0}[missing], rng.normal(size=(400, 6))
    )
    y = np.nan_to_num(X[:, 0] * X[:, 1]) + np.isnan(X[:, 2]) + rng.normal(size=400)
    model = lightgbm.LGBMRegressor(
        n_estimators=60, num_leaves=12, min_child_samples=5, subsample=0.7, subsample_freq=1, extra_trees=True,
        zero_as_missing=missing == "zero", random_state=0, n_jobs=1, verbose=-1,
    ).fit(X, y)  # fmt: skip
    trees = parse_booster(model.booster_.model_to_string())
    others = np.where(rng.random((50, 6)) < 0.3, rng.choice([np.nan, 0.0], (50, 6)), 2 * rng.normal(size=(50, 6)))
    assert set(trees.missing.tolist()) == {"none": {0}, "nan": {0, 2}, "zero": {0, 1}}[missing]
    assert np.abs(trees.predict(others) - model.predict(others)).max() < 1e-12
    contributions = model.predict(others, pred_contrib=True)
    explained = np.array([trees.explain(row) for row in others])
    assert np.abs(explained - contributions[:, :-1]).max() < 1e-12
    assert np.abs(trees.expected_value - contributions[:, -1]).max() < 1e-12


def test_trees_with_categories_are_refused():
    with pytest.raises(ValueError, match="only trees with numeric splits"):
        parse_booster("tree\n\nTree=0\nnum_leaves=2\nnum_cat=1\nis_linear=0\n\nend of trees\n")
