"""Texts as ragged integer arrays, and batches of texts of like length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    import torch


class Items(Protocol):
    """What the training loop asks of its texts: how long they are, and some of them as tensors."""

    @property
    def lengths(self) -> np.ndarray:
        """Return the length of every item."""
        ...

    def batch(self, rows: np.ndarray) -> tuple[torch.Tensor, ...]:
        """Return the rows, padded to the longest of them."""
        ...


@dataclass(frozen=True)
class Ragged:
    """Rows of different length in one array: row i is `values[offsets[i]:offsets[i + 1]]`."""

    offsets: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Ragged:
        """Flatten lists of whole numbers."""
        lengths = np.fromiter((len(row) for row in rows), dtype=np.int64, count=len(rows))
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        values = np.fromiter((value for row in rows for value in row), dtype=np.int32, count=int(offsets[-1]))
        return cls(offsets, values)

    @property
    def lengths(self) -> np.ndarray:
        """Return how many values each row has."""
        return np.diff(self.offsets)

    def padded(self, rows: np.ndarray, padding: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return rows as a matrix, and where it holds values.

        >>> Ragged.of([[1, 2], [3], []]).padded(np.array([1, 0]))[0].tolist()
        [[3, 0], [1, 2]]
        """
        starts, lengths = self.offsets[rows], self.lengths[rows]
        steps = np.arange(max(1, int(lengths.max(initial=0))))
        held = steps < lengths[:, None]
        places = np.where(held, starts[:, None] + steps, 0)
        values = self.values[places] if len(self.values) else np.zeros_like(places)
        return np.where(held, values, padding).astype(np.int64), held


def bucketed(lengths: np.ndarray, size: int, draw: np.random.Generator, pool: int = 50) -> list[np.ndarray]:
    """Cut the items into batches of like length, drawn anew each time.

    Items are shuffled, sorted by length within pools of `pool` batches, cut, and the batches shuffled, so that
    little is padded and no epoch resembles another.
    """
    order = draw.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), size * pool):
        rows = order[start : start + size * pool]
        rows = rows[np.argsort(lengths[rows], kind="stable")]
        batches += [rows[begin : begin + size] for begin in range(0, len(rows), size)]
    return [batches[place] for place in draw.permutation(len(batches))]


def by_length(lengths: np.ndarray, size: int) -> list[np.ndarray]:
    """Cut the items into batches of like length, longest first so that memory runs out at once if it will."""
    order = np.argsort(-lengths, kind="stable")
    return [order[start : start + size] for start in range(0, len(order), size)]
