"""Sub-datasets: a parent cut by three of its features into disjoint pieces, many times (Xiao et al. 2022, §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.marks import OWN
from assay.features import LabelledTexts
from assay.forecast.sampling import MAX_TEST_ROWS, MAX_TRAIN_ROWS, MIN_ROWS, MIN_TEST_ROWS, keep_frequent_labels
from assay.views.results import Result
from benchmarks.studies.forecast.text_values import TEXT_VALUES

LABEL_SUBSET = "label_subset"
N_CUT_FEATURES = 3
MIN_TRAIN_ROWS = 600
SHIFTED_SHARE = 0.25  # of the pieces: their test part differs from training in one feature


def _no_rows() -> Array:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class SubDataset(Result):
    """One sub-dataset: rows of its parent for train, dev and test, and how it was cut.

    `small` is set where the parent did not allow 1,000 rows with 300 of them for test.
    """

    cut: int
    features: tuple[str, ...] = field(metadata=OWN)
    shift: str | None = field(metadata=OWN)
    small: bool
    train: Array = field(default_factory=_no_rows, repr=False, compare=False, metadata={"json": False})
    dev: Array = field(default_factory=_no_rows, repr=False, compare=False, metadata={"json": False})
    test: Array = field(default_factory=_no_rows, repr=False, compare=False, metadata={"json": False})


def cut_dataset(
    texts: Any,
    labels: Any,
    *,
    groups: Any = None,
    n_pieces: int = 70,
    min_rows: int = MIN_ROWS,
    random_state: int = 0,
) -> list[SubDataset]:
    """Cut labelled texts into `n_pieces` sub-datasets; the pieces of one cut share no row.

    Each cut takes three features at random (numbers of a text, or a subset of the labels) and divides by one after
    the other at random quantiles, never below `min_rows`. A piece draws a training size between 600 and 1,800 rows,
    a sixth of that as dev and up to 1,000 rows as test; rows of a group stay on one side. In a quarter of the pieces
    test rows lie higher in one feature than training rows. Labels with fewer than ten rows in a piece are left out.
    """
    part = LabelledTexts.from_texts(texts, labels)
    if len(part.label_names) < 2:
        raise AssayError(f"Cutting needs at least two labels; there are {len(part.label_names)}.")
    values = {name: measure(part) for name, measure in TEXT_VALUES.items()}
    codes = np.unique(np.asarray(groups), return_inverse=True)[1] if groups is not None else np.arange(len(part))
    pieces: list[SubDataset] = []
    for cut, seed in enumerate(np.random.SeedSequence(random_state).spawn(20 * n_pieces)):
        pieces += _cut_once(cut, values, part.labels, codes, min_rows, np.random.default_rng(seed))
        if len(pieces) >= n_pieces:
            return pieces[:n_pieces]
    raise AssayError(f"{len(part)} rows give no {n_pieces} sub-datasets with two labels of ten rows each.")


def _cut_once(
    cut: int, values: dict[str, Array], labels: Array, groups: Array, min_rows: int, rng: np.random.Generator
) -> Iterator[SubDataset]:
    """Yield the pieces of one cut in random order, so that stopping early favours none."""
    features = tuple(rng.choice([*values, LABEL_SUBSET], N_CUT_FEATURES, replace=False).tolist())
    parts = [np.flatnonzero(labels >= 0)]
    for feature in features:
        parts = [
            half
            for rows in parts
            for half in (
                _divide_by_label(rows, labels, min_rows, rng)
                if feature == LABEL_SUBSET
                else _divide_by_value(rows, values[feature], min_rows, rng)
            )
        ]
    for number in rng.permutation(len(parts)):
        rows = keep_frequent_labels(parts[number], labels)
        if len(rows) >= min(min_rows, 50) and len(np.unique(labels[rows])) >= 2:
            piece = _draw_piece(cut, features, rows, values, groups, rng)
            if min(len(np.unique(labels[part])) for part in (piece.train, piece.dev, piece.test)) >= 2:
                yield piece


def _divide_by_value(rows: Array, values: Array, min_rows: int, rng: np.random.Generator) -> list[Array]:
    """Divide rows at one or two random quantiles; return them whole where a piece would be too small."""
    quantiles = rng.uniform(0.35, 0.65, 1) if rng.random() < 0.6 else rng.uniform([0.25, 0.55], [0.45, 0.75])
    bins = np.searchsorted(np.quantile(values[rows], quantiles, method="lower"), values[rows], side="left")
    return _merge_small(rows, bins, min_rows)


def _divide_by_label(rows: Array, labels: Array, min_rows: int, rng: np.random.Generator) -> list[Array]:
    """Divide the labels at random into two to four sets of at least two, and the rows with them."""
    names = rng.permutation(np.unique(labels[rows]))
    n_sets = min(int(rng.integers(2, 5)), len(names) // 2)
    if n_sets < 2:
        return [rows]
    bounds = np.sort(rng.choice(np.arange(1, len(names) // 2), n_sets - 1, replace=False)) * 2
    set_of_label = np.zeros(labels.max() + 1, dtype=np.int64)
    set_of_label[names] = np.searchsorted(bounds, np.arange(len(names)), side="right")
    return _merge_small(rows, set_of_label[labels[rows]], min_rows)


def _merge_small(rows: Array, bins: Array, min_rows: int) -> list[Array]:
    """Return the rows of each bin; bins that are too small go together with the next one."""
    merged: list[Array] = []
    pending = _no_rows()
    for number in np.unique(bins):
        pending = np.concatenate([pending, rows[bins == number]])
        if len(pending) >= min_rows:
            merged.append(pending)
            pending = _no_rows()
    if len(pending):
        last = merged.pop() if merged else _no_rows()
        merged.append(np.concatenate([last, pending]))
    return merged


def _draw_piece(
    cut: int,
    features: tuple[str, ...],
    rows: Array,
    values: dict[str, Array],
    groups: Array,
    rng: np.random.Generator,
) -> SubDataset:
    """Draw sizes, put the rows in an order that keeps groups together, and take test, dev and train from it."""
    n_train = round(float(np.exp(rng.uniform(np.log(MIN_TRAIN_ROWS), np.log(MAX_TRAIN_ROWS)))))
    n_test = min(MAX_TEST_ROWS, max(len(rows) - round(n_train * 7 / 6), round(0.3 * len(rows))))
    n_train = min(n_train, round((len(rows) - n_test) * 6 / 7))
    n_dev = round(n_train / 6)
    shift = str(rng.choice(list(values))) if rng.random() < SHIFTED_SHARE else None
    kept = rng.permutation(rows)[: n_train + n_dev + n_test]
    ordered = _order_by_group(kept, None if shift is None else values[shift], groups, rng)
    test, rest = _take_first(ordered, groups, n_test)
    if shift is not None:  # dev must look like train
        rest = _order_by_group(rest, None, groups, rng)
    dev, train = _take_first(rest, groups, n_dev)
    small = len(kept) < MIN_ROWS or len(test) < MIN_TEST_ROWS
    return SubDataset(cut, features, shift, small, np.sort(train), np.sort(dev), np.sort(test))


def _order_by_group(rows: Array, values: Array | None, groups: Array, rng: np.random.Generator) -> Array:
    """Return rows with those of a group together: groups at random, or roughly those with higher values first."""
    names, codes = np.unique(groups[rows], return_inverse=True)
    rank = rng.permutation(len(names)).astype(np.float64)
    if values is not None:
        means = np.bincount(codes, values[rows]) / np.bincount(codes)
        spread = means.std() or 1.0
        rank = -(means / spread + rng.normal(0, 0.75, len(names)))
    return np.asarray(rows[np.lexsort((codes, rank[codes]))])


def _take_first(rows: Array, groups: Array, n: int) -> tuple[Array, Array]:
    """Separate the first n rows from the others, whole groups together."""
    codes = groups[rows]
    n = min(max(n, 1), len(rows) - 1)
    while n < len(rows) - 1 and codes[n] == codes[n - 1]:
        n += 1
    return rows[:n], rows[n:]
