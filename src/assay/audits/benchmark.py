"""What is being audited: the data, what systems did on it, how to work, and what was computed so far."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset

if TYPE_CHECKING:
    from assay.audits.held_out import HeldOut
    from assay.discrimination import Scores
    from assay.evaluation import Predictions

MAX_LABELS = 200


@dataclass(frozen=True)
class Settings:
    """How to work: quick or full, the random seed, and where tasks run and are kept."""

    quick: bool = True
    private: bool = False
    random_state: int = 0
    n_jobs: int = 1
    backend: str | None = None
    cache: Path | None = None

    @property
    def task_options(self) -> dict[str, Any]:
        """Return what functions need that run tasks."""
        return {
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
            "backend": self.backend,
            "cache": self.cache,
        }

    def choose(self, quick: int, full: int) -> int:
        """Choose a number by the depth of the audit."""
        return quick if self.quick else full


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The input of all sections, with everything that several of them need computed at most once."""

    data: Dataset
    predictions: Predictions | None = None
    scores: Scores | None = None
    settings: Settings = Settings()

    @cached_property
    def filled(self) -> Dataset:
        """Return the data with missing texts as empty strings."""
        return self.data.filled()

    @cached_property
    def classes(self) -> Dataset:
        """Return the labelled rows where labels are classes; an error says why they are not."""
        from assay.difficulty.positive import are_grades

        names = self.data.label_names
        if len(names) < 2:
            raise AssayError("There are no labels." if not names else "All items have the same label.")
        if are_grades(names):
            raise AssayError("Labels are grades, not classes.")
        if len(names) > MAX_LABELS:
            raise AssayError(f"{len(names):,} different labels are too many for classes.")
        return self.data.labelled().filled()

    @cached_property
    def held_out(self) -> HeldOut:
        """Return out-of-fold predictions of the quick model on a sample of the labelled rows."""
        from assay.audits.held_out import held_out

        return held_out(self)

    def sample(self, data: Dataset, n: int) -> Dataset:
        """Draw at most n rows, of every part its share, in file order."""
        return data.take(sample_rows(data, n, self.settings.random_state)) if len(data) > n else data


def sample_rows(data: Dataset, n: int, random_state: int = 0) -> Array:
    """Draw n rows, of every part its share but at least half of an equal one, in file order."""
    rng = np.random.default_rng(random_state)
    if data.parts is None:
        return np.sort(rng.permutation(len(data))[:n])
    names = np.array(["" if part is None else str(part) for part in data.parts])
    groups = [np.flatnonzero(names == name) for name in sorted(set(names.tolist()))]
    sizes = allocate([len(rows) for rows in groups], n)
    return np.sort(np.concatenate([rng.permutation(rows)[:k] for rows, k in zip(groups, sizes, strict=True)]))


def allocate(sizes: list[int], n: int) -> list[int]:
    """Give every part its share of n, but at least half of an equal one where it has so many.

    >>> allocate([90_000, 1_000], 4_000), allocate([10, 20], 100)
    ([3000, 1000], [10, 20])
    """
    if sum(sizes) <= n:
        return sizes
    floor = n // (2 * len(sizes))
    shares = [min(size, max(floor, round(n * size / sum(sizes)))) for size in sizes]
    largest = int(np.argmax(sizes))
    shares[largest] = max(1, min(sizes[largest], n - sum(shares) + shares[largest]))
    return shares
