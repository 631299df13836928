"""Results of the check `splits`: how the parts differ, and how much harder splits cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN
from assay.features import GradeDrift, LabelDrift, LengthDrift
from assay.models.cross_validation import SplitScore
from assay.models.drops import find_hardest
from assay.models.split_studies.held_out import (
    FoldAccuracy,
    FoldLabel,
    FoldWord,
    GivenSplitScore,
    PeriodScore,
    SideScore,
)
from assay.models.stress import SplitStress
from assay.splits import SplitComparison
from assay.splits.comparison.divergence import Divergence
from assay.views.results import Result
from assay.views.values import Interval

GIVEN = "given"  # the parts of the data itself
CHALLENGING_SPLITS = ("length", "rare-words", "wasserstein", "sds-k-means")
MIN_SIGNAL = 0.1  # kappa on random folds below which a model has nothing to lose


@dataclass(frozen=True)
class SplitsEvidence(Result):
    """How the given parts differ, and what a model scores under splits that ask for more generalisation.

    `comparisons` has the parts of the data itself under "given", and the splits that the audit draws.
    """

    compared: tuple[str, str] | None = field(metadata=NAME)  # the part learned from, and the part tested on
    n_compared: int
    n_trained: int
    length_drift: LengthDrift | None
    label_drift: LabelDrift | None
    grade_drift: GradeDrift | None
    comparisons: dict[str, SplitComparison] = field(metadata=OWN)
    given: GivenSplitScore | None
    scores: tuple[SplitScore, ...]
    stress: tuple[SplitStress, ...]
    signal: Interval | None  # kappa of the quick model on random folds
    side_scores: tuple[SideScore, ...]
    fold_scores: tuple[FoldAccuracy, ...]
    fold_labels: tuple[FoldLabel, ...]
    fold_words: tuple[FoldWord, ...]
    periods: tuple[PeriodScore, ...] = ()
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

    @property
    def has_signal(self) -> bool:
        """Return True if the quick model learns enough to lose something under a harder split."""
        return self.signal is not None and self.signal.low > MIN_SIGNAL

    @property
    def hardest(self) -> tuple[SplitStress, Interval] | None:
        """Return the challenging split that costs most and its drop, or None if none was measured."""
        return (
            find_hardest([row for row in self.stress if row.split in CHALLENGING_SPLITS]) if self.has_signal else None
        )

    def list_divergence(self) -> Iterator[tuple[str, str, Divergence]]:
        """Yield every measure of every split: the names of split and measure, and the value next to random splits."""
        for split, comparison in self.comparisons.items():
            for measure, divergence in comparison.divergence.items():
                yield split, measure, divergence


def name_split(split: str) -> str:
    """Name a split: the parts of the data itself are "given" in every chart and table."""
    return GIVEN if split == "standard" else split
