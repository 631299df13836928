"""Train models under the parts or folds of a dataset: `assay train`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.entry_points import entry_point, list_strings
from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data.row_order import invert_order, take_rows
from assay.inputs import take_data
from assay.kinds import check_text_labels, kind_of
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.models.fitting import FitResult, SplitFit, fit_under_splits, list_notes, resolve_settings
from assay.models.inputs import list_items
from assay.models.row_splits import RowSplit, split_by_folds, split_by_parts
from assay.system.files import open_for_writing
from assay.tasks.running import Cache
from assay.views.results import Result, convert_frame

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.splits import Folds
    from assay.views.blocks import Block

LINEAR = "linear"


@dataclass(frozen=True)
class ModelFit(Result):
    """One fit: its system, and how often it was right on the rows it predicted.

    Of kinds of task without classes `accuracy` is the run's `metric`, and `n_right` is not counted.
    """

    system: str = field(metadata=NAME)
    accuracy: float
    n_right: int | None
    n_test: int
    n_train: int
    fold: int | None = None
    repeat: int | None = None
    rows: RowSplit | None = field(default=None, repr=False, compare=False, metadata={"json": False})
    prediction: FitResult | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    def reorder(self, order: Array) -> ModelFit:
        """Return the fit with other row numbers, and the predicted rows in their order."""
        assert self.rows is not None
        assert self.prediction is not None
        train, dev, test = (np.sort(order[rows]) for rows in (self.rows.train, self.rows.dev, self.rows.test))
        places = np.argsort(order[self.rows.test])
        rows = replace(self.rows, train=train, dev=dev, test=test)
        return replace(self, rows=rows, prediction=self.prediction.take(places))


@dataclass(frozen=True)
class TrainingRun(Result):
    """All fits of a run, the labels they know, and notes. `to_predictions` gives what was predicted."""

    _table: ClassVar[str] = "fits"

    fits: list[ModelFit]
    labels: list[str] = field(repr=False, metadata=NAME)
    notes: list[str] = field(metadata=OWN)
    ids: list[str] = field(default_factory=list, repr=False, compare=False, metadata={"json": False})
    metric: str = field(default="accuracy", metadata=OWN)

    def to_predictions(self, kind: str = "polars") -> Any:
        """Return a frame of all predictions in the long layout, one row per fit and predicted item."""
        rows = list(self._iterate_predictions())
        return convert_frame(pl.DataFrame(rows, schema=self._column_names(), orient="row"), kind)

    def reorder(self, order: Array) -> TrainingRun:
        """Return the run with other row numbers: row n becomes row `order[n]`."""
        ids = take_rows(self.ids, invert_order(order))
        return replace(self, ids=ids, fits=[fit.reorder(order) for fit in self.fits])

    def blocks(self) -> Iterator[Block]:
        """Yield the score of every fit, and the mean of every system."""
        from assay.models.view import show_training

        yield from show_training(self)

    def _column_names(self) -> list[str]:
        numbers = [name for name in ("fold", "repeat") if any(getattr(fit, name) is not None for fit in self.fits)]
        return ["system", "id", "predicted", *numbers, *(f"prob:{label}" for label in self.labels)]

    def _iterate_predictions(self) -> Iterator[tuple[Any, ...]]:
        numbers = [name for name in self._column_names() if name in ("fold", "repeat")]
        for fit in self.fits:
            assert fit.rows is not None
            assert fit.prediction is not None
            table = fit.prediction.spread_over(self.labels).tolist()
            places = [getattr(fit, name) for name in numbers]
            for row, label, shares in zip(fit.rows.test.tolist(), fit.prediction.predicted, table, strict=True):
                yield (fit.system, self.ids[row], label, *places, *shares)


@entry_point(ReadingArguments, model="models")
def train(
    data: DataSource,
    models: str | Sequence[str] = ("linear",),
    *,
    folds: Folds | None = None,
    settings: Options | None = None,
    predict: str | Sequence[str] = (),
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
    **reading: Unpack[ReadingArguments],
) -> TrainingRun:
    """Fit every model under every fold of `folds`, or on the data's own parts, and predict the held-out rows.

    Without folds, models learn from train, stop early by dev, and predict test (or the parts in `predict`). If there is
    no dev part, models that stop early hold out 12.5% of training. For kinds without classes (multiple choice, graded,
    tagging, multilabel, preference) the linear model is the quick model of the kind.

    `data` is a `Dataset` or anything `assay.read` takes.

    >>> texts = ["good film", "bad film", "good plot", "bad plot", "so good", "so bad"]
    >>> data = {"text": texts, "label": ["pos", "neg"] * 3, "split": ["train"] * 4 + ["test"] * 2}
    >>> train(data).fits[0].accuracy
    1.0
    """
    names, predict = list(dict.fromkeys(list_strings(models))), list_strings(predict)
    given = take_data(data, reading)
    order, dataset = given.order, given.sort_rows()
    if kind_of(dataset).learning.has_models and not (kind_of(dataset).gold.has_text_labels and names != [LINEAR]):
        from assay.models.quick.training import train_quick_model

        run = train_quick_model(
            dataset, names, folds=folds, settings=settings, predict=predict, random_state=random_state
        )
        return run.reorder(order)
    chosen = {name: resolve_settings(name, settings or {}, names) for name in names}
    filled = check_text_labels(dataset).fill_texts()
    if folds is None:
        split, notes = split_by_parts(filled, predict, random_state)
        splits = [split]
    else:
        splits, notes = split_by_folds(filled, folds), []
    _refuse_empty_training(names, splits)
    X, y = list_items(filled), _fill_labels(filled)
    work: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
    fits = fit_under_splits(chosen, [(rows.name, rows) for rows in splits], X, y, **work)
    labels = sorted({label for fit in fits for label in fit.result.classes})
    all_notes = list(dict.fromkeys([*notes, *list_notes(fits)]))
    return TrainingRun([_score_fit(fit, y) for fit in fits], labels, all_notes, filled.ids.to_list()).reorder(order)


def write_predictions(path: str | Path, run: TrainingRun) -> None:
    """Write the long layout: system, id, predicted, fold and repeat if there are any, and prob:<label> columns."""
    _refuse_breaks([*run.labels, *run.ids])
    with open_for_writing(path) as file:
        for cells in chain([run._column_names()], run._iterate_predictions()):  # noqa: SLF001, of this module
            file.write("\t".join(f"{cell:.8g}" if isinstance(cell, float) else str(cell) for cell in cells) + "\n")


def _refuse_empty_training(models: Sequence[str], splits: Sequence[RowSplit]) -> None:
    for rows in splits:
        if not len(rows.train):
            place = ", ".join(part for part in (models[0], rows.name) if part)
            raise AssayError("no labelled row to learn from", place=place)


def _fill_labels(data: Dataset) -> list[str]:
    assert data.labels is not None
    return [label if label is not None else "" for label in data.labels.to_list()]


def _score_fit(fit: SplitFit, y: list[str]) -> ModelFit:
    rows, result = fit.rows, fit.result
    gold = np.array([y[row] for row in rows.test.tolist()], dtype=object)
    known = gold != ""
    right, n = int((result.predicted[known] == gold[known]).sum()), int(known.sum())
    accuracy = right / n if n else float("nan")
    return ModelFit(fit.model, accuracy, right, n, len(rows.train), rows.fold, rows.repeat, rows, result)


def _refuse_breaks(cells: Sequence[str]) -> None:
    broken = [repr(cell) for cell in cells if any(mark in cell for mark in "\t\n\r")]
    if broken:
        raise AssayError(f"A TSV file cannot hold tabs or line breaks in ids or labels: {join_names(broken)}.")
