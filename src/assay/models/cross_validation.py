"""Predictions of models for rows they did not learn from: under random folds, own parts and challenging splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import AssayError
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.models.fitting import fit_under_splits
from assay.models.inputs import list_items
from assay.models.row_splits import RowSplit, split_by_draw, split_by_parts
from assay.models.split_drawing import (
    CHALLENGING_SPLITS,
    DRAWN_OFTEN,
    N_DRAWS,
    N_SPLITS,
    RANDOM,
    STANDARD,
    TEST_SIZE,
    NamedSplits,
    SplitSizes,
    draw_challenging,
    draw_named_splits,
)
from assay.splits import SPLITS
from assay.splits.items import Ready
from assay.statistics import wilson
from assay.tasks.running import Cache
from assay.views.results import Result, convert_frame
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.models.counted_texts import CountedTexts
    from assay.text import Corpus

MIN_ITEMS = 50
MIN_ITEMS_OF_LABEL = 3
MIN_PROBABILITY = 1e-6


@dataclass(frozen=True)
class HeldOutPredictions:
    """The predictions of a model for the rows that one fold, or one draw, of a split holds out."""

    split: str
    model: str
    fold: int
    rows: Array = field(repr=False)
    probabilities: Array = field(repr=False)
    predicted: Array = field(repr=False)


@dataclass(frozen=True)
class SplitScore(Result):
    """Accuracy of a model under a split, over all held-out items, with Wilson's interval."""

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    accuracy: Interval
    n: int


