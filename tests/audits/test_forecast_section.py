"""The forecast within an audit."""

from __future__ import annotations

import sys

from assay.audits import audit


def test_the_forecast_gives_numbers_with_intervals(made):
    forecast = audit(made(300), only=["forecast"]).evidence.forecast
    assert all(row.low <= row.value <= row.high for row in (forecast.lambda_var, forecast.lambda_sva))


def test_the_forecast_needs_no_extra(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert audit(made(300), only=["forecast"]).sections["forecast"].status == "done"


def test_too_few_rows_skip_the_forecast(made):
    section = audit(made(2), only=["forecast"]).sections["forecast"]
    assert section.status == "skipped"
    assert "too few to forecast" in str(section.reason)
