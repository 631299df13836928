"""Which systems fail on the same items, and what each system gets right as items get harder."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.views.results import Result

MAX_BINS = 40
MAX_CELLS = 480


@dataclass(frozen=True)
class SharedFailures(Result):
    """How far two systems fail on the same items: the correlation of their errors, and the items both get wrong."""

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    correlation: float
    n_both: int
    n_either: int


@dataclass(frozen=True)
class OutcomeCell(Result):
    """The score of a system on items of one difficulty: bin 1 has the hardest.

    `fewest` to `most` systems answer the items of a bin correctly.
    """

    system: str = field(metadata=NAME)
    bin: int
    share: float
    n: int
    fewest: int
    most: int


def measure_shared_failures(outcomes: Array, names: Sequence[str]) -> list[SharedFailures]:
    """Compare the errors of every two systems; an outcome below one half is an error, nan is left out.

    The correlation is nan if a system has no errors or only errors.

    >>> table = np.array([[1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    >>> [(row.second, row.correlation, row.n_both) for row in measure_shared_failures(table, "abc")[:2]]
    [('b', 1.0, 2), ('c', -1.0, 0)]
    """
    rows = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            known = np.isfinite(outcomes[first]) & np.isfinite(outcomes[second])
            wrong = outcomes[[first, second]][:, known] < 0.5
            both, either = int((wrong[0] & wrong[1]).sum()), int((wrong[0] | wrong[1]).sum())
            varies = len(wrong[0]) > 1 and wrong.any(axis=1).all() and not wrong.all(axis=1).any()
            correlation = float(np.corrcoef(wrong.astype(float))[0, 1]) if varies else math.nan
            rows.append(SharedFailures(names[first], names[second], correlation, both, either))
    return rows


def map_outcomes(outcomes: Array, names: Sequence[str], max_bins: int = MAX_BINS) -> list[OutcomeCell]:
    """Sort the items by the sum of their outcomes, cut them into bins of about the same size, and average each.

    The sum is the number of systems that are right, with the parts of those that are partly right.

    >>> cells = map_outcomes(np.array([[1, 0, 1, 1], [0, 0, 1, 1]]), "ab", max_bins=2)
    >>> [(cell.system, cell.bin, cell.share, cell.fewest, cell.most) for cell in cells][:2]
    [('a', 1, 0.5, 0, 1), ('a', 2, 1.0, 2, 2)]
    """
    right = np.nansum(outcomes, axis=0)
    order = np.argsort(right, kind="stable")
    n_bins = min(max_bins, len(order), max(2, MAX_CELLS // max(1, len(names))))
    bins = np.array_split(order, n_bins) if n_bins else []
    cells = []
    for system, name in enumerate(names):
        for number, items in enumerate(bins, start=1):
            values = outcomes[system, items]
            known = values[np.isfinite(values)]
            share = float(known.mean()) if len(known) else math.nan
            ends = math.floor(right[items].min()), math.ceil(right[items].max())
            cells.append(OutcomeCell(name, number, share, len(known), *ends))
    return cells
