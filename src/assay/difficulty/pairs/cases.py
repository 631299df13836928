"""Obvious and non-obvious pairs: the label against what the shared words suggest (Peinelt et al. 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Values
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.difficulty.distributions import group_rows
from assay.difficulty.positive import Polarity, polarity
from assay.statistics import Interval, wilson
from assay.views.results import Result

CASES = ("Po", "Pn", "No", "Nn")
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class PartCases(Result):
    """The cases of one part: the share of obvious items, the counts, and the median of the part alone."""

    obvious_share: Interval
    counts: dict[str, int] = field(metadata=OWN)
    median: float
    cut: float


@dataclass(frozen=True)
class PairCases(Result):
    """The cases of pairs and the share of obvious ones; `cases` holds Po, Pn, No, Nn or '' (no case) for each item.

    The interval is Wilson's, 95%, for the cut as it is. `median` is over all items with a defined divergence;
    `cuts` holds the cut of each part, or one, '', for all.
    """

    obvious_share: Interval
    counts: dict[str, int] = field(metadata=OWN)
    median: float
    threshold: str | float = field(metadata=OWN)
    cuts: dict[str, float] = field(metadata=NAME)
    positive: str = field(metadata=NAME)
    n_items: int
    n_undefined: int
    n_unlabelled: int
    by_part: dict[str, PartCases] = field(repr=False, metadata=NAME)
    cases: NDArray[np.str_] = field(
        default_factory=lambda: np.array([], dtype=str), repr=False, compare=False, metadata={"json": False, **OWN}
    )

    def reorder(self, order: NDArray[np.int64]) -> PairCases:
        """Return the cases of the items in another order."""
        return replace(self, cases=self.cases[order])


def assign_cases(
    divergence: Sequence[float] | Numbers,
    labels: Values,
    *,
    threshold: str | float = "dataset",
    parts: Values | None = None,
    positive: str | None = None,
    positive_from: float | None = None,
    similarity: bool = False,
) -> PairCases:
    """Cut at the median (`dataset`), at the median of each part (`split`) or at a number, and count the four cases.

    Above the cut is high, at or below it is low: Po is positive and low, Pn positive and high, No negative and high,
    Nn negative and low; for a similarity the mirror image. An item without divergence or label has no case.

    >>> assign_cases([0.1, 0.9, 0.8, 0.2], ["1", "1", "0", "0"]).counts
    {'Po': 1, 'Pn': 1, 'No': 1, 'Nn': 1}
    """
    values = np.asarray(divergence, dtype=np.float64)
    _check_lengths(len(values), labels, parts)
    threshold = parse_threshold(threshold)
    sides = polarity(labels, positive, positive_from)
    rows = None if parts is None else dict(group_rows(parts))
    cuts = _find_cuts(values, rows, threshold)
    cases = _name_cases(values, _spread_cuts(cuts, rows, len(values)), sides, similarity=similarity)
    counts = _count_cases(cases)
    return PairCases(
        obvious_share=_obvious_share(counts),
        counts=counts,
        median=median_of_defined(values),
        threshold=threshold,
        cuts=cuts,
        positive=sides.name,
        n_items=len(values),
        n_undefined=int(np.isnan(values).sum()),
        n_unlabelled=int((~sides.labelled).sum()),
        by_part={} if rows is None else _count_by_part(values, cases, rows, cuts),
        cases=cases,
    )


def assign_cases_by_label(
    divergence: Sequence[float] | Numbers, labels: Values, **settings: Any
) -> dict[str, PairCases]:
    """Return the cases of each label against all others, for more than two labels.

    >>> {name: result.counts["Po"] for name, result in assign_cases_by_label([0.1, 0.9, 0.5], ["a", "b", "c"]).items()}
    {'a': 1, 'b': 0, 'c': 1}
    """
    names = sorted({str(label) for label in labels if label is not None})
    return {name: assign_cases(divergence, labels, positive=name, **settings) for name in names}


def parse_threshold(threshold: str | float) -> str | float:
    """Return 'dataset', 'split' or the number that a threshold names.

    >>> parse_threshold("split"), parse_threshold("0.5")
    ('split', 0.5)
    """
    if threshold in ("dataset", "split"):
        return threshold
    try:
        return float(threshold)
    except ValueError:
        raise UsageError(f"No threshold '{threshold}'. Known: dataset, split, or a number.") from None


def median_of_defined(values: Numbers) -> float:
    """Return the median of the defined values, nan if there are none."""
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if defined.size else float("nan")


def _find_cuts(values: Numbers, rows: dict[str, NDArray[np.bool_]] | None, threshold: str | float) -> dict[str, float]:
    """Return the cut of each part, or one under '' for all items."""
    if threshold == "dataset":
        return {"": median_of_defined(values)}
    if threshold == "split":
        if rows is None:
            raise AssayError("needs parts, and the data has none", option="threshold", hint="Use dataset or a number.")
        return {name: median_of_defined(values[here]) for name, here in rows.items()}
    return {"": float(threshold)}


def _spread_cuts(cuts: dict[str, float], rows: dict[str, NDArray[np.bool_]] | None, n_items: int) -> Numbers:
    """Return the cut of every item."""
    if "" in cuts and len(cuts) == 1:
        return np.full(n_items, cuts[""])
    spread = np.full(n_items, np.nan)
    for name, here in (rows or {}).items():
        spread[here] = cuts[name]
    return spread


def _name_cases(values: Numbers, cut: Numbers, sides: Polarity, *, similarity: bool) -> NDArray[np.str_]:
    # A similarity is mirrored as a whole, so that its ties at the cut are on the near side too.
    high = -values > -cut if similarity else values > cut
    cases = np.where(sides.positive, np.where(high, "Pn", "Po"), np.where(high, "No", "Nn"))
    cases[np.isnan(values) | ~sides.labelled] = ""
    return cases


def _count_cases(cases: NDArray[np.str_]) -> dict[str, int]:
    return {case: int((cases == case).sum()) for case in CASES}


def _obvious_share(counts: dict[str, int]) -> Interval:
    return wilson(counts["Po"] + counts["No"], sum(counts.values()))


def _count_by_part(
    values: Numbers, cases: NDArray[np.str_], rows: dict[str, NDArray[np.bool_]], cuts: dict[str, float]
) -> dict[str, PartCases]:
    parts = {}
    for name, here in rows.items():
        counts = _count_cases(cases[here])
        cut = cuts.get(name, cuts.get("", float("nan")))
        parts[name] = PartCases(_obvious_share(counts), counts, median_of_defined(values[here]), cut)
    return parts


def _check_lengths(n_items: int, labels: Values, parts: Values | None) -> None:
    if len(labels) != n_items:
        raise AssayError(f"{n_items} divergences need as many labels; there are {len(labels)}.")
    if parts is not None and len(parts) != n_items:
        raise AssayError(f"{n_items} divergences need as many parts; there are {len(parts)}.")
