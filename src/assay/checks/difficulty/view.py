"""How the page shows difficulty."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.difficulty.results import DifficultyEvidence
from assay.difficulty.view import show_case_accuracies, show_cases, show_contrary
from assay.views.blocks import Block


@CHECKS["difficulty"].view
def show_difficulty(difficulty: DifficultyEvidence) -> Iterator[Block]:
    """Yield the cases of pairs, or how close single texts are to another label, and the systems."""
    if difficulty.texts is not None:
        yield from show_contrary(difficulty.texts)
    elif difficulty.pairs is not None:
        yield from show_cases(difficulty.pairs)
    yield from show_case_accuracies(difficulty.systems)
