"""What a study of quick models gives: scores, what a model gains over one that sees less, and what splits cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from assay.base.marks import NAME, OWN
from assay.models.drops import DropInterval
from assay.views.results import Result


@dataclass(frozen=True)
class QuickScore(Result):
    """The score of a model on the items that a split holds out; `sees` says what of an item it sees."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    sees: str = field(metadata=OWN)
    shortcut: str = field(metadata=OWN)
    metric: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class QuickGain(Result):
    """How much more the whole model scores than one that sees less, on the same items under random folds."""

    model: str = field(metadata=OWN)
    other: str = field(metadata=OWN)
    sees: str = field(metadata=OWN)
    metric: str = field(metadata=OWN)
    difference: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class QuickStress(DropInterval, Result):
    """The whole model under a split, next to the same model on the same items under random folds.

    `error_reduction` is over the constant answer learned from the split's training side, (s − b) / (1 − b); of a
    regression 1 − squared error / squared error of the mean of training. Values are means over draws; `standard_error`
    of the drop is that of the draws or that of the items (whole groups), whichever is larger.
    """

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    metric: str = field(metadata=OWN)
    n_draws: int
    n_items: int
    score: float
    random_score: float
    error_reduction: float
    random_error_reduction: float
    drop: float
    standard_error: float
    degrees: int


@dataclass(frozen=True)
class QuickStudy(Result):
    """Quick models of a kind of task: scores under every split, gains over models that see less, and stress.

    `chance` is the expected score of a blind guess, nan if it is not known.
    """

    _table: ClassVar[str] = "scores"

    title: str = field(metadata=OWN)
    item_noun: str = field(metadata=OWN)
    metric: str = field(metadata=OWN)
    chance: float
    n_items: int
    scores: tuple[QuickScore, ...] = field(repr=False)
    gains: tuple[QuickGain, ...] = field(repr=False)
    stress: tuple[QuickStress, ...] = field(repr=False)
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

    def find_score(self, model: str, split: str = "random", metric: str | None = None) -> QuickScore | None:
        """Return the score of a model under a split."""
        wanted = (model, split, metric or self.metric)
        return next((row for row in self.scores if (row.model, row.split, row.metric) == wanted), None)
