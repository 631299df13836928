"""How far apart will a dataset set systems? Predicted from the data alone (paper 000, §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.forecast.cutting import Piece, cut_dataset
    from assay.forecast.evidence import Evidence, evidence_note, read_evidence
    from assay.forecast.forecasting import Forecast, forecast
    from assay.forecast.ranking import RANKERS
    from assay.forecast.regressors import REGRESSORS
    from assay.forecast.studying import Study, study

_HOMES = {
    "Piece": "cutting",
    "cut_dataset": "cutting",
    "Evidence": "evidence",
    "evidence_note": "evidence",
    "read_evidence": "evidence",
    "Forecast": "forecasting",
    "forecast": "forecasting",
    "RANKERS": "ranking",
    "REGRESSORS": "regressors",
    "Study": "studying",
    "study": "studying",
}

__all__ = [
    "RANKERS",
    "REGRESSORS",
    "Evidence",
    "Forecast",
    "Piece",
    "Study",
    "cut_dataset",
    "evidence_note",
    "forecast",
    "read_evidence",
    "study",
]

__getattr__ = lazy_attributes(__name__, _HOMES)
