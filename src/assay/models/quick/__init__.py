"""Quick models of every kind of task that has no classes of texts: scores out of fold, and under harder splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports

if TYPE_CHECKING:
    from assay.models.quick.results import QuickStudy
    from assay.models.quick.study import study_quick_models

__all__ = ["QuickStudy", "study_quick_models"]

__getattr__, __dir__ = lazy_exports(__name__)
