"""How far apart will a dataset set systems? Predicted from the data alone (Xiao et al. 2022, §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports, name_function

if TYPE_CHECKING:
    from assay.forecast.evidence import Evidence, read_evidence, read_evidence_note
    from assay.forecast.forecasting import Driver, Forecast, forecast_discrimination
    from assay.forecast.recommendation import recommend_datasets

__all__ = [
    "Driver",
    "Evidence",
    "Forecast",
    "forecast_discrimination",
    "read_evidence",
    "read_evidence_note",
    "recommend_datasets",
]

__getattr__, __dir__ = lazy_exports(__name__)

name_function(__name__, "forecast_discrimination")
