"""The temporal split: train on the past, test on what came after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import AssayError, UsageError, unknown_name
from assay.base.parameters import check_integer
from assay.splits.assignments import Assignment, PartAssignment
from assay.splits.base import HoldoutSplitter, count_requested_rows
from assay.splits.dates import parse_times
from assay.splits.groups import number_groups
from assay.splits.items import Ready, Rows, SplitItems, convert_rows
from assay.splits.methods.thresholds import choose_highest
from assay.splits.registry import SPLITS

_GAP = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([smhdw])\w*\s*")

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_WINDOWS = ("expanding", "rolling")


@SPLITS.add("temporal")
@dataclass(frozen=True, kw_only=True)
class TemporalSplit(HoldoutSplitter):
    """Test on the latest texts. The threshold is between two moments: rows of one date stay on one side.

    `times` has one date per row of X, in any common format. Rows closer than `gap` (seconds, or "12h", "7d", "2w")
    before a later part are unused, and so are rows without a date. `test_from` sets the threshold as a date. With
    `n_splits` windows, the latest `n_splits` blocks of `test_size` are tested one after the other, each on what came
    before it: all of it (`window="expanding"`), or as many rows as the first window had (`"rolling"`).

    >>> days = ["2020-01-03", "2020-01-01", "2020-01-02"]
    >>> [fold.test.tolist() for fold in TemporalSplit(times=days, test_size=0.3).split(["c", "a", "b"])]
    [[0]]
    """

    is_random: ClassVar[bool] = False

    times: Any = field(default=None, repr=False, compare=False)
    gap: float | str = 0.0
    n_splits: int = 1
    window: Literal["expanding", "rolling"] = "expanding"
    test_from: str | None = None
    day_first: bool | None = None

    def get_n_splits(self, X: Rows | None = None, y: Values | None = None, groups: Values | None = None) -> int:  # noqa: ARG002
        """Return the number of windows."""
        return self.n_splits

    def iterate_partitions(
        self,
        X: Rows,
        y: Values | None = None,  # noqa: ARG002
        groups: Values | None = None,
        **ready: Unpack[Ready],
    ) -> Iterator[PartAssignment]:
        """Yield the part of every row, once per window, the earliest window first."""
        moments = self._read_times(len(SplitItems.from_input(X, **ready)))
        dated = np.flatnonzero(~np.isnan(moments))
        if len(dated) < 2:
            raise AssayError(
                f"The {self.name} split needs at least 2 rows with a date, {len(dated)} of {len(moments)} have one."
            )
        numbers = None if groups is None else number_groups(convert_rows(groups)[dated])
        for window, requested in self._iterate_windows(moments[dated], numbers):
            parts = np.full(len(moments), "unused", dtype=object)
            parts[dated] = window
            yield PartAssignment(parts, requested)

    def draw_partitions(
        self,
        X: Rows,
        y: Values | None = None,
        groups: Values | None = None,
        *,
        n_jobs: int = 1,  # noqa: ARG002
        backend: str | None = None,  # noqa: ARG002
        **ready: Unpack[Ready],
    ) -> list[Assignment]:
        """Return all windows; each starts where the one after it begins, so they are computed one after the other."""
        return list(self.iterate_partitions(X, y, groups, **ready))

    def _iterate_windows(self, moments: Array, groups: Array | None) -> Iterator[tuple[Array, dict[str, int]]]:
        requested = count_requested_rows(len(moments), self.test_size, self.dev_size)
        blocks: list[tuple[Array, Array]] = []
        past = np.ones(len(moments), dtype=bool)
        for number in range(self.n_splits):  # from the latest test block back
            date = self.test_from if number == 0 else None
            test = self._choose_latest(moments, past, requested["test"], groups, date)
            blocks.append((past, test))
            past = past & ~test
        n_first = int(past.sum())
        shown = requested if self.n_splits == 1 else {part: requested[part] for part in ("dev", "test")}
        for before, test in reversed(blocks):
            yield self._assign_parts(moments, before, test, requested["dev"], n_first, groups), shown

    def _assign_parts(
        self, moments: Array, before: Array, test: Array, n_dev: int, n_rolling: int, groups: Array | None
    ) -> Array:
        parts = np.full(len(moments), "unused", dtype=object)
        parts[test] = "test"
        past = self._leave_gap(before & ~test, moments, moments[test].min())
        if n_dev:
            dev = self._choose_latest(moments, past, n_dev, groups)
            parts[dev] = "dev"
            past = self._leave_gap(past & ~dev, moments, moments[dev].min())
        if self.window == "rolling" and past.sum() > n_rolling:
            past = self._choose_latest(moments, past, n_rolling, None)
        parts[past] = "train"
        if not past.any():
            raise AssayError(
                f"The {self.name} split has no rows to train on before {_format_moment(moments[test].min())} with a "
                f"gap of {self.gap}: the first row is of {_format_moment(moments[before].min())}."
            )
        return parts

    def _choose_latest(
        self, moments: Array, among: Array, size: int, groups: Array | None, date: str | None = None
    ) -> Array:
        rows = np.flatnonzero(among)
        chosen = np.zeros(len(moments), dtype=bool)
        if date is not None:
            chosen[rows] = moments[rows] >= float(parse_times([date], self.day_first)[0])
            self._check_date(chosen, among, date)
            return chosen
        numbers = None if groups is None else number_groups(groups[rows])
        chosen[rows] = self._choose(moments[rows], size, None, numbers, 0)
        return chosen

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:  # noqa: ARG002
        return choose_highest(X, size, groups, self.name)

    def _leave_gap(self, past: Array, moments: Array, start: float) -> Array:
        seconds = parse_gap(self.gap)
        return np.asarray(past & (moments < start - seconds)) if seconds else past

    def _read_times(self, n: int) -> Array:
        if self.times is None:
            raise UsageError(f"The {self.name} split needs dates.", hint="Give them with {times}.")
        moments = parse_times(self.times, self.day_first)
        if len(moments) != n:
            raise AssayError(f"{n} rows, but {len(moments)} dates.")
        return moments

    def _check_date(self, chosen: Array, among: Array, date: str) -> None:
        if not chosen.any() or (chosen == among).all():
            side = "after" if not chosen.any() else "before"
            raise AssayError(f"No row is dated {side} {date}, so one side of the split would be empty.")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.window not in _WINDOWS:
            raise unknown_name("window", self.window, _WINDOWS)
        check_integer("n_splits", self.n_splits, 1)
        if self.n_splits > 1 and self.test_from is not None:
            raise UsageError(f"must be 1 with test_from, not {self.n_splits}.", option="n_splits")
        parse_gap(self.gap)


def parse_gap(gap: float | str) -> float:
    """Read a gap in seconds: a number, or a number with a unit (s, m, h, d, w).

    >>> parse_gap("2d"), parse_gap(60)
    (172800.0, 60.0)
    """
    if not isinstance(gap, str):
        return float(gap)
    match = _GAP.fullmatch(gap)
    if not match:
        fact = f"must be a number of seconds, or one with a unit (s, m, h, d, w) such as 7d, not '{gap}'"
        raise UsageError(fact, option="gap")
    return float(match[1]) * _UNITS[match[2]]


def _format_moment(moment: float) -> str:
    return str(np.datetime64(int(moment), "s"))
