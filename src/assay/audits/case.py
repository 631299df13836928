"""The case to audit: the data, what systems did on it, and how to work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError
from assay.data import Dataset
from assay.kinds import kind_of

if TYPE_CHECKING:
    from assay.discrimination import ScoreTable
    from assay.evaluation import Predictions
    from assay.models.cross_validation import OutOfFoldPredictions

MOST_LABELS = 200


@dataclass(frozen=True)
class Settings:
    """How to work: quick or full, the seed, where tasks run and are kept."""

    quick: bool = True
    private: bool = False
    random_state: int = 0
    n_jobs: int = 1
    backend: str | None = None
    cache: Path | None = None

    @property
    def work(self) -> dict[str, Any]:
        """Return what the rooms need to run tasks."""
        return {"random_state": self.random_state, "n_jobs": self.n_jobs, "backend": self.backend, "cache": self.cache}

    def most(self, quick: int, full: int) -> int:
        """Choose a sample size."""
        return quick if self.quick else full


@dataclass(frozen=True, eq=False)
class Case:
    """The input of all sections."""

    data: Dataset
    predictions: Predictions | None
    scores: ScoreTable | None
    settings: Settings

    @cached_property
    def classes(self) -> Dataset:
        """Return the labelled rows where labels are classes, or say why they are none."""
        names = self.data.label_names
        if len(names) < 2:
            raise AssayError("There are no labels." if not names else "All items have the same label.")
        if kind_of(self.data).has_grades:
            raise AssayError("Labels are grades, not classes.")
        if len(names) > MOST_LABELS:
            raise AssayError(f"{len(names):,} different labels are too many for classes.")
        return self.data.drop_unlabelled().fill_texts()

    @cached_property
    def held_out(self) -> OutOfFoldPredictions:
        """Return cross-validated predictions of the quick model on a sample of the labelled rows."""
        from assay.audits.held_out import predict_out_of_fold

        return predict_out_of_fold(self)

    def sample(self, data: Dataset, n: int) -> Dataset:
        """Draw at most n rows, of every part its share, in file order."""
        return data.take(sampled_rows(data, n, self.settings.random_state)) if len(data) > n else data


def sampled_rows(data: Dataset, n: int, random_state: int = 0) -> np.ndarray[Any, Any]:
    """Draw n rows, of every part its share but at least half of an even one, in file order."""
    rng = np.random.default_rng(random_state)
    names = np.array(["" if part is None else str(part) for part in data.parts]) if data.parts is not None else None
    if names is None:
        return np.sort(rng.permutation(len(data))[:n])
    groups = [np.flatnonzero(names == name) for name in sorted(set(names.tolist()))]
    wanted = shares_of([len(rows) for rows in groups], n)
    return np.sort(np.concatenate([rng.permutation(rows)[:k] for rows, k in zip(groups, wanted, strict=True)]))


def shares_of(sizes: list[int], n: int) -> list[int]:
    """Give every part its share of n, but at least half of an even one where it has so many.

    >>> shares_of([90_000, 1_000], 4_000), shares_of([10, 20], 100)
    ([3000, 1000], [10, 20])
    """
    if sum(sizes) <= n:
        return sizes
    floor = n // (2 * len(sizes))
    small = [min(size, max(floor, round(n * size / sum(sizes)))) for size in sizes]
    largest = int(np.argmax(sizes))
    small[largest] = max(1, min(sizes[largest], n - sum(small) + small[largest]))
    return small
