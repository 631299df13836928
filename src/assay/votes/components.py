"""Which systems can be put on one scale."""

from __future__ import annotations

import math

import numpy as np

from assay.base.arrays import Array

MEAN_RATING = 1000.0
RATING_UNIT = 400.0 / math.log(10)


def split_components(wins: Array, *, strong: bool = True) -> list[Array]:
    """Return the groups of systems that can be rated together, the largest first, of equal ones the first in order.

    A finite rating exists if each of two systems has beaten or tied the other, directly or through others (Ford
    1957). With `strong=False` having met suffices.

    >>> wins = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 0]])
    >>> [group.tolist() for group in split_components(wins)]
    [[0, 1], [2]]
    >>> [group.tolist() for group in split_components(wins, strong=False)]
    [[0, 1, 2]]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    kind = "strong" if strong else "weak"
    _, labels = connected_components(csr_array(wins > 0), directed=True, connection=kind)
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    return sorted(groups, key=lambda group: (-len(group), int(group[0])))
