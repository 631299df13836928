"""Texts that stand on both sides of a cut, exactly or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.results import Result
from assay.splits.comparison.cuts import Cuts


@dataclass(frozen=True)
class Leaks(Result):
    """How many rows of the compared side have a duplicate on the other, as numbers and shares; some of them by id."""

    exact: int
    near: int
    exact_share: float
    near_share: float
    n_rows: int
    examples: list[list[str]]


def leaks_across(cuts: Cuts, exact: np.ndarray, near: np.ndarray, ids: Sequence[str], n_examples: int = 5) -> Leaks:
    """Count the rows with an exact, and with a near or exact, duplicate across the cut, over all cuts.

    `exact` and `near` give a group number per row. Examples are [id, id on the other side], in file order.
    """
    leaking = {"exact": 0, "near": 0}
    examples: list[list[str]] = []
    for here, there in zip(cuts.here, cuts.there, strict=True):
        leaking["exact"] += int(np.isin(exact[here], exact[there]).sum())
        found = np.flatnonzero(here)[np.isin(near[here], near[there])]
        leaking["near"] += len(found)
        for row in found[: n_examples - len(examples)].tolist():
            twin = int(np.flatnonzero(there & (near == near[row]))[0])
            examples.append([ids[row], ids[twin]])
    n = int(cuts.here.sum())
    return Leaks(leaking["exact"], leaking["near"], leaking["exact"] / n, leaking["near"] / n, n, examples)
