"""The forecast within an audit, with its extra and without."""

from __future__ import annotations

import sys

import pytest

from assay.audits import audit
from assay.forecast.predictor import read_predictor


def test_the_forecast_gives_numbers_an_interval_and_a_chart(made):
    pytest.importorskip("lightgbm")
    found = audit(made(300), only=["forecast"]).sections["forecast"]
    assert found.status == "done"
    points = {point["measure"]: point for point in found.result["charts"]["forecast"]}
    assert set(points) == {"lambda_var", "lambda_sva"}
    assert all(point["low"] <= point["value"] <= point["high"] for point in points.values())


def test_without_its_extra_the_audit_says_how_to_get_it(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    read_predictor.cache_clear()
    found = audit(made(120), only=["profile", "forecast"])
    assert found.sections["forecast"].status == "skipped"
    assert 'pip install "benchassay[forecast]"' in str(found.sections["forecast"].reason)
    assert found.sections["profile"].status == "done"
    assert "forecast" not in found.verdict
    assert not [one for one in found.findings if one.section == "forecast"]


def test_too_few_rows_skip_the_forecast(made):
    found = audit(made(2), only=["forecast"]).sections["forecast"]
    assert found.status == "skipped"
    assert "too few to forecast" in str(found.reason)
