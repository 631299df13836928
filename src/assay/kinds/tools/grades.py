"""Grades: tenths for stratified splits, and baselines that predict numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.tools.learning import LearningPlan, fit_linear, plan_learning, weigh_words

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

N_QUANTILES = 10


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
    """Yield grades by a line through length, through shared words, and by a ridge regression on words."""
    import polars as pl

    if data.labels is None:
        return
    grades = data.labels.cast(pl.Float64, strict=False).to_numpy()
    plan = plan_learning(data, rows, np.isfinite(grades), random_state)
    if plan is None:
        return
    sides = [side.fill_null("").to_list() for side in data.sides]
    lengths = np.stack([np.log1p([len(text.split()) for text in side]) for side in sides], axis=1)
    yield _predict("length", "length", np.hstack([lengths, lengths[:, :1] - lengths[:, -1:]]), grades, rows, plan)
    numbers = lengths
    if len(sides) == 2:
        overlap = np.array([_compare_words(one, two) for one, two in zip(*sides, strict=True)])
        yield _predict("overlap", "overlap", overlap, grades, rows, plan)
        numbers = np.hstack([lengths, overlap])
    words = [weigh_words(side) for side in sides]
    yield _predict("ridge-words", "model", numbers, grades, rows, plan, words)


def _compare_words(first: str, second: str) -> list[float]:
    """Return the share of common words among all, and among the shorter text's."""
    one, two = set(first.casefold().split()), set(second.casefold().split())
    shared = len(one & two)
    return [shared / max(len(one | two), 1), shared / max(min(len(one), len(two)), 1)]


def _predict(
    name: str,
    shortcut: Any,
    numbers: Array,
    grades: Array,
    rows: Array,
    plan: LearningPlan,
    words: list[Any] | None = None,
) -> BaselineAnswers:
    """Predict grades out of sample by a linear model of standardised numbers, and of words where there are any."""
    from scipy import sparse

    spread = numbers.std(axis=0)
    columns = (numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1)
    features = sparse.hstack([*(words or ()), sparse.csr_matrix(columns)]).tocsr()
    predicted = np.full(len(grades), np.nan)
    for train, test in plan.folds:
        mean = grades[train].mean()
        weights = fit_linear(features[train], grades[train] - mean)
        predicted[test] = mean + features[test] @ weights
    return BaselineAnswers(name, shortcut, [f"{value:.6g}" for value in predicted[rows]], plan.based_on)
