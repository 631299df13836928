"""Agreement and time of annotators on obvious and non-obvious items (Peinelt et al. 2019, Table 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.base.errors import AssayError
from assay.base.marks import OWN
from assay.difficulty.pairs.cases import CASES
from assay.statistics import count_ratings, fleiss_kappas, fleiss_statistics
from assay.views.results import Result

Numbers = NDArray[np.float64]
Statistic = Callable[
    [Numbers, Numbers], Numbers
]  # item weights and statistics of the items to one value per weight row
_MAX_CELLS = 4_000_000  # of a block of permutations held at once


@dataclass(frozen=True)
class CaseComparison(Result):
    """Agreement or time in each case, the difference between obvious and non-obvious items, and its permutation test.

    `difference` is obvious − non-obvious; p is the share of relabellings in which it is as large in the direction that
    makes the non-obvious items harder (less agreement, more time), the observed one counted.
    """

    difference: float
    p: float
    by_case: dict[str, float] = field(metadata=OWN)
    obvious: float
    non_obvious: float
    total: float
    n_items: dict[str, int] = field(metadata=OWN)
    n_left_out: int
    n_permutations: int


def compare_agreement(
    cases: Sequence[str] | NDArray[np.str_],
    ratings: Sequence[Values],
    n_permutations: int = 10_000,
    random_state: int = 0,
) -> CaseComparison:
    """Compare Fleiss' kappa of obvious and non-obvious items; one-sided, for less agreement on the non-obvious.

    `ratings` has one row per item and one column per annotator. The test shuffles which items are called obvious among
    those with a case and at least two ratings.
    """
    counts = count_ratings(ratings)
    kept = (counts.sum(axis=1) >= 2) & np.isin(cases, CASES)
    statistics = fleiss_statistics(counts[kept])
    return _compare(fleiss_kappas, statistics, cases, kept, n_permutations, random_state, harder=-1)


def compare_time(
    cases: Sequence[str] | NDArray[np.str_], seconds: Numbers, n_permutations: int = 10_000, random_state: int = 0
) -> CaseComparison:
    """Compare the mean seconds per item, obvious and non-obvious; one-sided, for more time on the non-obvious.

    `seconds` is items × annotators, nan if missing; an item counts by the mean of its annotators.
    """
    times = np.atleast_2d(np.asarray(seconds, dtype=np.float64))
    known = ~np.isnan(times)
    kept = known.any(axis=1) & np.isin(cases, CASES)
    means = np.nansum(times[kept], axis=1) / known[kept].sum(axis=1)
    return _compare(_weighted_means, means[:, None], cases, kept, n_permutations, random_state, harder=1)


def read_ratings(columns: Mapping[str, Values]) -> list[list[str | None]]:
    """Turn one column per annotator into one row per item; empty cells are missing ratings.

    >>> read_ratings({"annotator:a": ["1", ""], "annotator:b": ["0", "1"]})
    [['1', '0'], [None, '1']]
    """
    rows = zip(*columns.values(), strict=True)
    return [[None if cell is None or str(cell).strip() == "" else str(cell) for cell in row] for row in rows]


def read_seconds(columns: Mapping[str, Values]) -> Numbers:
    """Turn one column of seconds per annotator into numbers, items × annotators; empty cells are nan."""
    rows = [map(_parse_seconds, row, columns) for row in read_ratings(columns)]
    return np.array([list(row) for row in rows], dtype=np.float64)


def _parse_seconds(cell: str | None, column: str) -> float:
    try:
        return float("nan") if cell is None else float(cell)
    except ValueError:
        raise AssayError(f"'{cell}' is not a number of seconds", place=f"column '{column}'") from None


def _weighted_means(weights: Numbers, values: Numbers) -> Numbers:
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Numbers = (weights @ values)[:, 0] / weights.sum(axis=1)
        return means


def _compare(
    statistic: Statistic,
    values: Numbers,
    cases: Any,
    kept: NDArray[np.bool_],
    n_permutations: int,
    random_state: int,
    harder: int,
) -> CaseComparison:
    """Compare a statistic of the kept items; `harder` is the sign of its change on harder items."""
    names = np.asarray(cases)[kept]
    obvious = np.isin(names, ("Po", "No")).astype(np.float64)
    masks = np.array([names == case for case in CASES] + [obvious == 1, obvious == 0, obvious >= 0], dtype=np.float64)
    *by_case, value_obvious, value_non_obvious, total = (float(value) for value in statistic(masks, values))
    difference = value_obvious - value_non_obvious
    return CaseComparison(
        difference=difference,
        p=_permutation_p(statistic, values, obvious, -harder * difference, n_permutations, random_state, harder),
        by_case=dict(zip(CASES, by_case, strict=True)),
        obvious=value_obvious,
        non_obvious=value_non_obvious,
        total=total,
        n_items={case: int((names == case).sum()) for case in CASES},
        n_left_out=int((~kept).sum()),
        n_permutations=n_permutations,
    )


def _permutation_p(
    statistic: Statistic,
    values: Numbers,
    obvious: Numbers,
    observed: float,
    n_permutations: int,
    random_state: int,
    harder: int,
) -> float:
    """Return (1 + relabellings at least as extreme) / (1 + relabellings); undefined relabellings are left out."""
    if np.isnan(observed):
        return float("nan")
    generator = np.random.default_rng(random_state)
    block = max(1, _MAX_CELLS // max(1, len(obvious)))
    n_extreme = n_defined = 0
    for start in range(0, n_permutations, block):
        masks = generator.permuted(np.tile(obvious, (min(block, n_permutations - start), 1)), axis=1)
        differences = -harder * (statistic(masks, values) - statistic(1 - masks, values))
        n_extreme += int((differences >= observed - 1e-12).sum())
        n_defined += int((~np.isnan(differences)).sum())
    return (1 + n_extreme) / (1 + n_defined)
