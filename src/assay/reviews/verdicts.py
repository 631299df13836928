"""Verdicts of reviewers on items, and how those of several reviewers are combined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.suspects.reviews import GOOD_VERDICTS

# Further words for an item without a defect, and words that decide nothing; any other words say what is wrong.
MORE_GOOD_VERDICTS = ("okay", "fine", "right", "all right")
UNDECIDED = (
    *("unsure", "not sure", "uncertain", "undecided", "maybe", "perhaps", "unknown", "unclear", "don't know"),
    *("dont know", "skip", "skipped", "todo", "tbd", "later", "pending", "n/a", "na", "nan", "null"),
    *("yes", "no", "true", "false"),  # to which question?
)
_WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class ReviewedLabels:
    """Whether each reviewed item is bad: the lowest, the best and the highest value between 0 (ok) and 1 (bad).

    The three differ for items without a verdict and for items about which reviewers disagree.
    """

    low: Array
    value: Array
    high: Array

    @property
    def are_certain(self) -> bool:
        """Return whether every item is either ok or bad."""
        return bool((self.low == self.high).all())


def parse_verdict(cell: str | None, id_: str, place: object = None) -> bool | None:
    """Return whether a verdict calls an item bad; None if there is none.

    >>> parse_verdict("ok", "1"), parse_verdict("wrong label", "1"), parse_verdict(" ", "1")
    (False, True, None)
    """
    verdict = " ".join((cell or "").casefold().split())
    if not verdict:
        return None
    if verdict not in UNDECIDED and verdict in (*GOOD_VERDICTS, *MORE_GOOD_VERDICTS):
        return False
    if verdict == "1":
        return True
    if verdict in UNDECIDED or not _WORD.search(verdict):
        hint = "Write ok, bad or what is wrong, or leave the cell empty."
        raise AssayError(f"the verdict '{cell}' of item '{id_}' is neither ok nor bad", place=place, hint=hint)
    return True


def combine_verdicts(ratings: Sequence[Sequence[bool]], strata: Array) -> ReviewedLabels:
    """Combine the verdicts on each item, none, one or several; the majority decides.

    If as many reviewers call an item bad as ok, it counts as ok in the lowest value, as bad in the highest, and as half
    in the best one. An item without a verdict does too, with the mean of its stratum as the best value. An item with
    one verdict is expected to be disputed as often as items with the same first verdict and a second one; its limits
    allow for the highest such share that is compatible with these items (one-sided, 95%).
    """
    shares = np.array([np.mean(each) if len(each) else np.nan for each in ratings])
    low, high = (shares > 0.5).astype(float), (shares >= 0.5).astype(float)
    is_missing = np.isnan(shares)
    low[is_missing], high[is_missing] = 0.0, 1.0
    single = np.array([len(each) == 1 for each in ratings])
    firsts = np.array([bool(each[0]) if len(each) else False for each in ratings])
    value = np.where(is_missing, 0.0, (low + high) / 2)
    if any(len(each) >= 2 for each in ratings):
        for first in (False, True):
            pairs = [each for each in ratings if len(each) >= 2 and each[0] == first]
            disputed, highest = _bound_disputed(sum(len(set(each)) > 1 for each in pairs), len(pairs))
            chosen = single & (firsts == first)
            if first:
                value[chosen], low[chosen] = 1 - disputed / 2, 1 - highest
            else:
                value[chosen], high[chosen] = disputed / 2, highest
    for stratum in np.unique(strata[is_missing]):
        known = (strata == stratum) & ~is_missing
        value[(strata == stratum) & is_missing] = value[known].mean() if known.any() else 0.5
    return ReviewedLabels(low, value, high)


def _bound_disputed(n_disputed: int, n_pairs: int) -> tuple[float, float]:
    """Return the share of pairs of verdicts that differ, and its upper limit (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    if n_disputed == n_pairs:
        return float(n_pairs > 0), 1.0
    return n_disputed / n_pairs, float(betaincinv(n_disputed + 1, n_pairs - n_disputed, 0.95))


def describe_ids(ids: Sequence[str]) -> str:
    """Name a few items for an error.

    >>> describe_ids(["1", "2", "3", "4"])
    "'1', '2', '3' and 1 more"
    """
    return join_names([f"'{name}'" for name in ids], 3)
