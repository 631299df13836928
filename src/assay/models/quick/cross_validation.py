"""Answers of quick models to rows they did not learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array, Matrix
from assay.base.errors import AssayError
from assay.kinds import QuickModel, TaskKind, kind_of
from assay.metrics import Metric
from assay.models.cross_validation import MIN_ITEMS
from assay.models.split_drawing import CHALLENGING_SPLITS, N_DRAWS, N_SPLITS, RANDOM, STANDARD, TEST_SIZE, SplitSizes
from assay.splits.items import Ready
from assay.tasks import announce_step

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.text import Corpus


@dataclass(frozen=True, eq=False)
class QuickFit:
    """The answers of a model to the rows that one fold, or one draw, of a split holds out."""

    split: str
    model: str
    train: Array = field(repr=False)
    rows: Array = field(repr=False)
    answers: Sequence[str | None] = field(repr=False)


@dataclass(frozen=True, eq=False)
class QuickPredictions:
    """Items with a gold answer, the quick models of their kind, and what these answered under every split."""

    data: Dataset
    models: Sequence[QuickModel]
    fits: list[QuickFit] = field(repr=False)
    notes: list[str]

    @property
    def kind(self) -> TaskKind:
        """The kind of task."""
        return kind_of(self.data)

    @cached_property
    def units(self) -> Array:
        """The groups that are resampled whole: those that random folds keep whole."""
        from assay.models.quick.drawing import find_units

        return find_units(self.data)

    @property
    def splits(self) -> list[str]:
        """Name the splits, random folds first."""
        return list(dict.fromkeys(fit.split for fit in self.fits))

    def select(self, split: str, model: str) -> list[QuickFit]:
        """Return the fits of a model under a split."""
        return [fit for fit in self.fits if (fit.split, fit.model) == (split, model)]

    def collect(self, fit: QuickFit, metric: Metric) -> Array:
        """Return the statistics of every row that a fit answered."""
        items = self.kind.learning.attach_training(self.data, self.data.take(fit.train)).take(fit.rows)
        return metric.collect_statistics(
            self.kind.scoring.pair_answers(items, [answer or "" for answer in fit.answers])
        )

    def collect_split(self, split: str, model: str, metric: Metric) -> tuple[Array, Array]:
        """Return the rows that a split holds out, and their statistics, one fit after the other."""
        fits = self.select(split, model)
        tables = [self.collect(fit, metric) for fit in fits]
        return np.concatenate([fit.rows for fit in fits]), np.concatenate(tables)

    def list_answers(self, model: str, split: str = RANDOM) -> list[str | None]:
        """Return the answer of a model to every item when a fold of the split held it out; None if none did."""
        answers: list[str | None] = [None] * len(self.data)
        for fit in self.select(split, model):
            for row, answer in zip(fit.rows.tolist(), fit.answers, strict=True):
                answers[row] = answer
        return answers


def cross_validate_quick(
    data: Dataset,
    *,
    splits: Sequence[str] = CHALLENGING_SPLITS,
    n_splits: int = N_SPLITS,
    n_draws: int = N_DRAWS,
    test_size: float = TEST_SIZE,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
    random_state: int = 0,
) -> QuickPredictions:
    """Let the quick models of a kind of task learn under random folds, own parts and harder splits.

    Models that see only a part of an item learn under random folds and own parts alone. `corpus` and `vectors` are
    those of the items with a gold answer (see `select_answered`), if they are ready.
    """
    from assay.models.quick.drawing import draw_splits

    items = select_answered(data).fill_texts()
    models = kind_of(items).learning.build_models(items)
    ready: Ready = {"corpus": corpus, "vectors": vectors}
    announce_step("drawing splits")
    drawn, notes = draw_splits(items, splits, SplitSizes(n_splits, n_draws, test_size), random_state, ready)
    always = {"model", "constant"}
    plan = [
        (split, rows, model)
        for split, rows in drawn
        for model in models
        if split in (RANDOM, STANDARD) or model.shortcut in always
    ]
    fits = []
    for number, (split, rows, model) in enumerate(plan):
        announce_step("training quick models", number, len(plan))
        fits.append(QuickFit(split, model.name, rows.train, rows.test, model.answer(rows.train, rows.test)))
    return QuickPredictions(items, models, fits, notes)


def select_answered(data: Dataset) -> Dataset:
    """Return the rows with a gold answer; raise if the kind has no quick model, or there are too few rows."""
    rows = find_answered_rows(data)
    return data if len(rows) == len(data) else data.take(rows)


def find_answered_rows(data: Dataset) -> Array:
    """Return the numbers of the rows with a gold answer; raise if no quick model can learn from them."""
    kind = kind_of(data)
    if not kind.learning.has_models:
        raise AssayError(explain_no_model(kind))
    gold = kind.gold.get_gold(data)
    rows = np.flatnonzero([] if gold is None else gold.is_not_null().to_numpy())
    if len(rows) < MIN_ITEMS:
        raise AssayError(f"{len(rows)} items with a gold answer are too few to train on; {MIN_ITEMS} are needed.")
    return rows


def explain_no_model(kind: TaskKind) -> str:
    """Say why a kind has no quick model."""
    if kind.learning.no_model:
        return kind.learning.no_model
    if kind.gold.has_text_labels:
        return f"The task {kind.title} has classifiers of texts instead."
    return f"The task {kind.title} has no quick model."
