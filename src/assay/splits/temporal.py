"""The temporal split: train on the past, test on what came after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from assay.errors import AssayError, UsageError
from assay.splits.base import HoldoutSplitter, Parts, asked_rows, check_lengths
from assay.splits.cutting import cut_between_values
from assay.splits.grouping import recoded
from assay.splits.rows import as_rows

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


@dataclass(frozen=True, kw_only=True)
class TemporalSplit(HoldoutSplitter):
    """Test on the latest texts. The cut is between two moments: rows of one date stay on one side.

    `times` has one date a row of X, in any common format. Rows closer than `gap` (seconds, or "12h", "7d", "2w")
    before a later part are unused, and so are rows without a date. `test_from` gives the cut as a date.
    With `n_splits` windows, the latest `n_splits` blocks of `test_size` are tested in turn, each on what came
    before it: all of it (`window="expanding"`), or as many rows as the first window had (`"rolling"`).

    >>> days = ["2020-01-03", "2020-01-01", "2020-01-02"]
    >>> [fold.test.tolist() for fold in TemporalSplit(times=days, test_size=0.3).split(["c", "a", "b"])]
    [[0]]
    """

    name: ClassVar[str] = "temporal"
    draws: ClassVar[bool] = False

    times: Any = field(default=None, repr=False, compare=False)
    gap: float | str = 0.0
    n_splits: int = 1
    window: Literal["expanding", "rolling"] = "expanding"
    test_from: str | None = None
    day_first: bool | None = None

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: ARG002
        """Count the windows."""
        return self.n_splits

    def partitions(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Parts]:
        """Yield the part of every row, once a window, the earliest window first."""
        self._check()
        moments = self._moments(as_rows(X).shape[0])
        check_lengths(len(moments), y, groups)
        dated = np.flatnonzero(~np.isnan(moments))
        if len(dated) < 2:
            raise AssayError(
                f"The temporal split needs at least 2 rows with a date, {len(dated)} of {len(moments)} have one."
            )
        codes = None if groups is None else recoded(as_rows(groups)[dated])
        for window, asked in self._windows(moments[dated], codes):
            parts = np.full(len(moments), "unused", dtype=object)
            parts[dated] = window
            yield Parts(parts, asked)

    def _windows(self, moments: np.ndarray, groups: Any) -> Iterator[tuple[np.ndarray, dict[str, int]]]:
        asked = asked_rows(len(moments), self.test_size, self.dev_size)
        edges: list[tuple[np.ndarray, np.ndarray]] = []
        past = np.ones(len(moments), dtype=bool)
        for _ in range(self.n_splits):  # from the latest test block back
            chosen = self._latest(moments, past, asked["test"], groups, cut=self.test_from if not edges else None)
            edges.append((past, chosen))
            past = past & ~chosen
        n_first = int(past.sum())
        for before, test in reversed(edges):
            told = asked if self.n_splits == 1 else {part: asked[part] for part in ("dev", "test")}
            yield self._parts(moments, before, test, asked, n_first, groups), told

    def _parts(
        self,
        moments: np.ndarray,
        before: np.ndarray,
        test: np.ndarray,
        asked: dict[str, int],
        n_train: int,
        groups: Any,
    ) -> np.ndarray:
        parts = np.full(len(moments), "unused", dtype=object)
        parts[test] = "test"
        past = self._without_gap(before & ~test, moments, moments[test].min())
        if asked["dev"]:
            dev = self._latest(moments, past, asked["dev"], groups)
            parts[dev] = "dev"
            past = self._without_gap(past & ~dev, moments, moments[dev].min())
        if self.window == "rolling" and past.sum() > n_train:
            past = self._latest(moments, past, n_train, None)
        parts[past] = "train"
        if not past.any():
            first = _date(moments[before].min())
            raise AssayError(
                f"The temporal split has nothing left to train on before {_date(moments[test].min())} with a gap of "
                f"{self.gap}: the first row is of {first}."
            )
        return parts

    def _latest(
        self, moments: np.ndarray, among: np.ndarray, size: int, groups: Any, cut: str | None = None
    ) -> np.ndarray:
        rows = np.flatnonzero(among)
        chosen = np.zeros(len(moments), dtype=bool)
        if cut is not None:
            chosen[rows] = moments[rows] >= _moment(cut, self.day_first)
            self._check_cut(chosen, among, cut)
            return chosen
        within = None if groups is None else recoded(groups[rows])
        chosen[rows] = self._choose(moments[rows], size, None, within, 0)
        return chosen

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:  # noqa: ARG002
        return cut_between_values(X, size, groups, self.name)

    def _without_gap(self, past: np.ndarray, moments: np.ndarray, start: float) -> np.ndarray:
        return np.asarray(past & (moments < start - seconds_of(self.gap))) if seconds_of(self.gap) else past

    def _moments(self, n: int) -> np.ndarray:
        from assay.splits.dates import parse_times

        if self.times is None:
            raise UsageError(
                "The temporal split needs dates: TemporalSplit(times=…), on the command line --time COLUMN."
            )
        moments = parse_times(self.times, self.day_first)
        if len(moments) != n:
            raise AssayError(f"{n} rows, but {len(moments)} dates.")
        return moments

    def _check_cut(self, chosen: np.ndarray, among: np.ndarray, cut: str) -> None:
        if not chosen.any() or (chosen == among).all():
            side = "after" if not chosen.any() else "before"
            raise AssayError(f"No row is dated {side} {cut}, so one side of the cut would be empty.")

    def _check(self) -> None:
        super()._check()
        if self.window not in ("expanding", "rolling"):
            raise UsageError(f"No window '{self.window}'. Known: expanding, rolling.")
        if self.n_splits < 1 or (self.n_splits > 1 and self.test_from is not None):
            raise UsageError(f"n_splits must be 1 or more, and 1 with test_from, not {self.n_splits}.")
        seconds_of(self.gap)


def seconds_of(gap: float | str) -> float:
    """Read a gap: seconds, or a number with a unit (s, m, h, d, w).

    >>> seconds_of("2d"), seconds_of(60)
    (172800.0, 60.0)
    """
    if not isinstance(gap, str):
        return float(gap)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smhdw])\w*\s*", gap)
    if not found:
        raise UsageError(f"'{gap}' is no gap: a number of seconds, or one with a unit (s, m, h, d, w) such as 7d.")
    return float(found[1]) * _UNITS[found[2]]


def _moment(date: str, day_first: bool | None) -> float:
    from assay.splits.dates import parse_times

    return float(parse_times([date], day_first)[0])


def _date(moment: float) -> str:
    return str(np.datetime64(int(moment), "s"))
