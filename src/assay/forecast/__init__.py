"""How far apart will a dataset set systems? Predicted from the data alone (Xiao et al. 2022, §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes, name_function

if TYPE_CHECKING:
    from assay.forecast.evidence import Evidence, read_evidence, read_evidence_note
    from assay.forecast.forecasting import Driver, Forecast, forecast_discrimination
    from assay.forecast.predictor import Predictor
    from assay.forecast.recommendation import Choice, recommend_datasets

__all__ = [
    "Choice",
    "Driver",
    "Evidence",
    "Forecast",
    "Predictor",
    "forecast_discrimination",
    "read_evidence",
    "read_evidence_note",
    "recommend_datasets",
]

_MODULES = {
    "Choice": "recommendation",
    "Driver": "forecasting",
    "Evidence": "evidence",
    "Forecast": "forecasting",
    "Predictor": "predictor",
    "forecast_discrimination": "forecasting",
    "read_evidence": "evidence",
    "read_evidence_note": "evidence",
    "recommend_datasets": "recommendation",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__


name_function(__name__, "forecast_discrimination")
