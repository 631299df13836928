"""Slices on which the difference goes the other way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.decisions.estimation import scale_interval
from assay.decisions.pairs import ItemPair
from assay.decisions.results import SliceDifference
from assay.evaluation import PreparedPredictions
from assay.evaluation.slices.columns import name_slices
from assay.statistics import Interval

MIN_SLICE_ITEMS = 10
MAX_SLICES = 200  # of all columns together, if none is named
MAX_VALUES = 60  # of a column that is not named


def find_reversed_slices(
    prepared: PreparedPredictions,
    pair: ItemPair,
    by: Sequence[str],
    alpha: float,
    factor: float,
    estimate: Callable[[ItemPair, float, Array | None], Interval],
) -> tuple[list[SliceDifference], int]:
    """Return the slices whose difference has the other sign beyond chance, and how many slices were checked.

    Intervals are corrected for the number of slices (Bonferroni), so that any false alarm has a probability of alpha.
    """
    masks = list(_list_slices(prepared, pair, by))
    sign = np.sign(estimate(pair, 1 - alpha, None).value)
    if not masks or sign == 0:
        return [], len(masks)
    rows = []
    for column, name, mask in masks:
        interval = estimate(pair, 1 - alpha / len(masks), mask)
        if (interval.high < 0) if sign > 0 else (interval.low > 0):
            n = int((mask & pair.shared).sum())
            rows.append(SliceDifference(column, name, n, scale_interval(interval, factor)))
    rows.sort(key=lambda row: sign * row.difference.value)
    return rows, len(masks)


def _list_slices(prepared: PreparedPredictions, pair: ItemPair, by: Sequence[str]) -> Iterator[tuple[str, str, Array]]:
    n_items, n_listed = len(pair.ids), 0
    for column in by or _list_columns(prepared):
        try:
            names = name_slices(prepared, column)[:n_items]
        except AssayError:
            if by:
                raise
            continue
        values = sorted({name for name in names.tolist() if name is not None})
        if not by and not 1 < len(values) <= MAX_VALUES:
            continue
        for value in values:
            mask = np.array([name == value for name in names.tolist()], dtype=bool)
            if (mask & pair.shared).sum() >= MIN_SLICE_ITEMS and (by or n_listed < MAX_SLICES):
                n_listed += 1
                yield column, value, mask


def _list_columns(prepared: PreparedPredictions) -> list[str]:
    """Return the columns that are not texts, ids or answers, and the length of the texts."""
    data = prepared.predictions.data
    if data is None:
        return []
    others = [name for name in data.frame.columns if name not in {"id", *prepared.predictions.names}]
    return [*(name for name in others if 1 < data.frame[name].n_unique() <= MAX_VALUES), "length"]
