"""Krippendorff's alpha: agreement of any number of raters, with gaps, on names, ranks or numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import UsageError, unknown_name
from assay.statistics.bootstrap import bootstrap_sums
from assay.statistics.bootstrap_intervals import bca
from assay.views.values import Interval

MAX_EXACT = 2.0**53  # larger whole numbers are rounded in an array
MAX_SPAN = 10_000
LEVELS = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    ratings: Sequence[Values],
    level: Literal["nominal", "ordinal", "interval", "ratio"] = "nominal",
    *,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> Interval:
    """Return alpha of a table with one row per item and one column per rater; None (or nan) is a missing rating.

    1 is perfect agreement and 0 that of ratings drawn at random from all ratings. Items with fewer than two ratings do
    not count. The interval is a BCa bootstrap over items, nan if `n_resamples` is 0. Undefined (nan) if all ratings
    are alike. The level `ratio` is for numbers with a true zero, such as counts: it compares differences with sums.

    >>> round(krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]]).value, 3)
    0.444
    """
    if level not in LEVELS:
        raise unknown_name("level of measurement", level, LEVELS)
    codes, values = _number_ratings(ratings, level)
    codes = codes[(codes >= 0).sum(axis=1) >= 2]
    undefined = Interval(math.nan, math.nan, math.nan, confidence, "krippendorff-alpha")
    if not len(codes):
        return undefined
    if level == "ratio" and values.min() < 0:
        raise UsageError("needs ratings that are not negative", option="level")
    if n_resamples == 0 and level != "interval":
        alpha = float(_alpha_of_pairs(_sum_pairs(codes, len(values)), level, values)[0])
        return Interval(alpha, math.nan, math.nan, confidence, "krippendorff-alpha")
    statistics = _sum_moments(codes, values) if level == "interval" else _count_pairs(codes, len(values))
    compute = _alpha_of_moments if level == "interval" else partial(_alpha_of_pairs, level=level, values=values)
    total = statistics.sum(axis=0, keepdims=True)
    value = float(compute(total)[0])
    if math.isnan(value) or len(codes) < 2 or n_resamples == 0:
        return Interval(value, math.nan, math.nan, confidence, "krippendorff-alpha")
    resampled = compute(bootstrap_sums(statistics, n_resamples, random_state))
    left_out = compute(total - statistics)
    interval = bca(value, resampled, left_out, confidence)
    return Interval(value, interval.low, interval.high, confidence, "krippendorff-alpha")


def _number_ratings(ratings: Sequence[Values], level: str) -> tuple[Array, Array]:
    """Return the table as numbers of the sorted distinct ratings, −1 if there is none, and the ratings."""

    def is_given(rating: object) -> bool:
        return rating is not None and rating == rating

    table = _read_numbers(ratings, level)
    if table is not None:
        given = table == table
        values, numbered = _number_values(table[given])
        codes = np.full(table.shape, -1)
        codes[given] = numbered
        return codes, np.arange(len(values), dtype=float) if level == "nominal" else values
    if level == "nominal":
        names = sorted({str(rating) for row in ratings for rating in row if is_given(rating)})
        numbers: dict[Any, int] = {name: code for code, name in enumerate(names)}
        coded = [[numbers[str(rating)] if is_given(rating) else -1 for rating in row] for row in ratings]
        return _to_table(coded), np.arange(len(names), dtype=float)
    distinct = sorted({float(rating) for row in ratings for rating in row if is_given(rating)})
    numbers = {value: code for code, value in enumerate(distinct)}
    coded = [[numbers[float(rating)] if is_given(rating) else -1 for rating in row] for row in ratings]
    return _to_table(coded), np.array(distinct)


def _read_numbers(ratings: Any, level: str) -> Array | None:
    """Return a table of numbers as an array, nan for missing ones; None if the ratings are of several types, or names."""
    if isinstance(ratings, np.ndarray):
        is_number = ratings.ndim == 2 and ratings.dtype.kind in "iuf"
        table = ratings.astype(float) if is_number else None
    else:
        cells = list(chain.from_iterable(ratings))
        kinds = set(map(type, cells)) - {type(None)}
        is_number = kinds <= {int, float} and (level != "nominal" or len(kinds) == 1)  # 1 and 1.0 are two names
        is_table = is_number and len(set(map(len, ratings))) == 1
        table = np.array(cells, dtype=float).reshape(len(ratings), -1) if is_table else None
    is_exact = table is not None and (not table.size or np.nanmax(np.abs(table), initial=0) < MAX_EXACT)
    return table if is_exact else None


def _number_values(ratings: Array) -> tuple[Array, Array]:
    """Return the sorted distinct ratings, and the number of each rating among them."""
    if len(ratings) and np.ptp(ratings) < MAX_SPAN:
        lowest = ratings.min()
        places = (ratings - lowest).astype(np.int64)
        if (places + lowest == ratings).all():
            is_used = np.bincount(places) > 0
            return np.flatnonzero(is_used) + lowest, (np.cumsum(is_used) - 1)[places]
    return np.unique(ratings, return_inverse=True)


def _to_table(rows: list[list[int]]) -> Array:
    width = max((len(row) for row in rows), default=0)
    table = np.full((len(rows), width), -1)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return table


def _count_pairs(codes: Array, n_values: int) -> Array:
    """Return for each item how often each pair of ratings occurs, divided by its number of ratings less one."""
    counts = _count_ratings(codes, n_values)
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(n_values), np.arange(n_values)] -= counts
    return np.asarray((pairs / (counts.sum(axis=1) - 1)[:, None, None]).reshape(len(codes), -1))


def _sum_pairs(codes: Array, n_values: int) -> Array:
    """Return the sum of `_count_pairs` over all items."""
    counts = _count_ratings(codes, n_values)
    weighted = counts / (counts.sum(axis=1) - 1)[:, None]
    return np.asarray(counts.T @ weighted - np.diag(weighted.sum(axis=0))).reshape(1, -1)


def _count_ratings(codes: Array, n_values: int) -> Array:
    """Return how often each item has each rating."""
    cells = (codes + n_values * np.arange(len(codes))[:, None])[codes >= 0]
    return np.bincount(cells, minlength=len(codes) * n_values).reshape(len(codes), n_values).astype(float)


def _alpha_of_pairs(sums: Array, level: str, values: Array) -> Array:
    n_values = math.isqrt(sums.shape[1])
    tables = sums.reshape(-1, n_values, n_values)
    totals = tables.sum(axis=2)
    n = totals.sum(axis=1)
    distances = 1 - np.eye(n_values)[None]
    if level == "ordinal":
        distances = _rank_distances(totals)
    elif level == "ratio":
        distances = _ratio_distances(values)[None]
    observed = (tables * distances).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distances).sum(axis=(1, 2)) / (n - 1)
    return _one_minus_ratio(observed, expected)


def _rank_distances(totals: Array) -> Array:
    """Return squared distances of ranks: how many ratings lie between two values, with half of each end."""
    below = np.cumsum(totals, axis=1) - totals / 2
    return np.asarray((below[:, :, None] - below[:, None, :]) ** 2)


def _ratio_distances(values: Array) -> Array:
    """Return squared differences relative to the sum of two values; two zeros are equal.

    >>> _ratio_distances(np.array([0.0, 1.0, 3.0])).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 0.25], [1.0, 0.25, 0.0]]
    """
    sums = values[:, None] + values[None, :]
    return np.divide(values[:, None] - values[None, :], sums, out=np.zeros_like(sums), where=sums > 0) ** 2


def _sum_moments(codes: Array, values: Array) -> Array:
    """Return for each item the number, sum and sum of squares of its ratings, and their disagreement."""
    given = codes >= 0
    shifted = values - values.mean()
    ratings = np.where(given, shifted[codes], 0.0)
    n, total, squares = given.sum(axis=1), ratings.sum(axis=1), (ratings**2).sum(axis=1)
    return np.column_stack([n, total, squares, (n * squares - total**2) / (n - 1)])


def _alpha_of_moments(sums: Array) -> Array:
    n, total, squares, disagreement = sums.T
    return _one_minus_ratio(disagreement * (n - 1), n * squares - total**2)


def _one_minus_ratio(observed: Array, expected: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 1e-12, 1 - observed / expected, np.nan)
