"""Obvious and non-obvious pairs: the label against what the shared words suggest (paper 002, Tables 3 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError, UsageError
from assay.base.results import Result
from assay.difficulty.distribution import in_order
from assay.difficulty.positive import Polarity, polarity
from assay.statistics import Interval, wilson

CASES = ("Po", "Pn", "No", "Nn")


@dataclass(frozen=True)
class PartCases(Result):
    """The cases of one part: the share of obvious items, the counts, and the median of the part alone."""

    obvious_share: float
    counts: dict[str, int]
    median: float
    cut: float


@dataclass(frozen=True)
class Obviousness(Result):
    """How many items the shared words give away; `cases` holds Po, Pn, No, Nn or '' (no case) for each item.

    The interval is Wilson's, 95 %, for the cut as it stands. `median` is that of all items with a defined divergence;
    `cuts` holds the cut of each part, or one, '', for the whole.
    """

    obvious_share: float
    low: float
    high: float
    counts: dict[str, int]
    median: float
    threshold: str | float
    cuts: dict[str, float]
    positive: str
    n_items: int
    n_undefined: int
    n_unlabelled: int
    by_part: dict[str, PartCases] = field(repr=False)
    cases: NDArray[np.str_] = field(repr=False, compare=False)


def obviousness(
    divergence: Sequence[float] | NDArray[np.float64],
    labels: Sequence[Any],
    *,
    threshold: str | float = "dataset",
    parts: Sequence[Any] | None = None,
    positive: str | None = None,
    positive_from: float | None = None,
    similarity: bool = False,
) -> Obviousness:
    """Cut at the median (`dataset`), at the median of each part (`split`) or at a number, and count the four cases.

    Above the cut is high, on it or below is low: Po positive and low, Pn positive and high, No negative and high, Nn
    negative and low; for a similarity the mirror image. An item without divergence or label has no case (paper 002).

    >>> obviousness([0.1, 0.9, 0.8, 0.2], ["1", "1", "0", "0"]).counts
    {'Po': 1, 'Pn': 1, 'No': 1, 'Nn': 1}
    """
    values = np.asarray(divergence, dtype=np.float64)
    _check_lengths(len(values), labels, parts)
    threshold = named_threshold(threshold)
    sides = polarity(labels, positive, positive_from)
    names = _part_names(parts, len(values))
    cuts = _cuts(values, names, threshold, has_parts=parts is not None)
    cut = np.array([cuts.get(name, cuts.get("", np.nan)) for name in names])
    cases = _cases(values, cut, sides, similarity=similarity)
    share = _obvious_share(counts := _count(cases))
    return Obviousness(
        obvious_share=share.value,
        low=share.low,
        high=share.high,
        counts=counts,
        median=median(values),
        threshold=threshold,
        cuts=cuts,
        positive=sides.name,
        n_items=len(values),
        n_undefined=int(np.isnan(values).sum()),
        n_unlabelled=int((~sides.labelled).sum()),
        by_part={} if parts is None else _by_part(values, cases, names, cuts),
        cases=cases,
    )


def obviousness_by_label(
    divergence: Sequence[float] | NDArray[np.float64], labels: Sequence[Any], **settings: Any
) -> dict[str, Obviousness]:
    """Return the cases of each label against all others, for labels of more than two kinds.

    >>> {name: result.counts["Po"] for name, result in obviousness_by_label([0.1, 0.9, 0.5], ["a", "b", "c"]).items()}
    {'a': 1, 'b': 0, 'c': 1}
    """
    names = sorted({str(label) for label in labels if label is not None})
    return {name: obviousness(divergence, labels, positive=name, **settings) for name in names}


def named_threshold(threshold: str | float) -> str | float:
    """Return 'dataset', 'split' or the number a threshold says.

    >>> named_threshold("split"), named_threshold("0.5")
    ('split', 0.5)
    """
    if threshold in ("dataset", "split"):
        return threshold
    try:
        return float(threshold)
    except ValueError:
        raise UsageError(f"No threshold '{threshold}'. Known: dataset, split, or a number.") from None


def median(values: NDArray[np.float64]) -> float:
    """Return the median of the defined values, nan where there are none."""
    defined = values[~np.isnan(values)]
    return float(np.median(defined)) if defined.size else float("nan")


def _cuts(
    values: NDArray[np.float64], names: NDArray[Any], threshold: str | float, *, has_parts: bool
) -> dict[str, float]:
    if threshold == "dataset":
        return {"": median(values)}
    if threshold == "split":
        if not has_parts:
            raise AssayError(
                "A threshold for each split needs parts, and the data has none: use 'dataset' or a number."
            )
        return {name: median(values[names == name]) for name in in_order(set(names.tolist()))}
    return {"": float(threshold)}


def _cases(
    values: NDArray[np.float64], cut: NDArray[np.float64], sides: Polarity, *, similarity: bool
) -> NDArray[np.str_]:
    # A similarity is mirrored whole, so that its ties at the cut are the near ones too.
    high = -values > -cut if similarity else values > cut
    cases = np.where(sides.positive, np.where(high, "Pn", "Po"), np.where(high, "No", "Nn"))
    cases[np.isnan(values) | ~sides.labelled] = ""
    return cases


def _count(cases: NDArray[np.str_]) -> dict[str, int]:
    return {case: int((cases == case).sum()) for case in CASES}


def _obvious_share(counts: dict[str, int]) -> Interval:
    return wilson(counts["Po"] + counts["No"], sum(counts.values()))


def _by_part(
    values: NDArray[np.float64], cases: NDArray[np.str_], names: NDArray[Any], cuts: dict[str, float]
) -> dict[str, PartCases]:
    parts = {}
    for name in in_order(set(names.tolist())):
        here = names == name
        counts = _count(cases[here])
        parts[name] = PartCases(
            _obvious_share(counts).value, counts, median(values[here]), cuts.get(name, cuts.get("", np.nan))
        )
    return parts


def _part_names(parts: Sequence[Any] | None, n_items: int) -> NDArray[Any]:
    if parts is None:
        return np.full(n_items, "", dtype=object)
    return np.array(["(none)" if part is None else str(part) for part in parts], dtype=object)


def _check_lengths(n_items: int, labels: Sequence[Any], parts: Sequence[Any] | None) -> None:
    if len(labels) != n_items:
        raise AssayError(f"{n_items} divergences need as many labels: there are {len(labels)}.")
    if parts is not None and len(parts) != n_items:
        raise AssayError(f"{n_items} divergences need as many parts: there are {len(parts)}.")
