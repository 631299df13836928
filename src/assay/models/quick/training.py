"""Train the quick model of a kind of task under parts or folds, and predict what was held out: `assay train`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.parameters import Options
from assay.data import Dataset
from assay.kinds import QuickModel, kind_of
from assay.models.fitting import FitResult
from assay.models.quick.cross_validation import explain_no_model
from assay.models.quick.drawing import draw_splits
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.models.split_drawing import N_SPLITS, RANDOM, SplitSizes
from assay.models.training import LINEAR, ModelFit, TrainingRun
from assay.splits import Folds

MIN_ROWS = 2 * N_SPLITS


@dataclass(frozen=True)
class AnswerResult(FitResult):
    """The answers of a quick model; there are no classes, and so no probabilities."""

    answers: Sequence[str | None] = field(default=(), repr=False)

    @property
    def predicted(self) -> Array:
        """Return the answer to each row, empty if the model gave none."""
        return np.array([answer or "" for answer in self.answers], dtype=object)

    def take(self, rows: Array) -> AnswerResult:
        """Return the answers to some rows, in the order given."""
        return replace(self, probabilities=self.probabilities[rows], answers=[self.answers[row] for row in rows])


def train_quick_model(
    data: Dataset,
    models: Sequence[str],
    *,
    folds: Folds | None = None,
    settings: Options | None = None,
    predict: Sequence[str] = (),
    random_state: int = 0,
) -> TrainingRun:
    """Let the linear model of a kind of task learn under every fold, or from train, and answer the held-out rows.

    Without folds and parts, five random folds are drawn, which keep groups whole.
    """
    kind = kind_of(data)
    if not kind.learning.has_models:
        raise AssayError(explain_no_model(kind), place=data.name)
    others = [name for name in models if name != LINEAR]
    if others:
        hint = f"The task {kind.title} has one model, {LINEAR}."
        raise UsageError(f"'{others[0]}' learns classes of texts.", option="models", hint=hint)
    if settings:
        raise UsageError(f"The linear model of the task {kind.title} has no settings.", option="settings")
    items = data.fill_texts()
    gold = kind.gold.get_gold(items)
    known = np.zeros(len(items), bool) if gold is None else gold.is_not_null().to_numpy()
    splits, notes = _choose_rows(items, folds, predict, known, random_state)
    model = kind.learning.build_models(items)[0]
    fits = [_fit(items, model, rows, known) for rows in splits]
    metric = kind.learning.get_model_metric(items).name
    return TrainingRun(fits, [], notes, items.ids.to_list(), metric)


def _fit(data: Dataset, model: QuickModel, rows: RowSplit, known: Array) -> ModelFit:
    train = rows.train[known[rows.train]]
    if not len(train):
        raise AssayError("no row with a gold answer to learn from", place=data.name)
    answers = model.answer(train, rows.test)
    scored = np.flatnonzero(known[rows.test])
    kind = kind_of(data)
    metric = kind.learning.get_model_metric(data)
    items = kind.learning.attach_training(data.take(rows.test[scored]), data.take(train))
    value = float("nan")
    if len(scored):
        value = metric.score(kind.scoring.pair_answers(items, [answers[n] or "" for n in scored.tolist()]))
    result = AnswerResult([], np.zeros((len(answers), 0)), (), answers)
    counts = (None, len(scored), len(train))
    return ModelFit(model.name, value, *counts, rows.fold, rows.repeat, rows, result)


def _choose_rows(
    data: Dataset, folds: Folds | None, predict: Sequence[str], known: Array, random_state: int
) -> tuple[list[RowSplit], list[str]]:
    if folds is not None:
        parts = None if data.parts is None else data.parts.to_list()
        repeats = folds.align(data.ids.to_list(), parts)
        return [
            RowSplit(train, NO_ROWS, test, number, repeat if len(repeats) > 1 else None)
            for repeat, draw in enumerate(repeats)
            for number, (train, test) in enumerate(draw.iterate_splits(), start=1)
        ], []
    if predict or {"train", "test"} <= set(data.part_names):
        for part in predict:
            data.part(part)  # raises, with the parts there are
        assert data.parts is not None
        names = np.array(data.parts.fill_null("").to_list(), dtype=object)
        test = np.flatnonzero(np.isin(names, list(predict) or ["test"]))
        return [RowSplit(np.flatnonzero(names == "train"), NO_ROWS, test)], []
    rows = np.flatnonzero(known)
    if len(rows) < MIN_ROWS:
        raise AssayError(f"{len(rows)} rows with a gold answer are too few for {N_SPLITS} folds", place=data.name)
    drawn, _ = draw_splits(data.take(rows), (), SplitSizes(), random_state, {})
    splits = [
        RowSplit(rows[split.train], NO_ROWS, rows[split.test], split.fold) for name, split in drawn if name == RANDOM
    ]
    return splits, [f"There are no train and test parts: {N_SPLITS} random folds are drawn, which keep groups whole."]
