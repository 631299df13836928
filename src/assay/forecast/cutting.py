"""Sub-datasets: a parent cut by three of its features into disjoint pieces, many times over (paper 000, §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.results import Result
from assay.features import LabelledTexts
from assay.forecast.row_values import ROW_VALUES

Rows = NDArray[np.int64]
LABEL_SUBSET = "label_subset"
LEAST_ROWS, LEAST_TEST, LEAST_OF_A_LABEL = 1000, 300, 10
MOST_TRAIN, MOST_TEST = 1800, 1000
SHIFTED = 0.25  # share of pieces whose test part differs from training in one feature


@dataclass(frozen=True)
class Piece(Result):
    """One sub-dataset: rows of its parent for train, dev and test, and how it came about.

    `small` is set where the parent did not allow 1,000 rows with 300 of them for test.
    """

    cut: int
    features: tuple[str, ...]
    shift: str | None
    small: bool
    train: Rows = field(repr=False, compare=False)
    dev: Rows = field(repr=False, compare=False)
    test: Rows = field(repr=False, compare=False)


def cut_dataset(
    texts: Any,
    labels: Any,
    *,
    groups: Any = None,
    n_pieces: int = 70,
    least_rows: int = LEAST_ROWS,
    random_state: int = 0,
) -> list[Piece]:
    """Cut labelled texts into `n_pieces` sub-datasets; the pieces of one cut share no row.

    Each cut takes three features at random (numbers of a text, or a subset of the labels) and divides by one after
    the other at random quantiles, never below `least_rows`. A piece draws a training size between 600 and 1,800 rows,
    a sixth of that as dev and up to 1,000 rows as test; rows of a group stay on one side. In a quarter of the pieces
    test rows lie higher in one feature than training rows. Labels with fewer than ten rows in a piece are left out.
    """
    part = LabelledTexts.from_texts(texts, labels)
    if len(part.label_names) < 2:
        raise AssayError(f"Cutting needs at least two labels; there are {len(part.label_names)}.")
    values = {name: value(part) for name, value in ROW_VALUES.items()}
    codes = np.unique(np.asarray(groups), return_inverse=True)[1] if groups is not None else np.arange(len(part))
    pieces: list[Piece] = []
    for cut, seed in enumerate(np.random.SeedSequence(random_state).spawn(20 * n_pieces)):
        draw = np.random.default_rng(seed)
        pieces += pieces_of_cut(cut, values, part.labels, codes, least_rows, draw)
        if len(pieces) >= n_pieces:
            return pieces[:n_pieces]
    raise AssayError(f"{len(part)} rows give no {n_pieces} sub-datasets with two labels of ten rows each.")


def pieces_of_cut(
    cut: int, values: dict[str, Any], labels: Rows, groups: Rows, least_rows: int, draw: np.random.Generator
) -> Iterator[Piece]:
    """Yield the pieces of one cut in random order, so that stopping early favours none."""
    features = tuple(draw.choice([*values, LABEL_SUBSET], 3, replace=False).tolist())
    parts = [np.flatnonzero(labels >= 0)]
    for feature in features:
        parts = [
            half
            for rows in parts
            for half in (
                divided_by_label(rows, labels, least_rows, draw)
                if feature == LABEL_SUBSET
                else divided(rows, values[feature], least_rows, draw)
            )
        ]
    for number in draw.permutation(len(parts)):
        rows = with_frequent_labels(parts[number], labels)
        if len(rows) >= min(least_rows, 50) and len(np.unique(labels[rows])) >= 2:
            piece = piece_of(cut, features, rows, values, groups, draw)
            if min(len(np.unique(labels[part])) for part in (piece.train, piece.dev, piece.test)) >= 2:
                yield piece


def divided(rows: Rows, values: NDArray[np.float64], least_rows: int, draw: np.random.Generator) -> list[Rows]:
    """Divide rows at one or two random quantiles; give them back whole where a piece would be too small."""
    quantiles = draw.uniform(0.35, 0.65, 1) if draw.random() < 0.6 else draw.uniform([0.25, 0.55], [0.45, 0.75])
    bins = np.searchsorted(np.quantile(values[rows], quantiles, method="lower"), values[rows], side="left")
    return _large_enough(rows, bins, least_rows)


def divided_by_label(rows: Rows, labels: Rows, least_rows: int, draw: np.random.Generator) -> list[Rows]:
    """Divide the labels at random into two to four sets of at least two, and the rows with them."""
    names = draw.permutation(np.unique(labels[rows]))
    n_sets = min(int(draw.integers(2, 5)), len(names) // 2)
    if n_sets < 2:
        return [rows]
    bounds = np.sort(draw.choice(np.arange(1, len(names) // 2), n_sets - 1, replace=False)) * 2
    of_label = np.zeros(labels.max() + 1, dtype=np.int64)
    of_label[names] = np.searchsorted(bounds, np.arange(len(names)), side="right")
    return _large_enough(rows, of_label[labels[rows]], least_rows)


def _large_enough(rows: Rows, bins: Rows, least_rows: int) -> list[Rows]:
    """Return the rows of each bin; bins too small go together with the next one."""
    found: list[Rows] = []
    waiting = np.array([], dtype=np.int64)
    for number in np.unique(bins):
        waiting = np.concatenate([waiting, rows[bins == number]])
        if len(waiting) >= least_rows:
            found.append(waiting)
            waiting = np.array([], dtype=np.int64)
    if len(waiting):
        last = found.pop() if found else np.array([], dtype=np.int64)
        found.append(np.concatenate([last, waiting]))
    return found


def with_frequent_labels(rows: Rows, labels: Rows) -> Rows:
    """Return the rows whose label has at least ten of them."""
    counts = np.bincount(labels[rows])
    return np.sort(rows[counts[labels[rows]] >= LEAST_OF_A_LABEL])


def piece_of(
    cut: int,
    features: tuple[str, ...],
    rows: Rows,
    values: dict[str, Any],
    groups: Rows,
    draw: np.random.Generator,
) -> Piece:
    """Draw sizes, put the rows in an order that keeps groups together, and take test, dev and train from it."""
    n_train = round(float(np.exp(draw.uniform(np.log(600), np.log(MOST_TRAIN)))))
    n_test = min(MOST_TEST, max(len(rows) - round(n_train * 7 / 6), round(0.3 * len(rows))))
    n_train = min(n_train, round((len(rows) - n_test) * 6 / 7))
    n_dev = round(n_train / 6)
    shift = str(draw.choice(list(values))) if draw.random() < SHIFTED else None
    kept = draw.permutation(rows)[: n_train + n_dev + n_test]
    ordered = in_order(kept, None if shift is None else values[shift], groups, draw)
    test, rest = _first(ordered, groups, n_test)
    if shift is not None:  # dev must look like train
        rest = in_order(rest, None, groups, draw)
    dev, train = _first(rest, groups, n_dev)
    small = len(kept) < LEAST_ROWS or len(test) < LEAST_TEST
    return Piece(cut, features, shift, small, np.sort(train), np.sort(dev), np.sort(test))


def in_order(rows: Rows, values: Any, groups: Rows, draw: np.random.Generator) -> Rows:
    """Return rows with those of a group side by side: groups at random, or the higher values first, roughly."""
    names, codes = np.unique(groups[rows], return_inverse=True)
    rank = draw.permutation(len(names)).astype(np.float64)
    if values is not None:
        means = np.bincount(codes, values[rows]) / np.bincount(codes)
        spread = means.std() or 1.0
        rank = -(means / spread + draw.normal(0, 0.75, len(names)))
    return np.asarray(rows[np.lexsort((codes, rank[codes]))])


def _first(rows: Rows, groups: Rows, n: int) -> tuple[Rows, Rows]:
    """Part the first n rows from the others, whole groups together."""
    codes = groups[rows]
    n = min(max(n, 1), len(rows) - 1)
    while n < len(rows) - 1 and codes[n] == codes[n - 1]:
        n += 1
    return rows[:n], rows[n:]
