"""λ forecast from the data alone."""

from __future__ import annotations

from typing import Any

from assay.audits.case import Case
from assay.audits.section import Measure, Measured
from assay.forecast import forecast_discrimination

MEASURES = ("lambda_var", "lambda_sva")


def measure(case: Case) -> Measured:
    """Forecast λ from the features of the labelled rows."""
    told: dict[str, Any] = forecast_discrimination(case.classes, random_state=case.settings.random_state).to_dict()
    told["charts"] = {"forecast": [_point(told, name) for name in MEASURES]}
    return Measured(told)


def _point(told: dict[str, Any], name: str) -> dict[str, Any]:
    return {"measure": name, "value": told[name], "low": told[f"{name}_low"], "high": told[f"{name}_high"]}


FORECAST = Measure("forecast", 0.5, measure)
