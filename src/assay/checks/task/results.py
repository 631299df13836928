"""Results of the check `task`: facts, copied texts and trivial baselines of one kind of task."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from assay.base.marks import OWN
from assay.evaluation import ScoredBaseline
from assay.features.profiling.overlaps import TextOverlap
from assay.kinds import KindProfile
from assay.views.results import Result
from assay.views.values import Interval


@dataclass(frozen=True)
class TaskEvidence(Result):
    """Facts of this kind of task; `chance` is the expected score of a guess, nan if it is not known."""

    title: str = field(metadata=OWN)
    item_noun: str = field(metadata=OWN)
    n_items: int
    metric: str = field(metadata=OWN)
    chance: float
    facts: KindProfile
    baselines: tuple[ScoredBaseline, ...]
    overlaps: tuple[TextOverlap, ...]

    def measure_gains(self, shortcut: str) -> list[tuple[ScoredBaseline, Interval]]:
        """Return the baselines of one shortcut, and what they gain over a guess; nothing if a guess is not known."""
        if math.isnan(self.chance):
            return []
        return [
            (row, Interval(row.value - self.chance, row.low - self.chance, row.high - self.chance))
            for row in self.baselines
            if row.shortcut == shortcut
        ]
