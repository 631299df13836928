"""Results of a study of quick models: scores, gains over models that see less, and costs of splits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from assay.base.marks import NAME, OWN
from assay.models.drops import OWN_UNITS, DropInterval, find_hardest
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval

MIN_SIGNAL = 0.03  # of the model over a guess or the constant answer, below which it has nothing to lose


@dataclass(frozen=True)
class QuickScore(Result):
    """The score of a model on the items that a split holds out; `sees` says which part of an item it sees."""

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
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class QuickStress(DropInterval, Result):
    """The whole model under a split, next to the same model on the same items under random folds.

    `error_reduction` is over the constant answer learned from the split's training side, (s − b) / (1 − b); of a
    regression 1 − squared error / squared error of the mean of training. Values are means over draws; `standard_error`
    of the drop comes from the draws or from the items (whole groups), whichever is larger.
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

    @property
    def is_share(self) -> bool:
        """Whether the drop is one of a score between 0 and 1."""
        return self.metric not in OWN_UNITS


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

    @property
    def floor(self) -> float:
        """Return what a model must beat: a blind guess, or the constant answer under random folds."""
        if not math.isnan(self.chance):
            return self.chance
        constant = next((row for row in self.scores if row.shortcut == "constant" and row.split == "random"), None)
        return math.nan if constant is None else constant.value

    @property
    def whole(self) -> QuickScore | None:
        """Return the score of the model that sees the whole item, under random folds."""
        return next(iter(self.list_shortcut_scores("model")), None)

    @property
    def has_signal(self) -> bool:
        """Return True if the model learns enough to lose something under a harder split."""
        return self.whole is not None and self.whole.low - self.floor > MIN_SIGNAL

    @property
    def hardest(self) -> tuple[QuickStress, Interval] | None:
        """Return the split that costs most and its drop, or None if none was measured."""
        return find_hardest(self.stress) if self.has_signal else None

    def list_shortcut_scores(self, shortcut: str) -> list[QuickScore]:
        """Return the scores of models that see one shortcut, under random folds."""
        rows = [row for row in self.scores if row.shortcut == shortcut and row.split == "random"]
        return [row for row in rows if row.metric == self.metric]

    def blocks(self) -> Iterator[Block]:
        """Yield scores, gains and what harder splits cost."""
        from assay.models.view import show_quick_study

        yield from show_quick_study(self)

    def find_score(self, model: str, split: str = "random", metric: str | None = None) -> QuickScore | None:
        """Return the score of a model under a split."""
        wanted = (model, split, metric or self.metric)
        return next((row for row in self.scores if (row.model, row.split, row.metric) == wanted), None)
