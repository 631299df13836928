"""How the page shows the quick models of a kind of task."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.models.quick import QuickStudy
from assay.models.view import show_quick_study
from assay.views.blocks import Block


@CHECKS["model"].view
def show_model(model: QuickStudy) -> Iterator[Block]:
    """Yield the facts and tables of the study."""
    yield from show_quick_study(model)