@dataclass(frozen=True, repr=False)
class OutOfFoldPredictions:
    """Labelled items, their labels as numbers, and what models predicted for them under every split.

    `folds` holds for each split the number of the fold that holds out an item, 0 if none does; of a split that is
    drawn several times, it holds the first draw.
    """

    data: Dataset
    label_names: list[str]
    codes: Array
    predictions: list[HeldOutPredictions]
    folds: dict[str, Array]
    notes: list[str] = field(metadata=NAME)

    @property
    def models(self) -> list[str]:
        """Name the models, the first one first."""
        return list(dict.fromkeys(prediction.model for prediction in self.predictions))

    @property
    def splits(self) -> list[str]:
        """Name the splits under which models were trained."""
        return list(dict.fromkeys(prediction.split for prediction in self.predictions))

    def select(self, split: str, model: str | None = None) -> list[HeldOutPredictions]:
        """Return the predictions under a split, of one model (the first if none is named)."""
        name = model or self.predictions[0].model
        return [one for one in self.predictions if one.split == split and one.model == name]

    def average_probabilities(self) -> Array:
        """Return the probabilities of each item when a random fold held it out: the models' geometric mean."""
        logs = np.zeros((len(self.codes), len(self.label_names)))
        for prediction in self.predictions:
            if prediction.split == RANDOM:
                logs[prediction.rows] += np.log(np.maximum(prediction.probabilities, MIN_PROBABILITY))
        shares = np.exp(logs / len(self.models))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def score_items(self, split: str, model: str | None = None) -> tuple[Array, Array]:
        """Return the held-out rows of a split, and 1.0 if the model was right and 0.0 if it was wrong."""
        selected = self.select(split, model)
        if not selected:
            return np.zeros(0, np.int64), np.zeros(0)
        rows = np.concatenate([prediction.rows for prediction in selected])
        predicted = np.concatenate([prediction.predicted for prediction in selected])
        return rows, (predicted == self.codes[rows]).astype(float)

    def score_splits(self) -> list[SplitScore]:
        """Return the accuracy of every model under every split."""
        scores = []
        for model in self.models:
            for split in self.splits:
                right = self.score_items(split, model)[1]
                scores.append(SplitScore(split, model, wilson(float(right.sum()), len(right)), len(right)))
        return scores

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the scores as a frame, one row per split and model."""
        rows = [
            {"split": score.split, "model": score.model, "accuracy": score.accuracy.value, "n": score.n}
            for score in self.score_splits()
        ]
        return convert_frame(pl.DataFrame(rows), kind)

    def __repr__(self) -> str:
        scores = ", ".join(f"{score.split} {score.accuracy.value:.3f} ({score.model})" for score in self.score_splits())
        return f"OutOfFoldPredictions({len(self.codes):,} items, {len(self.label_names)} labels: {scores})"


def cross_validate(
    data: Dataset,
    models: Mapping[str, Options],
    *,
    splits: Sequence[str] = CHALLENGING_SPLITS,
    n_splits: int = N_SPLITS,
    n_draws: int = N_DRAWS,
    test_size: float = TEST_SIZE,
    texts: CountedTexts | None = None,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> OutOfFoldPredictions:
    """Fit models under random folds, the data's own parts and every challenging split that the data allows.

    A split into folds holds out each fold once. A random split into two sides is drawn `n_draws` times.
    `models` maps names to settings. Every item needs a label (see `select_trainable`). Splits that the data cannot
    give are named in `notes`. What is ready is not computed again: `texts` with their n-gram counts, `corpus` (words
    of `data.texts`) and `vectors` (one row per item, for the splits that cluster texts).
    """
    assert data.labels is not None
    labels, names = data.labels.to_list(), data.label_names
    ready: Ready = {"corpus": corpus, "vectors": vectors}
    sizes = SplitSizes(n_splits, n_draws, test_size)
    row_splits, notes = _draw_row_splits(data, splits, sizes, random_state, ready)
    X = list_items(data) if texts is None else texts
    work: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs, "backend": backend, "cache": cache}
    predictions = []
    for fit in fit_under_splits(models, row_splits, X, labels, **work):
        table, rows = fit.result.spread_over(names), fit.rows
        place = (fit.split, fit.model, rows.fold or 0)
        predictions.append(HeldOutPredictions(*place, rows.test, table, table.argmax(axis=1)))
    folds: dict[str, Array] = {}
    for split, rows in row_splits:
        fold_numbers = folds.setdefault(split, np.zeros(len(data), np.int64))
        if split not in DRAWN_OFTEN or not fold_numbers.any():
            fold_numbers[rows.test] = rows.fold or 1
    numbers = {name: number for number, name in enumerate(names)}
    codes = np.array([numbers[label] for label in labels])
    return OutOfFoldPredictions(data, names, codes, predictions, folds, notes)


def select_trainable(data: Dataset) -> Dataset:
    """Return the rows whose label at least three rows have, or raise if these are too few to train on."""
    return data.take(find_trainable_rows(data))


def find_trainable_rows(data: Dataset) -> Array:
    """Return the numbers of the rows whose label at least three rows have, or raise if these are too few."""
    labels = [] if data.labels is None else data.labels.to_list()
    counts = Counter(label for label in labels if label is not None)
    rows = np.flatnonzero([counts[label] >= MIN_ITEMS_OF_LABEL for label in labels])
    if len(rows) < MIN_ITEMS or len({labels[row] for row in rows.tolist()}) < 2:
        raise AssayError(f"{len(rows)} labelled items are too few to train on; at least {MIN_ITEMS} are needed.")
    return rows


def _draw_row_splits(
    data: Dataset, splits: Sequence[str], sizes: SplitSizes, random_state: int, ready: Ready
) -> tuple[NamedSplits, list[str]]:
    groups = None if data.groups is None else data.groups.to_list()
    draw = partial(_draw, data)
    stratified = draw("stratified", groups, {}, n_splits=sizes.n_splits, random_state=random_state)
    row_splits = [(RANDOM, rows) for rows in stratified]
    if {"train", "test"} <= set(data.part_names):
        row_splits.append((STANDARD, split_by_parts(data, random_state=random_state)[0]))
    options: dict[str, Any] = {"sizes": sizes, "groups": groups, "ready": ready, "random_state": random_state}
    drawn, notes = draw_named_splits(splits, lambda name: draw_challenging(data, name, draw, **options))
    return [(name, rows) for name, rows in row_splits + drawn if _has_two_labels(data, rows.train)], notes


def _draw(data: Dataset, name: str, groups: Values | None, ready: Ready, **options: Any) -> list[RowSplit]:
    assert data.labels is not None
    draw = SPLITS[name](**options).partition(data.texts.to_list(), data.labels.to_list(), groups, **ready)
    return split_by_draw(data, draw)


def _has_two_labels(data: Dataset, rows: Array) -> bool:
    assert data.labels is not None
    return data.labels.gather(rows).n_unique() > 1
