"""Texts as ragged integer arrays, and batches of texts of similar length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    import torch


class BatchItems(Protocol):
    """Items of the training loop: their lengths, and batches of them as tensors."""

    @property
    def lengths(self) -> Array:
        """Return the length of every item."""
        ...

    def batch(self, rows: Array) -> tuple[torch.Tensor, ...]:
        """Return the rows, padded to the longest of them."""
        ...


@dataclass(frozen=True)
class Ragged:
    """Rows of different length in one array: row i is `values[offsets[i]:offsets[i + 1]]`."""

    offsets: Array
    values: Array

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]]) -> Ragged:
        """Flatten lists of integers."""
        lengths = np.fromiter((len(row) for row in rows), dtype=np.int64, count=len(rows))
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        values = np.fromiter((value for row in rows for value in row), dtype=np.int32, count=int(offsets[-1]))
        return cls(offsets, values)

    @property
    def lengths(self) -> Array:
        """Return the number of values of each row."""
        return np.diff(self.offsets)

    def pad(self, rows: Array, padding: int = 0) -> tuple[Array, Array]:
        """Return rows as a matrix, and a mask of the cells that hold values.

        >>> Ragged.from_rows([[1, 2], [3], []]).pad(np.array([1, 0]))[0].tolist()
        [[3, 0], [1, 2]]
        """
        starts, lengths = self.offsets[rows], self.lengths[rows]
        steps = np.arange(max(1, int(lengths.max(initial=0))))
        is_value = steps < lengths[:, None]
        positions = np.where(is_value, starts[:, None] + steps, 0)
        values = self.values[positions] if len(self.values) else np.zeros_like(positions)
        return np.where(is_value, values, padding).astype(np.int64), is_value


def draw_batches(lengths: Array, size: int, rng: np.random.Generator, pool: int = 50) -> list[Array]:
    """Draw batches of items of similar length.

    Items are shuffled, sorted by length within pools of `pool` batches, cut, and the batches shuffled, so that there
    is little padding and every epoch differs.
    """
    order = rng.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), size * pool):
        rows = order[start : start + size * pool]
        rows = rows[np.argsort(lengths[rows], kind="stable")]
        batches += [rows[begin : begin + size] for begin in range(0, len(rows), size)]
    return [batches[number] for number in rng.permutation(len(batches))]


def sort_into_batches(lengths: Array, size: int) -> list[Array]:
    """Return batches of items of similar length, longest first, so that memory runs out at once if it does."""
    order = np.argsort(-lengths, kind="stable")
    return [order[start : start + size] for start in range(0, len(order), size)]
