"""The line of loss in accuracy."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.information import fit_accuracy_loss
from assay.information.accuracy_loss import AccuracyLossLine


def test_a_line_counted_by_hand():
    line = fit_accuracy_loss([0.5, 0.6, 0.7, 0.8], [0.7, 0.5, 0.5, 0.3])
    assert line.slope == pytest.approx(-1.2)
    assert line.intercept == pytest.approx(1.28)
    assert line.residual_std == pytest.approx(np.sqrt(0.008 / 2))
    assert line.predict_loss(0.9).value == pytest.approx(0.2)
    assert line.extrapolate_information(0.9, 0.69).value == pytest.approx(0.49)
    assert AccuracyLossLine.from_dict(line.to_dict()) == line


def test_the_interval_is_that_of_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 0.9, 12)
    y = 1.5 - 1.4 * x + rng.normal(0, 0.05, 12)
    expected = sm.OLS(y, sm.add_constant(x)).fit().get_prediction([[1, 0.95]]).conf_int(obs=True, alpha=0.05)[0]
    found = fit_accuracy_loss(x, y).predict_loss(0.95)
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_intervals_of_new_models_cover_as_often_as_they_say():
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(400):
        x = rng.uniform(0.5, 0.9, 9)
        y = 2 - 1.4 * x + rng.normal(0, 0.05, 9)
        found = fit_accuracy_loss(x[:8], y[:8]).predict_loss(x[8])
        inside.append(found.low <= y[8] <= found.high)
    assert 0.91 <= np.mean(inside) <= 0.985


def test_too_few_models_are_an_error():
    with pytest.raises(AssayError, match="at least 4 models with different accuracies; there are 3"):
        fit_accuracy_loss([0.1, 0.2, 0.3], [1, 2, 3])
