"""Grades: tenths for stratified splits, and baselines that predict numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array, Values
from assay.kinds.facts import BaselineAnswers, Shortcut
from assay.kinds.quick_models import QuickModel
from assay.kinds.tools.learning import (
    answer_with_models,
    count_frequent_words,
    fit_linear,
    plan_learning,
    scale_columns,
    weigh_words,
)

if TYPE_CHECKING:
    import polars as pl
    from scipy.sparse import csr_matrix

    from assay.data import Dataset

N_QUANTILES = 10
MEAN = "training mean"
PENALTIES = (1.0, 5.0, 25.0)  # of the ridge regression, of which the best on held-out training rows is taken
MIN_ROWS_TO_CHOOSE = 100


def name_quantiles(labels: pl.Series) -> pl.Series:
    """Return the tenth that each grade is in, named by its ends; equal grades stay together.

    >>> import polars as pl
    >>> name_quantiles(pl.Series([str(grade) for grade in range(20)])).to_list()[:3]
    ['0 to 1', '0 to 1', '2 to 3']
    """
    import polars as pl

    grades = labels.cast(pl.Float64, strict=False).to_numpy()
    known = np.isfinite(grades)
    if not known.any():
        return labels
    numbers = grades[known]
    edges = np.unique(np.quantile(numbers, np.arange(1, N_QUANTILES) / N_QUANTILES, method="inverted_cdf"))
    bins = np.searchsorted(edges, numbers, side="left")
    names = np.full(len(grades), None, dtype=object)
    chosen = np.empty(len(numbers), dtype=object)
    for number in np.unique(bins):
        inside = numbers[bins == number]
        chosen[bins == number] = f"{inside.min():g} to {inside.max():g}"
    names[known] = chosen
    return pl.Series(labels.name, names.tolist(), dtype=pl.String)


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield grades by a line through length, through shared words, by frequent words, and by a ridge regression."""
    if data.labels is None:
        return
    table = GradeTable(data)
    plan = plan_learning(data, rows, np.isfinite(table.grades), random_state)
    if plan is not None:
        models = [model for model in build_models(data) if model.shortcut != "constant"]
        yield from answer_with_models([*models[1:], models[0]], plan, rows, len(data))


def build_models(data: Dataset) -> list[QuickModel]:
    """Return the ridge regression, regressions on length, shared words and frequent words alone, and the mean."""
    table = GradeTable(data)

    def make(name: str, shortcut: Shortcut, sees: str, part: str) -> QuickModel:
        return QuickModel(name, shortcut, sees, lambda train, test: table.predict(getattr(table, part), train, test))

    models = [make("ridge-words", "model", "the texts", "whole"), make("length", "length", "lengths", "lengths")]
    if len(table.sides) == 2:
        models.append(make("overlap", "overlap", "shares of common words", "overlap"))
    models.append(make("frequent-words", "frequent words", "the 100 most frequent words", "frequent"))
    return [*models, QuickModel("mean", "constant", "nothing", table.repeat_mean)]


