"""λ foretold from the data alone, where the forecast room is there."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from assay.audits.case import Case
from assay.audits.section import Measure, Measured, NotApplicableError
from assay.results import plain


def measure(case: Case) -> Measured:
    """Foretell λ from the features of the data."""
    try:
        forecast: Any = getattr(import_module("assay.forecast"), "forecast", None)
    except ImportError:
        forecast = None
    if forecast is None:
        raise NotApplicableError("The forecast is not part of this version.")
    told: dict[str, Any] = plain(forecast(case.data))
    return Measured({**told, "charts": {"forecast": told.get("measures", [])}})


FORECAST = Measure("forecast", 0.5, measure)
