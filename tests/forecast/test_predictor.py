"""The predictor that ships."""

from __future__ import annotations

import numpy as np
import pytest

from assay.forecast import read_evidence
from assay.forecast.predictor import CHOSEN, SEEN, read_predictor, write

pytest.importorskip("lightgbm")


def test_the_shipped_predictor_is_what_the_evidence_gives(tmp_path):
    write(read_evidence(), tmp_path)
    shipped, X = read_predictor(), read_evidence().features(CHOSEN)
    import lightgbm

    for target in ("lambda_var", "lambda_sva"):
        again = lightgbm.Booster(model_file=str(tmp_path / f"{target}.txt"))
        assert np.allclose(again.predict(X), shipped.boosters[target].predict(X), atol=1e-9)


def test_it_knows_its_own_evidence():
    shipped, evidence = read_predictor(), read_evidence()
    found = shipped.predict("lambda_sva", evidence.features(CHOSEN))
    assert np.corrcoef(np.log1p(found), np.log1p(evidence.target("lambda_sva")))[0, 1] > 0.85


def test_evidence_itself_is_seldom_out_of_range():
    shipped, rows = read_predictor(), read_evidence().features("light")
    assert not any(shipped.outside(row) for row in rows)
    assert np.mean([shipped.far(row) for row in rows[::10]]) < 0.05


def test_a_feature_beyond_its_range_is_named():
    row = read_evidence().features("light")[0].copy()
    row[SEEN.index("train.average_length")] = 1e4
    assert read_predictor().outside(row) == ["train.average_length"]


def test_factors_multiply_to_the_forecast():
    shipped, evidence = read_predictor(), read_evidence()
    x = evidence.features(CHOSEN)[5]
    base = shipped.boosters["lambda_sva"].predict(x[None, :], pred_contrib=True)[0][-1]
    start, slope, _ = shipped.facts["lines"]["lambda_sva"]
    told = np.log(shipped.factors("lambda_sva", x)).sum() + base + start + slope * shipped.facts["middle"]
    assert np.expm1(told) == pytest.approx(shipped.predict("lambda_sva", x[None, :])[0])


def test_missing_features_are_coped_with():
    x = read_evidence().features(CHOSEN)[:3].copy()
    x[:, ::2] = np.nan
    assert (read_predictor().predict("lambda_var", x) > 0).all()
