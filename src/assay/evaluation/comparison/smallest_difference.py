"""The smallest difference of the first two systems that the items can show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN
from assay.evaluation.comparison.pairs import Comparison, find_detectable_difference
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.evaluation.results import SystemScores


@dataclass(frozen=True)
class SmallestDifference(Result):
    """The smallest true difference of the first two systems that these items detect with 80% power.

    It is in `metric`, which ranks the systems, from the paired differences of `first` and `second` on the
    `n_items` items that both answered. For a single system it is that to another one with errors of its own; `second`
    is None, and `gap`, the difference of the first two systems on these items, is nan. With `has_shares` scores are
    from 0 to 1, so that differences are points of 100. `value` is nan, with a `reason`, if the two systems differ by
    the same amount on every item.
    """

    value: float
    gap: float
    n_items: int
    has_shares: bool = True
    metric: str = field(default="", metadata=OWN)
    first: str | None = field(default=None, metadata=NAME)
    second: str | None = field(default=None, metadata=NAME)
    p: float = math.nan
    reason: str | None = field(default=None, metadata=OWN)


def find_smallest_difference(
    systems: Sequence[SystemScores], pairs: Sequence[Comparison], *, confidence: float, has_shares: bool
) -> SmallestDifference:
    """Return the smallest difference that the first two systems need to be distinguished, and their difference."""
    ranked = sorted((row for row in systems if math.isfinite(row.value)), key=lambda row: row.rank)[:2]
    if not ranked:
        return SmallestDifference(math.nan, math.nan, 0, has_shares, reason="no system has a score")
    first = ranked[0]
    if len(ranked) < 2:
        return _compare_with_unrelated(first, confidence, has_shares)
    second = ranked[1]
    names = {first.system, second.system}
    pair = next((row for row in pairs if {row.first, row.second} == names and row.metric == first.metric), None)
    named = (has_shares, first.metric, first.system, second.system)
    if pair is None:
        return SmallestDifference(math.nan, math.nan, 0, *named, reason="the first two systems were not compared")
    reason = None if math.isfinite(pair.detectable) else "the first two systems differ by the same amount on every item"
    return SmallestDifference(pair.detectable, abs(pair.difference.value), pair.n, *named, pair.p_permutation, reason)


def _compare_with_unrelated(system: SystemScores, confidence: float, has_shares: bool) -> SmallestDifference:
    """Return the difference to another system with the same error of its score, whose errors are unrelated."""
    from scipy.special import ndtri

    error = (system.high - system.low) / 2 / float(ndtri((1 + confidence) / 2))
    value = find_detectable_difference(error * math.sqrt(2)) if error > 0 else math.nan
    reason = None if math.isfinite(value) else "the score has no sampling error"
    return SmallestDifference(value, math.nan, system.n, has_shares, system.metric, system.system, reason=reason)
