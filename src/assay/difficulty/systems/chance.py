"""The mean average precision of ranking at random (Peinelt et al. 2019, last column of Tables 6–8)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values

N_TOP = 10


def expected_map(groups: Values, gold: Sequence[bool] | NDArray[np.bool_], top: int = N_TOP) -> float:
    """Return the exact expected MAP of random orders within groups; nothing is drawn.

    Average precision is over the hits among the `top` items, 0 without any; nan without groups.

    >>> expected_map(["q", "q"], [True, False])
    0.75
    """
    names, inverse = np.unique(np.array([str(group) for group in groups]), return_inverse=True)
    sizes = np.bincount(inverse, minlength=len(names))
    relevant = np.bincount(inverse, weights=np.asarray(gold, dtype=float), minlength=len(names))
    values = [expected_average_precision(int(n), int(r), top) for n, r in zip(sizes, relevant, strict=True)]
    return float(np.mean(values)) if values else float("nan")


def expected_average_precision(n_items: int, n_relevant: int, top: int = N_TOP) -> float:
    """Return the mean over all orders of n items of the average precision in the top.

    >>> expected_average_precision(3, 3), expected_average_precision(4, 0)
    (1.0, 0.0)
    """
    top = min(top, n_items)
    orders = comb(n_items, n_relevant)
    hits = range(max(1, n_relevant - (n_items - top)), min(top, n_relevant) + 1)
    # h hits in the top: C(top, h) places for them, C(n − top, r − h) for the others.
    shares = {h: comb(top, h) * comb(n_items - top, n_relevant - h) / orders for h in hits}
    return sum((share * _expected_precision(top, h) for h, share in shares.items()), start=0.0)


def _expected_precision(top: int, hits: int) -> float:
    """Return the expected precision at the hits when these are placed at random."""
    ways = comb(top, hits)
    total = 0.0
    # The i-th of h hits has a rank in C(rank − 1, i − 1) C(top − rank, h − i) of the ways.
    for i in range(1, hits + 1):
        for rank in range(i, top - hits + i + 1):
            total += i / rank * comb(rank - 1, i - 1) * comb(top - rank, hits - i) / ways
    return total / hits
