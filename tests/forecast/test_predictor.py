"""The predictor that ships."""

from __future__ import annotations

import numpy as np
import pytest

from assay.forecast import read_evidence
from assay.forecast.features import FEATURE_SETS
from assay.forecast.predictor import RANGE_FEATURES, read_predictor
from assay.forecast.trees import ARRAYS

SHIPPED = "probes"


def test_the_shipped_predictor_is_what_the_evidence_gives(tmp_path):
    pytest.importorskip("lightgbm")
    from benchmarks.studies.forecast.predictor_training import build_predictor, write_predictor

    write_predictor(build_predictor(read_evidence()), tmp_path)
    built, shipped, X = read_predictor(tmp_path), read_predictor(), read_evidence().features(SHIPPED)
    for target, model in shipped.models.items():
        other = built.models[target]
        assert np.allclose(built.predict(target, X), shipped.predict(target, X), atol=1e-9)
        assert other.line.slope == pytest.approx(model.line.slope)
        for name in ("margins", "pair_margins"):
            found, expected = getattr(other, name), getattr(model, name)
            assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    for name in ("low", "high", "centre", "spread", "nearby", "limit"):
        assert np.allclose(getattr(built.ranges, name), getattr(shipped.ranges, name))


def test_a_written_predictor_is_read_back_bit_by_bit(tmp_path):
    from benchmarks.studies.forecast.predictor_training import write_predictor

    shipped = read_predictor()
    write_predictor(shipped, tmp_path)
    again = read_predictor(tmp_path)
    assert again == shipped
    for target, model in shipped.models.items():
        other = again.models[target].trees
        assert all(np.array_equal(getattr(model.trees, name), getattr(other, name)) for name in ARRAYS)


def test_it_knows_its_own_evidence():
    shipped, evidence = read_predictor(), read_evidence()
    predicted = shipped.predict("lambda_sva", evidence.features(SHIPPED))
    assert np.corrcoef(np.log1p(predicted), np.log1p(evidence.target("lambda_sva")))[0, 1] > 0.85


def test_evidence_itself_is_seldom_out_of_range():
    ranges, rows = read_predictor().ranges, read_evidence().features("light")
    assert not any(ranges.find_outside(row) for row in rows)
    assert np.mean([ranges.is_far(row) for row in rows[::10]]) < 0.05


def test_a_feature_beyond_its_range_is_named():
    row = read_evidence().features("light")[0].copy()
    row[RANGE_FEATURES.index("train.average_length")] = 1e4
    assert read_predictor().ranges.find_outside(row) == ["train.average_length"]


def test_factors_multiply_to_the_forecast():
    shipped, evidence = read_predictor(), read_evidence()
    x = evidence.features(SHIPPED)[5]
    model = shipped.models["lambda_sva"]
    logs = np.log(shipped.compute_factors("lambda_sva", x)).sum() + model.trees.expected_value
    logs += model.line.start + model.line.slope * shipped.mean_log_error
    assert np.expm1(logs) == pytest.approx(shipped.predict("lambda_sva", x[None, :])[0])


def test_missing_features_are_handled():
    x = read_evidence().features(SHIPPED)[:3].copy()
    x[:, ::2] = np.nan
    assert (read_predictor().predict("lambda_var", x) > 0).all()
    assert len(FEATURE_SETS[SHIPPED]) == x.shape[1]
