"""Which items are drawn for a review, with known probabilities and without replacement.

The sizes of items are a mixture of suspicion, disagreement between systems, and a uniform part. Items of similar size
form a stratum, from which a fixed number is drawn at random. So every item has a known probability above zero, the
variance can be estimated without bias, and intervals hold even if the suspicion is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array

SUSPICION_SHARE = 0.3  # of the draws that follow the suspicion
DISAGREEMENT_SHARE = 0.05  # of the draws that follow the disagreement between systems
HALF_RANK = 0.4  # the rank, as a share of the draws, at which suspicion counts half as much as at the top
DECAY = 2.5  # how fast suspicion counts less beyond that rank
MAX_STRATA = 6  # besides the items that are drawn for certain
MIN_DRAWS = 4  # per stratum
CERTAIN = 0.999


@dataclass(frozen=True)
class Draw:
    """Items drawn for a review, by row, in the order in which they should be reviewed, and their probabilities."""

    rows: Array
    probabilities: Array


def mix_sizes(
    n_items: int,
    n_draws: int,
    suspicion: Array | None = None,
    disagreement: Array | None = None,
    suspicion_share: float = SUSPICION_SHARE,
) -> Array:
    """Return the size of every item, which adds up to one: draws are about proportional to it.

    Only the order of the suspicion counts; nan means that nothing is known. Equally suspicious items have equal sizes.

    >>> mix_sizes(4, 2, np.array([0.9, 0.1, 0.1, np.nan])).round(2).tolist()
    [0.41, 0.21, 0.21, 0.18]
    """
    parts = []
    if suspicion is not None and np.isfinite(suspicion).any():
        parts.append((suspicion_share, _favour_top_ranks(suspicion, n_draws)))
    if disagreement is not None and disagreement.sum() > 0:
        parts.append((DISAGREEMENT_SHARE, disagreement / disagreement.sum()))
    sizes = np.full(n_items, (1 - sum(share for share, _ in parts)) / n_items)
    for share, values in parts:
        sizes = sizes + share * values
    return sizes


def _favour_top_ranks(suspicion: Array, n_draws: int) -> Array:
    """Return values that fall with the rank of the suspicion and add up to one, equal for ties."""
    known = np.flatnonzero(np.isfinite(suspicion))
    _, ties = np.unique(-suspicion[known], return_inverse=True)
    ranks = np.arange(len(known)) + 0.5
    by_rank = 1 / (1 + (ranks / (HALF_RANK * max(n_draws, 1))) ** DECAY)
    by_tie = np.bincount(np.sort(ties), by_rank) / np.bincount(ties)
    values = np.zeros(len(suspicion))
    values[known] = by_tie[ties]
    return np.asarray(values / values.sum())


def draw_items(sizes: Array, n_draws: int, random_state: np.random.Generator) -> Draw:
    """Draw items by strata of similar sizes; the largest ones are drawn for certain.

    Items of the same size are put into strata in their order, so that the strata can be found again.

    >>> draw = draw_items(np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1]), 3, np.random.default_rng(0))
    >>> sorted(draw.probabilities.tolist()), 0 in draw.rows
    ([0.4, 0.4, 1.0], True)
    """
    order = np.argsort(-sizes, kind="stable")
    strata = _cut_strata(sizes[order], min(n_draws, len(sizes)))
    rows, probabilities, places = [], [], []
    start = 0
    for n_items, n_drawn in strata:
        chosen = random_state.permutation(order[start : start + n_items])[:n_drawn]
        rows.append(chosen)
        probabilities.append(np.full(n_drawn, n_drawn / n_items))
        # Every stratum is spread over the whole plan, so that its first part is a smaller sample of the same kind.
        places.append((np.arange(n_drawn) + random_state.random(n_drawn)) / n_drawn)
        start += n_items
    reviewed_first = np.argsort(np.concatenate(places), kind="stable")
    return Draw(np.concatenate(rows)[reviewed_first], np.concatenate(probabilities)[reviewed_first])


def is_in_plan_order(strata: Array) -> bool:
    """Return whether rows may be in the order in which `draw_items` spreads every stratum over the plan.

    >>> is_in_plan_order(np.array([0, 1, 0, 1, 1, 0] * 4)), is_in_plan_order(np.repeat([0, 1], 12))
    (True, False)
    """
    numbers = np.bincount(strata)
    n_strata = min(MAX_STRATA, max(len(strata) // MIN_DRAWS, 1))
    order = np.argsort(strata, kind="stable")
    within = np.empty(len(strata))
    within[order] = np.arange(len(strata)) - (np.cumsum(numbers) - numbers)[strata[order]]
    # Strata of equal probability look like one, in which items are out of place by as many as there are.
    slack = np.ceil(numbers * n_strata / max(len(strata), 1))[strata]
    first, last = (within - slack) / numbers[strata], (within + 1 + slack) / numbers[strata]
    return bool((np.maximum.accumulate(first) <= last).all())


def find_strata(sizes: Array, numbers: Array, rows: Array, strata: Array) -> Array | None:
    """Return the stratum of every item, given the number of items of each stratum; None if they cannot be found.

    `rows` were drawn from `strata`, which are numbered from the largest sizes to the smallest. If these do not fit, the
    sizes are not those that the items were drawn by.

    >>> find_strata(np.array([0.4, 0.1, 0.2, 0.3]), np.array([1, 3]), np.array([0, 2]), np.array([0, 1])).tolist()
    [0, 1, 1, 1]
    """
    if int(numbers.sum()) != len(sizes):
        return None
    found = np.empty(len(sizes), dtype=np.int64)
    found[np.argsort(-sizes, kind="stable")] = np.repeat(np.arange(len(numbers)), numbers)
    return found if np.array_equal(found[rows], strata) else None


def _cut_strata(sizes: Array, n_draws: int) -> list[tuple[int, int]]:
    """Return the numbers of items and draws of each stratum, for sizes from the largest to the smallest."""
    n_certain = 0
    while n_certain < n_draws:
        rest = sizes[n_certain:]
        expected = (n_draws - n_certain) * rest / rest.sum()
        n_more = int((expected >= CERTAIN).sum())
        if not n_more:
            break
        n_certain += n_more
    certain = [(n_certain, n_certain)] if n_certain else []
    n_left = n_draws - n_certain
    if not n_left:
        return certain if n_certain == len(sizes) else [*certain[:-1], (len(sizes), n_draws)]
    n_strata = min(MAX_STRATA, max(n_left // MIN_DRAWS, 1))
    ends = np.searchsorted(np.cumsum(expected), np.arange(1, n_strata) * n_left / n_strata)
    starts = np.unique(np.concatenate([[0], ends]))
    numbers = np.diff([*starts, len(expected)])
    wanted = np.add.reduceat(expected, starts)
    drawn = np.maximum(np.floor(wanted + 1e-9).astype(np.int64), 1)
    missing = n_left - int(drawn.sum())
    if missing > 0:
        drawn[np.argsort(-(wanted - drawn), kind="stable")[:missing]] += 1
    return [*certain, *zip(numbers.tolist(), np.minimum(drawn, numbers).tolist(), strict=True)]
