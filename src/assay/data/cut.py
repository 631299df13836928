"""Train and test where the data says what they are, and a cut where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.data.dataset import Dataset

_TEST_SHARE = 0.2


def train_and_test(data: Dataset, random_state: int = 0) -> tuple[Dataset, Dataset, str | None]:
    """Return train, test and a note; see `Dataset.train_and_test`."""
    parts = set(data.part_names)
    if {"train", "test"} <= parts:
        return data.part("train"), data.part("test"), None
    if {"train", "dev"} <= parts:
        return data.part("train"), data.part("dev"), "There is no test part: dev stands for it."
    if {"dev", "test"} <= parts:
        return data.part("dev"), data.part("test"), "There is no train part: dev stands for it."
    known = next((part for part in ("train", "dev", "test") if part in parts), None)
    pool = data.part(known) if known else data
    if len(pool) < 2:
        raise AssayError(
            f"{data.name} has {len(pool)} row{'s' if len(pool) != 1 else ''}: too few to cut into train and test."
        )
    train, test = stratified_cut(pool.labels, len(pool), random_state)
    what = f"There is only a {known} part" if known else "There are no parts"
    note = f"{what}: train and test are a stratified cut of 80 to 20 (seed {random_state})."
    return pool.take(train), pool.take(test), note


def stratified_cut(labels: pl.Series | None, n: int, random_state: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw a fifth of every label, rows in order; labels share the rounding so that the whole is a fifth.

    >>> [rows.tolist() for rows in stratified_cut(pl.Series(list("aaaaabbbbb")), 10)]
    [[0, 1, 2, 4, 6, 7, 8, 9], [3, 5]]
    """
    random = np.random.default_rng(random_state)
    strata = np.zeros(n, dtype=np.int64) if labels is None else _numbered(labels)
    shuffled = random.permutation(n)
    by_label = shuffled[np.argsort(strata[shuffled], kind="stable")]
    # Every fifth along the shuffled labels, from a random start: each label gives its share, to one row.
    step = round(1 / _TEST_SHARE)
    start = int(random.integers(min(step, n)))
    in_test = np.zeros(n, dtype=bool)
    in_test[by_label[start::step]] = True
    return np.flatnonzero(~in_test), np.flatnonzero(in_test)


def _numbered(labels: pl.Series) -> np.ndarray:
    """Number the labels in their sorted order, the missing one last."""
    names = labels.drop_nulls().unique().sort()
    numbers = {name: number for number, name in enumerate(names)}
    if not numbers:
        return np.zeros(len(labels), dtype=np.int64)
    found = labels.replace_strict(numbers, default=len(numbers), return_dtype=pl.Int64)
    return found.fill_null(len(numbers)).to_numpy()