class GradeTable:
    """The grades, and what linear models see of the texts."""

    def __init__(self, data: Dataset) -> None:
        import polars as pl

        labels = data.labels
        self.grades: Array = np.full(len(data), np.nan)
        if labels is not None:
            self.grades = labels.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy().astype(float)
        self.sides: list[list[str]] = [side.fill_null("").to_list() for side in data.sides]

    @cached_property
    def lengths(self) -> csr_matrix:
        """The logarithms of the numbers of words, and their difference."""
        counts = np.stack([np.log1p([len(text.split()) for text in side]) for side in self.sides], axis=1)
        return _make_sparse(np.hstack([counts, counts[:, :1] - counts[:, -1:]]))

    @cached_property
    def overlap(self) -> csr_matrix:
        """The share of common words among all, and among the shorter text's."""
        return _make_sparse(np.array([_compare_words(one, two) for one, two in zip(*self.sides, strict=True)]))

    @cached_property
    def frequent(self) -> csr_matrix:
        """The shares of the most frequent words, side by side."""
        from scipy import sparse

        return sparse.hstack([count_frequent_words(side) for side in self.sides]).tocsr()

    @cached_property
    def whole(self) -> csr_matrix:
        """The words and word pairs of every side, lengths, the most frequent words, and shared words."""
        from scipy import sparse

        numbers = [self.lengths, self.frequent, *([self.overlap] if len(self.sides) == 2 else [])]
        return sparse.hstack([*(weigh_words(side) for side in self.sides), *numbers]).tocsr()

    def predict(self, features: Values, train: Array, test: Array) -> list[str]:
        """Learn grades from some rows by a ridge regression, and return those of others."""
        known = train[np.isfinite(self.grades[train])]
        return [
            write_grade(value) for value in self._regress(features, known, test, self._choose_penalty(features, known))
        ]

    def _regress(self, features: csr_matrix, train: Array, test: Array, penalty: float) -> Array:
        mean = float(self.grades[train].mean()) if len(train) else 0.0
        return np.asarray(mean + features[test] @ fit_linear(features[train], self.grades[train] - mean, penalty))

    def _choose_penalty(self, features: Values, train: Array) -> float:
        """Return the penalty with the smallest error on a fifth of training; the first if there are few rows."""
        if len(train) < MIN_ROWS_TO_CHOOSE:
            return PENALTIES[0]
        is_held_out = np.random.default_rng(0).permutation(len(train)) % 5 == 0
        inner, held_out = train[~is_held_out], train[is_held_out]
        gold = self.grades[held_out]
        errors = [((self._regress(features, inner, held_out, each) - gold) ** 2).sum() for each in PENALTIES]
        return PENALTIES[int(np.argmin(errors))]

    def repeat_mean(self, train: Array, test: Array) -> list[str]:
        """Answer with the mean grade of training."""
        return [write_grade(float(np.nanmean(self.grades[train])))] * len(test)


def write_grade(value: float) -> str:
    """Write a predicted grade as text."""
    return f"{value:.6g}"


def attach_mean(data: Dataset, train: Dataset) -> Dataset:
    """Return the data with the mean grade of training."""
    import polars as pl

    mean = float(np.nanmean(GradeTable(train).grades))
    return replace(data, attachments={**data.attachments, MEAN: pl.DataFrame({"mean": [mean]})})


def collect_squares(data: Dataset, answers: Sequence[str | None]) -> Array:
    """Return for each item the squared error, and that of the mean grade of training; zeros if either is missing.

    Without training (see `attach_mean`) it is the mean of the items themselves.
    """
    gold = GradeTable(data).grades
    said = np.array([_read_number(answer) for answer in answers], dtype=float)
    mean = float(data.attachments[MEAN]["mean"][0]) if MEAN in data.attachments else float(np.nanmean(gold))
    table = np.stack([(gold - said) ** 2, (gold - mean) ** 2], axis=1)
    table[~np.isfinite(table).all(axis=1)] = 0.0
    return table


def compute_r2(sums: Array) -> Array:
    """Return 1 − squared error / squared error of the mean grade.

    >>> compute_r2(np.array([1.0, 4.0])).item()
    0.75
    """
    error, below = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    return 1 - np.divide(error, below, out=np.full(np.shape(below), np.nan), where=below > 1e-12)


def _read_number(answer: str | None) -> float:
    try:
        return float(answer) if answer else float("nan")
    except ValueError:
        return float("nan")


def _make_sparse(numbers: Array) -> csr_matrix:
    from scipy import sparse

    return sparse.csr_matrix(scale_columns(numbers))


def _compare_words(first: str, second: str) -> list[float]:
    """Return the share of common words among all, and among the shorter text's."""
    one, two = set(first.casefold().split()), set(second.casefold().split())
    shared = len(one & two)
    return [shared / max(len(one | two), 1), shared / max(min(len(one), len(two)), 1)]
