"""Results of the check `difficulty`: which items are obvious, and how systems do on the other items."""

from __future__ import annotations

from dataclasses import dataclass

from assay.difficulty import PairDifficulty, TextDifficulty
from assay.difficulty.systems.scoring import CaseAccuracy
from assay.views.results import Result


@dataclass(frozen=True)
class DifficultyEvidence(Result):
    """How far the words of an item give its label away, and how systems do on obvious and on other items."""

    items: PairDifficulty | TextDifficulty
    systems: tuple[CaseAccuracy, ...] = ()

    @property
    def pairs(self) -> PairDifficulty | None:
        """Return the difficulty of pairs that have cases, or None."""
        is_pairs = isinstance(self.items, PairDifficulty) and self.items.counts is not None
        return self.items if is_pairs else None  # type: ignore[return-value]

    @property
    def texts(self) -> TextDifficulty | None:
        """Return the difficulty of single texts, or None."""
        return self.items if isinstance(self.items, TextDifficulty) else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what was decided about the items."""
        return self.items.notes
