"""Building blocks of the page's sections: numbers in words, tables, and where they come from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from assay.audits.evidence.common import ItemCount
from assay.base.numbers import format_interval, format_number
from assay.base.registry import Registry
from assay.base.wording import format_p_value, format_percent
from assay.statistics import Interval, wilson


@dataclass(frozen=True)
class Fact:
    """A number in words: what it is, the number with its interval, and how it was measured."""

    name: str
    number: str
    method: str


@dataclass(frozen=True)
class Table:
    """A table of numbers, and how they were measured."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    method: str
    shows_words: bool = False


@dataclass(frozen=True)
class SectionView:
    """How the page shows one section of an audit."""

    name: str
    title: str
    question: str
    facts: Callable[[Any], Iterable[Fact]] = field(repr=False)
    tables: Callable[[Any], Iterable[Table]] = field(repr=False)


SECTION_VIEWS: Registry[SectionView] = Registry("section of the page")
SECTION_ORDER = (
    *("profile", "contamination", "task", "splits", "model", "difficulty", "information"),
    *("discrimination", "leaderboard", "forecast", "votes", "judges"),
)


def add_section_view(
    name: str,
    title: str,
    question: str,
    *,
    facts: Callable[[Any], Iterable[Fact]],
    tables: Callable[[Any], Iterable[Table]],
) -> None:
    """Register how the page shows a section."""
    SECTION_VIEWS.put(name, SectionView(name, title, question, facts, tables))


def estimate_facts(name: str, estimate: Interval | None, method: str, *, percent: bool = False) -> list[Fact]:
    """Return the fact about an estimate, or nothing where it is undefined."""
    if estimate is None or not math.isfinite(estimate.value):
        return []
    return [Fact(name, write_estimate(estimate, percent=percent), method)]


def number_facts(name: str, value: float | None, method: str) -> list[Fact]:
    """Return the fact about an exact number, or nothing where it is undefined."""
    return [] if value is None or not math.isfinite(value) else [Fact(name, format_number(value), method)]


def share_facts(name: str, items: ItemCount, method: str) -> list[Fact]:
    """Return the fact about a count of items; it was counted, so it has no interval."""
    if not items.n:
        return []
    number = f"{format_number(items.count)} of {format_number(items.n)} ({format_percent(items.share)})"
    return [Fact(name, number, f"{method} Counted on all items, so exact.")]


def write_estimate(estimate: Interval, *, percent: bool = False) -> str:
    """Write an estimate with its interval."""
    return format_interval(estimate.value, estimate.low, estimate.high, percent=percent)


def write_p_value(p: float) -> str:
    """Write a p-value as the cell of a table.

    >>> write_p_value(0.0123), write_p_value(3e-8)
    ('0.012', '< 0.0001')
    """
    return "n/a" if math.isnan(p) else format_p_value(p).removeprefix("p ").removeprefix("= ")


def write_share(share: float, n: int, *, percent: bool = True) -> str:
    """Write a share of n items with its Wilson interval."""
    if not math.isfinite(share) or not n:
        return "n/a"
    return write_estimate(wilson(share * n, n), percent=percent)
