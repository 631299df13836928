"""The forecast within an audit."""

from __future__ import annotations

import sys

from assay.audits import audit


def test_the_forecast_gives_numbers_an_interval_and_a_chart(made):
    found = audit(made(300), only=["forecast"]).sections["forecast"]
    assert found.status == "done"
    points = {point["measure"]: point for point in found.result["charts"]["forecast"]}
    assert set(points) == {"lambda_var", "lambda_sva"}
    assert all(point["low"] <= point["value"] <= point["high"] for point in points.values())


def test_the_forecast_needs_no_extra(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert audit(made(300), only=["forecast"]).sections["forecast"].status == "done"


def test_too_few_rows_skip_the_forecast(made):
    found = audit(made(2), only=["forecast"]).sections["forecast"]
    assert found.status == "skipped"
    assert "too few to forecast" in str(found.reason)
