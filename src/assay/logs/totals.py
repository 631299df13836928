"""The totals that a harness reports, compared with the scores of its items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from assay.base.marks import NAME
from assay.logs.records import LogRecord
from assay.views.results import Result
from assay.wording.sentences import count_noun

TOLERANCE = 1e-3  # of a score, or of a score's value if it is above 1
MAX_NOTES = 5


@dataclass(frozen=True)
class HarnessTotal:
    """The score of a system on a task by one metric, as the harness reports it; `n_items` is None if it is not said.

    `reducer` says how the repeats of an item become one score: the mean, or one of inspect's reducers.
    """

    system: str
    task: str
    metric: str
    value: float
    n_items: int | None = None
    reducer: str = "mean"


@dataclass(frozen=True)
class TotalDifference(Result):
    """A total of a harness that differs from the mean score of the items in its log."""

    system: str = field(metadata=NAME)
    task: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    value: float
    total: float
    n_items: int
    n_total: int | None = None

    def describe(self) -> str:
        """Write both scores."""
        items = count_noun(self.n_items, "item")
        of = f" of {self.n_total:,}" if self.n_total is not None and self.n_total != self.n_items else ""
        harness = f"the harness reports {self.total:.4g}"
        return (
            f"{self.task}: {self.metric} of {self.system} is {self.value:.4g} over {items}{of} of the log, {harness}."
        )


def compare_totals(records: Iterable[LogRecord], totals: Sequence[HarnessTotal]) -> list[TotalDifference]:
    """Return the totals of a log that its items do not give.

    >>> rows = [LogRecord("m", "t", "acc", str(item), score) for item, score in enumerate([1.0, 0.0])]
    >>> [(row.value, row.total) for row in compare_totals(rows, [HarnessTotal("m", "t", "acc", 0.9)])]
    [(0.5, 0.9)]
    """
    wanted = {total.metric for total in totals}
    scores: dict[tuple[str, str], dict[str, list[float]]] = {}
    for record in records:
        if record.metric in wanted and record.score is not None and not record.is_aggregate:
            scores.setdefault((record.task, record.metric), {}).setdefault(record.item, []).append(record.score)
    differences = []
    for total in totals:
        items = scores.get((total.task, total.metric), {})
        values = [
            reduced for repeats in items.values() if (reduced := reduce_repeats(repeats, total.reducer)) is not None
        ]
        if not values or len(values) < len(items):
            continue
        value = math.fsum(values) / len(values)
        if abs(value - total.value) > TOLERANCE * max(1.0, abs(total.value)):
            names = (total.system, total.task, total.metric)
            differences.append(TotalDifference(*names, value, total.value, len(values), total.n_items))
    return differences


def reduce_repeats(scores: Sequence[float], reducer: str) -> float | None:
    """Return one score of the repeats of an item as inspect's reducers give it; None for an unknown reducer.

    >>> [reduce_repeats([1.0, 0.0, 1.0], name) for name in ("mean", "mode", "at_least_2", "at_least_3", "max", "mine")]
    [0.6666666666666666, 1.0, 1.0, 0.0, 1.0, None]
    """
    name, _, number = reducer.rpartition("_")
    if reducer in ("mean", "mean_score", ""):
        return math.fsum(scores) / len(scores)
    if reducer in ("median", "median_score"):
        return median(scores)
    if reducer in ("mode", "mode_score"):
        return max(dict.fromkeys(scores), key=list(scores).count)
    if reducer in ("max", "max_score"):
        return max(scores)
    n_right = sum(score >= 1 for score in scores)
    if name == "at_least" and number.isdecimal():
        return float(n_right >= int(number))
    if name == "pass_at" and number.isdecimal():
        n, k = len(scores), int(number)
        return 1.0 if n - n_right < k else 1.0 - math.comb(n - n_right, k) / math.comb(n, k)
    return None


def note_differences(differences: Sequence[TotalDifference]) -> list[str]:
    """Return warnings on the first differences, and how many more there are."""
    notes = [f"Warning: {difference.describe()}" for difference in differences[:MAX_NOTES]]
    rest = len(differences) - MAX_NOTES
    return [*notes, f"Warning: {count_noun(rest, 'more total')} of the harness differ."] if rest > 0 else notes
