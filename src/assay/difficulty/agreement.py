"""Do people find non-obvious items harder? Their agreement and their time in each case (paper 002, Table 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError
from assay.base.results import Result
from assay.difficulty.cases import CASES

_CELLS = 4_000_000  # of a block of permutations held at once


@dataclass(frozen=True)
class CaseAgreement(Result):
    """Agreement or time in each case, how far obvious and non-obvious items differ, and a permutation test of that.

    `difference` is obvious − non-obvious; p is the share of relabellings of which it is as large in the direction
    that makes the non-obvious items harder (less agreement, more time), the observed one counted.
    """

    difference: float
    p: float
    by_case: dict[str, float]
    obvious: float
    non_obvious: float
    total: float
    n_items: dict[str, int]
    n_left_out: int
    n_permutations: int


def fleiss_kappa(ratings: Sequence[Sequence[Any]]) -> float:
    """Return Fleiss' kappa of items × annotators; None is a missing rating.

    Items with fewer than two ratings say nothing about agreement and are left out; where the numbers differ, each item
    gives the share of its own pairs that agree, and labels count by their share of all ratings. Nan if all are alike.

    >>> round(fleiss_kappa([["a", "a"], ["b", "b"], ["a", "b"], ["a", None]]), 4)
    0.3333
    """
    counts = _counts(ratings)
    counts = counts[counts.sum(axis=1) >= 2]
    return float(_kappas(np.ones((1, len(counts))), _agreement_sums(counts))[0])


def agreement_by_case(
    cases: Sequence[str] | NDArray[np.str_],
    ratings: Sequence[Sequence[Any]],
    n_permutations: int = 10_000,
    random_state: int = 0,
) -> CaseAgreement:
    """Compare Fleiss' kappa of obvious and non-obvious items; one-sided, for less agreement on the non-obvious.

    The test shuffles which items are called obvious among those with a case and two ratings or more (paper 002).
    """
    counts = _counts(ratings)
    kept = (counts.sum(axis=1) >= 2) & np.isin(cases, CASES)
    return _compare(_kappas, _agreement_sums(counts[kept]), cases, kept, n_permutations, random_state, harder=-1)


def time_by_case(
    cases: Sequence[str] | NDArray[np.str_],
    seconds: NDArray[np.float64],
    n_permutations: int = 10_000,
    random_state: int = 0,
) -> CaseAgreement:
    """Compare the mean seconds an item took, obvious and non-obvious; one-sided, for more time on the non-obvious.

    `seconds` is items × annotators, nan where missing; an item counts by the mean of its annotators.
    """
    times = np.atleast_2d(np.asarray(seconds, dtype=np.float64))
    known = ~np.isnan(times)
    kept = known.any(axis=1) & np.isin(cases, CASES)
    means = np.nansum(times[kept], axis=1) / known[kept].sum(axis=1)
    return _compare(_means, means[:, None], cases, kept, n_permutations, random_state, harder=1)


def ratings_of(columns: Mapping[str, Sequence[Any]]) -> list[list[Any]]:
    """Turn one column an annotator into one row an item; empty cells are missing ratings.

    >>> ratings_of({"annotator:a": ["1", ""], "annotator:b": ["0", "1"]})
    [['1', '0'], [None, '1']]
    """
    rows = zip(*columns.values(), strict=True)
    return [[None if cell is None or str(cell).strip() == "" else str(cell) for cell in row] for row in rows]


def seconds_of(columns: Mapping[str, Sequence[Any]]) -> NDArray[np.float64]:
    """Turn one column of seconds an annotator into numbers, items × annotators; empty cells are nan."""
    return np.array([[_seconds(cell) for cell in row] for row in ratings_of(columns)], dtype=np.float64)


def _seconds(cell: Any) -> float:
    try:
        return float("nan") if cell is None else float(cell)
    except ValueError:
        raise AssayError(f"A column 'seconds:…' holds '{cell}', which is no number.") from None


def _counts(ratings: Sequence[Sequence[Any]]) -> NDArray[np.float64]:
    """Return items × labels: how many annotators gave each label."""
    names = sorted({str(rating) for row in ratings for rating in row if rating is not None})
    column = {name: number for number, name in enumerate(names)}
    counts = np.zeros((len(ratings), len(names)))
    for row, given in zip(counts, ratings, strict=True):
        for rating in given:
            if rating is not None:
                row[column[str(rating)]] += 1
    return counts


def _agreement_sums(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what kappa needs of each item: share of agreeing pairs, then the ratings per label."""
    n = counts.sum(axis=1)
    pairs = (counts * (counts - 1)).sum(axis=1) / (n * (n - 1))
    return np.column_stack([pairs, counts])


def _kappas(weights: NDArray[np.float64], sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the kappa of each row of weights (which items belong), nan without items or with one label only."""
    totals, n_items = weights @ sums, weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = totals[:, 0] / n_items
        shares = totals[:, 1:] / totals[:, 1:].sum(axis=1, keepdims=True)
        expected = (shares**2).sum(axis=1)
        return np.where(expected < 1 - 1e-12, (observed - expected) / (1 - expected), np.nan)


def _means(weights: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", divide="ignore"):
        means: NDArray[np.float64] = (weights @ values)[:, 0] / weights.sum(axis=1)
        return means


def _compare(
    statistic: Any, sums: NDArray[Any], cases: Any, kept: NDArray[np.bool_], n_permutations: int, seed: int, harder: int
) -> CaseAgreement:
    names = np.asarray(cases)[kept]
    obvious = np.isin(names, ("Po", "No")).astype(np.float64)
    masks = np.array([names == case for case in CASES] + [obvious == 1, obvious == 0, obvious >= 0], dtype=np.float64)
    values = [float(value) for value in statistic(masks, sums)]
    difference = values[4] - values[5]
    return CaseAgreement(
        difference=difference,
        p=_p_value(statistic, sums, obvious, -harder * difference, n_permutations, seed, harder),
        by_case=dict(zip(CASES, values[:4], strict=True)),
        obvious=values[4],
        non_obvious=values[5],
        total=values[6],
        n_items={case: int((names == case).sum()) for case in CASES},
        n_left_out=int((~kept).sum()),
        n_permutations=n_permutations,
    )


def _p_value(
    statistic: Any,
    sums: NDArray[Any],
    obvious: NDArray[Any],
    observed: float,
    n_permutations: int,
    seed: int,
    harder: int,
) -> float:
    """Return (1 + relabellings at least as far) / (1 + relabellings); those without a defined value are left out."""
    if np.isnan(observed):
        return float("nan")
    random = np.random.default_rng(seed)
    block = max(1, _CELLS // max(1, len(obvious)))
    beyond = defined = 0
    for start in range(0, n_permutations, block):
        masks = random.permuted(np.tile(obvious, (min(block, n_permutations - start), 1)), axis=1)
        values = -harder * (statistic(masks, sums) - statistic(1 - masks, sums))
        beyond += int((values >= observed - 1e-12).sum())
        defined += int((~np.isnan(values)).sum())
    return (1 + beyond) / (1 + defined)
