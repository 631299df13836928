"""Scores of classifiers under families of splits, on a new sample, and by the age of the training data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports

if TYPE_CHECKING:
    from assay.models.split_studies.stress_table import build_stress_table
    from assay.models.split_studies.training_age import study_training_age

__all__ = ["build_stress_table", "study_training_age"]

__getattr__, __dir__ = lazy_exports(__name__)
