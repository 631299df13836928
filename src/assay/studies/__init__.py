"""Reproduction studies: they check the methods and remake tables of the papers, apart from what users run every day.

`assay train --splits`, `assay train --study`, `assay information --study` and `assay forecast --study` run them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.studies.forecast.ranking import RANKERS
    from assay.studies.forecast.regressors import REGRESSORS
    from assay.studies.forecast.sub_datasets import SubDataset, cut_dataset
    from assay.studies.forecast.tables import ForecastStudy, study_forecast
    from assay.studies.information.nearest_neighbours import NeighbourStudy, study_neighbours
    from assay.studies.information.toy import ToyStudy, study_toy_data
    from assay.studies.information.training_size import SizeStudy, study_training_size
    from assay.studies.split_scores.stress_table import StressTable, build_stress_table
    from assay.studies.split_scores.training_age import AgeStudy, study_training_age

__all__ = [
    "RANKERS",
    "REGRESSORS",
    "AgeStudy",
    "ForecastStudy",
    "NeighbourStudy",
    "SizeStudy",
    "StressTable",
    "SubDataset",
    "ToyStudy",
    "build_stress_table",
    "cut_dataset",
    "study_forecast",
    "study_neighbours",
    "study_toy_data",
    "study_training_age",
    "study_training_size",
]

_MODULES = {
    "RANKERS": "forecast.ranking",
    "REGRESSORS": "forecast.regressors",
    "SubDataset": "forecast.sub_datasets",
    "cut_dataset": "forecast.sub_datasets",
    "ForecastStudy": "forecast.tables",
    "study_forecast": "forecast.tables",
    "NeighbourStudy": "information.nearest_neighbours",
    "study_neighbours": "information.nearest_neighbours",
    "ToyStudy": "information.toy",
    "study_toy_data": "information.toy",
    "SizeStudy": "information.training_size",
    "study_training_size": "information.training_size",
    "StressTable": "split_scores.stress_table",
    "build_stress_table": "split_scores.stress_table",
    "AgeStudy": "split_scores.training_age",
    "study_training_age": "split_scores.training_age",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
