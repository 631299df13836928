"""Scores of classifiers under families of splits, on a new sample, and by the age of the training data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.models.split_studies.stress_table import StressTable, build_stress_table
    from assay.models.split_studies.training_age import AgeStudy, study_training_age

__all__ = ["AgeStudy", "StressTable", "build_stress_table", "study_training_age"]

_MODULES = {
    "StressTable": "stress_table",
    "build_stress_table": "stress_table",
    "AgeStudy": "training_age",
    "study_training_age": "training_age",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
