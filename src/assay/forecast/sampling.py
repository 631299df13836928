"""The rows a forecast is made from: drawn as the sub-datasets of the evidence were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.data import Dataset

MIN_ROWS, MIN_TEST_ROWS, MIN_ROWS_OF_LABEL = 1000, 300, 10
MAX_TRAIN_ROWS, MAX_TEST_ROWS = 1800, 1000


@dataclass(frozen=True)
class ForecastSample:
    """Texts, labels and sides of pairs, the rows of train and test among them, and notes."""

    texts: Any
    labels: Any
    sides: list[Any]
    train: Array
    test: Array
    notes: list[str]


def draw_sample(data: Dataset, random_state: int = 0) -> ForecastSample:
    """Draw at most 1,800 training and 1,000 test rows, without labels of fewer than ten rows."""
    import polars as pl

    train, test, note = data.drop_unlabelled().split_train_test(random_state)
    notes = [] if note is None else [note]
    rng = np.random.default_rng(random_state)
    drawn = [_draw_rows(part, n, rng) for part, n in ((train, MAX_TRAIN_ROWS), (test, MAX_TEST_ROWS))]
    if len(train) > MAX_TRAIN_ROWS or len(test) > MAX_TEST_ROWS:
        notes.append(f"Forecast from {len(drawn[0]):,} training and {len(drawn[1]):,} test rows drawn at random.")
    texts = pl.concat([part.texts for part in drawn])
    labels = pl.concat([part.labels for part in drawn if part.labels is not None])
    if labels.n_unique() < 2:
        raise AssayError(f"a forecast needs at least two labels; there is {labels.n_unique()}", place=data.name)
    rows = keep_frequent_labels(np.arange(len(labels)), labels.rank("dense").to_numpy().astype(np.int64))
    rows = rows if labels.gather(rows).n_unique() >= 2 else np.arange(len(labels))
    n_train = int((rows < len(drawn[0])).sum())
    n_test = len(rows) - n_train
    if len(rows) < MIN_ROWS or n_test < MIN_TEST_ROWS:
        smallest = f"{MIN_ROWS:,} rows, {MIN_TEST_ROWS} of them test"
        notes.append(f"{len(rows):,} rows are fewer than the smallest sub-dataset of the evidence has ({smallest}).")
    if not 2 <= n_train < len(rows) - 1:
        raise AssayError(f"{n_train} training and {n_test} test rows are too few to forecast", place=data.name)
    sides = [pl.concat(list(side)) for side in zip(*(part.sides for part in drawn), strict=True)]
    return ForecastSample(texts, labels, sides, rows[:n_train], rows[n_train:], notes)


def keep_frequent_labels(rows: Array, labels: Array) -> Array:
    """Return the rows whose label at least ten of them have."""
    counts = np.bincount(labels[rows])
    return np.sort(rows[counts[labels[rows]] >= MIN_ROWS_OF_LABEL])


def _draw_rows(part: Dataset, n: int, rng: np.random.Generator) -> Dataset:
    if len(part) <= n:
        return part
    return part.take(np.sort(rng.choice(len(part), n, replace=False)))
