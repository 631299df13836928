"""Metrics that belong to a kind of task: numbers that follow from sums of per-item statistics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.base.errors import MissingExtraError

if TYPE_CHECKING:
    from assay.base.arrays import Array
    from assay.data import Dataset

    Answers = Sequence[str | None]
    Statistics = Callable[[Dataset, Answers], Array]


@dataclass(frozen=True)
class Measure(ABC):
    """A metric of a kind: `collect` returns one row of numbers per item, `compute` turns their sums into the value.

    A missing answer is the empty text, which is wrong. `packages` are packages of an extra that must be there.
    """

    name: str
    description: str
    bounds: tuple[float, float] | None = (0.0, 1.0)
    lower_is_better: bool = False
    is_share: bool = False  # the mean of items that are right (1) or wrong (0)
    packages: tuple[str, ...] = ()
    undefined: str = "no item counts"

    @property
    def is_mean(self) -> bool:
        """Return whether the metric is the mean of one score per item."""
        return False

    @abstractmethod
    def collect(self, data: Dataset, answers: Answers) -> Array:
        """Return the statistics of every item."""

    @abstractmethod
    def compute(self, sums: Array) -> Array:
        """Turn sums of statistics (the last axis) into the metric, nan if it is undefined."""

    def find_missing_package(self) -> str | None:
        """Return why the metric cannot be computed here, None if it can."""
        from assay.base.errors import import_extra

        for package in self.packages:
            try:
                import_extra(package, "metrics", f"the metric {self.name}")
            except MissingExtraError as error:
                return error.fact
        return None


@dataclass(frozen=True)
class MeanMeasure(Measure):
    """A metric that is the mean of one score per item.

    >>> import numpy as np
    >>> length = MeanMeasure("length", "Letters per answer.", score=lambda data, answers: [len(a) for a in answers])
    >>> length.compute(np.asarray(length.collect(None, ["ab", "abcd"])).sum(axis=0)).item()
    3.0
    """

    score: Statistics | None = None

    @property
    def is_mean(self) -> bool:
        """Tell that it is."""
        return True

    def collect(self, data: Dataset, answers: Answers) -> Array:
        """Return each item's score, and one."""
        import numpy as np

        assert self.score is not None
        scores = np.asarray(self.score(data, answers), dtype=np.float64)
        return np.stack([scores, np.ones(len(scores))], axis=1)

    def compute(self, sums: Array) -> Array:
        """Divide the sum of the scores by the number of items."""
        import numpy as np

        above, below = np.asarray(sums[..., 0], dtype=float), np.asarray(sums[..., 1])
        return np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)


@dataclass(frozen=True)
class SumMeasure(Measure):
    """A metric of sums: `statistics` returns one row per item, `formula` turns the sums into the value."""

    statistics: Statistics | None = None
    formula: Callable[[Array], Array] | None = None

    def collect(self, data: Dataset, answers: Answers) -> Array:
        """Return the statistics of every item."""
        import numpy as np

        assert self.statistics is not None
        return np.asarray(self.statistics(data, answers), dtype=np.float64)

    def compute(self, sums: Array) -> Array:
        """Apply the formula."""
        assert self.formula is not None
        return self.formula(sums)


def compute_f1(right: Array, n_gold: Array, n_predicted: Array) -> Array:
    """Return 2 right / (gold + predicted), nan if there is neither.

    >>> import numpy as np
    >>> compute_f1(np.array(1.0), np.array(2.0), np.array(2.0)).item()
    0.5
    """
    import numpy as np

    below = np.asarray(n_gold + n_predicted, dtype=float)
    return np.divide(2.0 * right, below, out=np.full(below.shape, np.nan), where=below != 0)


def _score_equality(data: Dataset, answers: Answers) -> Array:
    """Return 1 if the answer is the gold answer."""
    import numpy as np

    from assay.kinds.kind import kind_of

    gold = kind_of(data).get_gold(data)
    assert gold is not None
    return np.array([answer == right for answer, right in zip(answers, gold.to_list(), strict=True)], dtype=float)


EQUALITY = MeanMeasure(
    "accuracy", "The share of answers that are the gold answer.", is_share=True, score=_score_equality
)
