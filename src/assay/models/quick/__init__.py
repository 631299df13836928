"""Quick models of every kind of task that has no classes of texts: scores out of fold, and under harder splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.models.quick.cross_validation import cross_validate_quick
    from assay.models.quick.results import QuickGain, QuickScore, QuickStress, QuickStudy
    from assay.models.quick.study import study_quick_models

__all__ = ["QuickGain", "QuickScore", "QuickStress", "QuickStudy", "cross_validate_quick", "study_quick_models"]

_MODULES = {
    "cross_validate_quick": "cross_validation",
    "QuickGain": "results",
    "QuickScore": "results",
    "QuickStress": "results",
    "QuickStudy": "results",
    "study_quick_models": "study",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
