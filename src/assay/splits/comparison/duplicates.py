"""Texts that occur on both sides of a split, exactly or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.splits.comparison.pairs import PartPairs
from assay.views.results import Result


@dataclass(frozen=True)
class Leaks(Result):
    """How many rows of the compared parts have a duplicate on the other side, as counts and shares; examples by id."""

    exact: int
    near: int
    exact_share: float
    near_share: float
    n_rows: int
    examples: list[list[str]] = field(metadata=NAME)


def count_leaks(pairs: PartPairs, exact: Array, near: Array, ids: Sequence[str], n_examples: int = 5) -> Leaks:
    """Count the rows with an exact, and with a near or exact, duplicate in the reference, over all pairs.

    `exact` and `near` give a group number per row. Examples are [id, id on the other side], in file order.
    """
    n_exact = n_near = 0
    examples: list[list[str]] = []
    for part, reference in zip(pairs.parts, pairs.references, strict=True):
        n_exact += int(np.isin(exact[part], exact[reference]).sum())
        leaking = np.flatnonzero(part)[np.isin(near[part], near[reference])]
        n_near += len(leaking)
        for row in leaking[: n_examples - len(examples)].tolist():
            twin = int(np.flatnonzero(reference & (near == near[row]))[0])
            examples.append([ids[row], ids[twin]])
    n = int(pairs.parts.sum())
    return Leaks(n_exact, n_near, n_exact / n, n_near / n, n, examples)
