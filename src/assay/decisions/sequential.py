"""Decide while items are still being run: intervals that hold at every look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data.readers.frames import read_frame
from assay.decisions.pairs import ItemPair
from assay.statistics import Interval, confidence_sequence, group_sums

if TYPE_CHECKING:
    from assay.kinds.arguments import DataSource

MIN_PROBABILITY = 0.5  # with which a plan draws an item; the bounds of weighted differences follow from it
TRUE_CELLS = ("true", "yes", "1")


@dataclass(frozen=True, eq=False)
class Draws:
    """Items of earlier plans: the probability with which each was drawn to be run, and whether it was."""

    probabilities: dict[str, float]
    run: dict[str, bool]


@dataclass(frozen=True, eq=False)
class Stream:
    """Independent observations, one per item or group: sums of differences, their sizes, and the bounds of each.

    Sums and sizes are divided by the size of the largest group. `n_run` is how many items were run.
    """

    values: Array
    sizes: Array
    bounds: Array
    n_run: int

    def estimate(self, confidence: float) -> Interval:
        """Return the mean difference with an interval that is valid at every look."""
        return confidence_sequence(self.values, -self.bounds, self.bounds, confidence, sizes=self.sizes)


def read_draws(source: DataSource | None) -> Draws | None:
    """Read a plan: columns id, draw_probability and run."""
    if source is None:
        return None
    frame, name = read_frame(source, "draws")
    lacking = [column for column in ("id", "draw_probability", "run") if column not in frame.columns]
    if lacking:
        raise AssayError(f"there is no column '{lacking[0]}'", place=name, hint="Give the file that {plan} wrote.")
    ids = [str(key) for key in frame["id"].to_list()]
    try:
        shares = [float(share) for share in frame["draw_probability"].to_list()]
    except (TypeError, ValueError):
        raise AssayError("a draw_probability is not a number", place=name) from None
    if not all(0 < share <= 1 for share in shares):
        raise AssayError("a draw_probability is not between 0 and 1", place=name)
    run = [str(cell).strip().lower() in TRUE_CELLS for cell in frame["run"].to_list()]
    return Draws(dict(zip(ids, shares, strict=True)), dict(zip(ids, run, strict=True)))


def follow_sequence(pair: ItemPair, confidence: float, draws: Draws | None, rows: Array | None = None) -> Interval:
    """Return the mean difference with an interval that is valid at every look, on all items or on some."""
    stream = build_stream(pair, draws, rows)
    interval = stream.estimate(confidence)
    low, high = max(interval.low, -pair.span), min(interval.high, pair.span)
    return Interval(interval.value, low, high, confidence, "confidence sequence (betting)")


def build_stream(pair: ItemPair, draws: Draws | None = None, rows: Array | None = None) -> Stream:
    """Return one observation per item, or per group.

    An item of a plan that was drawn with probability p counts as its difference divided by p, and one that was not
    drawn as 0: its mean over the draw is the difference, whatever the probabilities. The bound of planned items is one
    number, as a bet must not depend on the item that it is about.
    """
    ids = [str(key) for key in pair.ids.tolist()]
    known = draws.probabilities if draws else {}
    passed = find_passed(draws, {key for key, ran in zip(ids, pair.shared, strict=True) if ran})
    skipped = np.array([key in passed for key in ids], dtype=bool)
    is_drawn = np.array([key not in known or draws.run[key] for key in ids] if draws else np.ones(len(ids)), dtype=bool)
    counted = (pair.shared & is_drawn) | skipped
    counted = counted if rows is None else counted & rows
    shares = np.array([known.get(key, 1.0) for key in ids])
    values = np.where(skipped, 0.0, np.where(counted, pair.differences, 0.0) / shares)[counted]
    planned = pair.span / min([MIN_PROBABILITY, *known.values()])
    bounds = np.where([key in known for key in ids], planned, pair.span)[counted]
    n_run = int((counted & ~skipped).sum())
    if pair.groups is None:
        return Stream(values, np.ones(len(values)), bounds, n_run)
    codes = np.unique(pair.groups[counted], return_inverse=True)[1]
    table = group_sums(np.column_stack([values, np.ones(len(values))]), codes) / np.bincount(pair.groups).max()
    largest = np.zeros(len(table))
    np.maximum.at(largest, codes, bounds)
    return Stream(table[:, 0], table[:, 1], largest, n_run)


def find_passed(draws: Draws | None, ran: set[str]) -> set[str]:
    """Return the items that were passed over on the way to an item that was drawn and has been run.

    Items that were passed over on the way to one without a result do not count yet, and never if its run failed, as
    they would else outweigh the items that were run.
    """
    passed: set[str] = set()
    waiting: list[str] = []
    is_complete = True
    for key, is_drawn in () if draws is None else draws.run.items():
        if not is_drawn:
            waiting.append(key)
            continue
        is_complete = key in ran
        passed.update(waiting if is_complete else ())
        waiting = []
    return passed | set(waiting if is_complete else ())
