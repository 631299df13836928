"""How a number is spread over the items of a label or a part (paper 002, Figures 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result

_PARTS = {"train": 0, "dev": 1, "test": 2}
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True)
class Distribution(Result):
    """Median, mean, quantiles and histogram of the defined values; `edges` are those of the histogram's bins."""

    median: float
    mean: float
    n_items: int
    n_undefined: int
    quantiles: dict[str, float] = field(repr=False)
    histogram: NDArray[np.int64] = field(repr=False, compare=False)
    edges: NDArray[np.float64] = field(repr=False, compare=False)


def distribution(
    values: NDArray[np.float64], bounds: tuple[float, float] = (0.0, 1.0), n_bins: int = 20
) -> Distribution:
    """Describe the defined values; nan where there are none.

    >>> distribution(np.array([0.1, 0.2, 0.9, np.nan])).median
    0.2
    """
    defined = values[~np.isnan(values)]
    counts, edges = np.histogram(np.clip(defined, *bounds), bins=n_bins, range=bounds)
    places = np.quantile(defined, QUANTILES) if defined.size else np.full(len(QUANTILES), np.nan)
    return Distribution(
        median=float(places[QUANTILES.index(0.5)]),
        mean=float(defined.mean()) if defined.size else float("nan"),
        n_items=len(values),
        n_undefined=len(values) - len(defined),
        quantiles={f"{share:g}": float(place) for share, place in zip(QUANTILES, places, strict=True)},
        histogram=counts.astype(np.int64),
        edges=edges,
    )


def distributions(
    values: NDArray[np.float64], names: Sequence[Any], bounds: tuple[float, float] = (0.0, 1.0)
) -> dict[str, Distribution]:
    """Describe the values of each name (a label, a part), missing names as '(none)'.

    >>> {name: spread.n_items for name, spread in distributions(np.array([0.1, 0.2, 0.9]), ["b", "a", "b"]).items()}
    {'a': 1, 'b': 2}
    """
    told = np.array(["(none)" if name is None else str(name) for name in names], dtype=object)
    return {name: distribution(values[told == name], bounds) for name in in_order(set(told.tolist()))}


def in_order(names: Iterable[str]) -> list[str]:
    """Sort names, but the usual parts first and in their order.

    >>> in_order(["test", "extra", "train"])
    ['train', 'test', 'extra']
    """
    return sorted(names, key=lambda name: (_PARTS.get(name, len(_PARTS)), name))
