"""Distributions of a number over items, also by label or part (Peinelt et al. 2019, Figures 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.base.marks import OWN
from assay.views.results import Result
from assay.views.values import Bin

NO_NAME = "(none)"
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_PART_ORDER = {"train": 0, "dev": 1, "test": 2}


@dataclass(frozen=True)
class DifficultyDistribution(Result):
    """Median, mean, quantiles and histogram of the defined values; `edges` are the edges of the histogram's bins."""

    median: float
    mean: float
    n_items: int
    n_undefined: int
    quantiles: dict[str, float] = field(repr=False, metadata=OWN)
    histogram: tuple[int, ...] = field(repr=False)
    edges: tuple[float, ...] = field(repr=False)

    @property
    def n_defined(self) -> int:
        """Return the number of items with a value."""
        return self.n_items - self.n_undefined

    def list_bins(self, label: str = "") -> Iterator[Bin]:
        """Yield the bars of the histogram."""
        for low, high, count in zip(self.edges[:-1], self.edges[1:], self.histogram, strict=True):
            yield Bin(label, low, high, count)


def describe_values(
    values: NDArray[np.float64], bounds: tuple[float, float] = (0.0, 1.0), n_bins: int = 20
) -> DifficultyDistribution:
    """Describe the defined values; nan if there are none.

    >>> describe_values(np.array([0.1, 0.2, 0.9, np.nan])).median
    0.2
    """
    defined = values[~np.isnan(values)]
    counts, edges = np.histogram(np.clip(defined, *bounds), bins=n_bins, range=bounds)
    quantiles = np.quantile(defined, QUANTILES) if defined.size else np.full(len(QUANTILES), np.nan)
    return DifficultyDistribution(
        median=float(quantiles[QUANTILES.index(0.5)]),
        mean=float(defined.mean()) if defined.size else float("nan"),
        n_items=len(values),
        n_undefined=len(values) - len(defined),
        quantiles={f"{share:g}": float(value) for share, value in zip(QUANTILES, quantiles, strict=True)},
        histogram=tuple(counts.tolist()),
        edges=tuple(edges.tolist()),
    )


def describe_by_name(
    values: NDArray[np.float64], names: Values, bounds: tuple[float, float] = (0.0, 1.0)
) -> dict[str, DifficultyDistribution]:
    """Describe the values of each name (a label, a part), missing names as '(none)'.

    >>> {name: group.n_items for name, group in describe_by_name(np.array([0.1, 0.2, 0.9]), ["b", "a", "b"]).items()}
    {'a': 1, 'b': 2}
    """
    return {name: describe_values(values[rows], bounds) for name, rows in group_rows(names)}


def group_rows(names: Values) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield each name and which rows have it, missing names as '(none)'; names are sorted, the usual parts first.

    >>> [(name, rows.tolist()) for name, rows in group_rows(["test", None])]
    [('test', [True, False]), ('(none)', [False, True])]
    """
    texts = np.array([NO_NAME if name is None else str(name) for name in names], dtype=object)
    for name in sort_names(set(texts.tolist())):
        yield name, texts == name


def sort_names(names: Iterable[str]) -> list[str]:
    """Sort names, but the usual parts first and in their order.

    >>> sort_names(["test", "extra", "train"])
    ['train', 'test', 'extra']
    """
    return sorted(names, key=lambda name: (_PART_ORDER.get(name, len(_PART_ORDER)), name))
