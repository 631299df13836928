"""Bootstrap sums of systems whose items fall into cells: one draw of items serves all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.arrays import Array
from assay.statistics.bootstrap import weight_blocks

_TOGETHER = 64  # resamples added at once; their counts stay in the fastest cache


def cell_sums(systems: Sequence[tuple[Array, Array]], n_resamples: int = 1000, random_state: int = 0) -> list[Array]:
    """Return, for each system, the sums of its statistics in every resample, an (n_resamples, n_statistics) array.

    A system is the cell of each item (−1 where the item does not count) and the statistics of each cell. The
    draws are those of `bootstrap_weights` with the same seed, whatever the number of cells.

    >>> cells, statistics = np.array([0, 1, 1]), np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> cell_sums([(cells, statistics)], n_resamples=2)[0].sum(axis=1).tolist()
    [3.0, 3.0]
    """
    from scipy.sparse import csr_array

    from assay.statistics._kernels import cell_counts

    tables = [csr_array(table.T.astype(np.float64)) for _, table in systems]  # a cell has few statistics that are not 0
    codes = [cells.astype(np.int32) for cells, _ in systems]
    sums: list[list[Array]] = [[] for _ in systems]
    for weights in weight_blocks(len(codes[0]), n_resamples, random_state) if systems else ():
        small = np.uint8 if weights.max() < 256 else np.uint32
        for start in range(0, len(weights), _TOGETHER):
            side_by_side = np.ascontiguousarray(weights[start : start + _TOGETHER].T, dtype=small)
            for number, table in enumerate(tables):
                counts = cell_counts(side_by_side, codes[number], table.shape[1])
                sums[number].append((table @ counts).T)
    return [np.concatenate(parts) for parts in sums]
