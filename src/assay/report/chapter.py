"""A section of the page: the question it answers, its numbers with intervals, its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.base.numbers import format_interval, format_number, is_missing

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Fact:
    """A number in words: what it is, the number with its interval, how it was had."""

    name: str
    number: str
    how: str


@dataclass(frozen=True)
class Table:
    """A table of numbers, and how they were had."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    how: str
    words_of_texts: bool = False


@dataclass(frozen=True)
class Chapter:
    """What the page says of one section of an audit."""

    name: str
    title: str
    question: str
    facts: Callable[[Values], Iterator[Fact | None]] = field(repr=False)
    tables: Callable[[Values], Iterator[Table]] = field(repr=False)


def within(values: Any, *names: str) -> Any:
    """Walk into nested dicts; None where a name is missing.

    >>> within({"a": {"b": 1}}, "a", "b"), within({"a": None}, "a", "b")
    (1, None)
    """
    for name in names:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values


def fact(
    name: str, found: Any, how: str, *, percent: bool = False, ends: tuple[str, ...] = ("value", "low", "high")
) -> Fact | None:
    """Make a fact of a dict with a value and an interval, or of a plain number; None where there is none."""
    numbers = [within(found, end) for end in ends] if isinstance(found, Mapping) else [found]
    return None if is_missing(numbers[0]) else Fact(name, format_interval(*numbers, percent=percent), how)


def share(name: str, found: Any, how: str) -> Fact | None:
    """Make a fact of a count among n, as a share with Wilson's interval."""
    from assay.statistics import wilson

    count, n = within(found, "count"), within(found, "n")
    if is_missing(count) or not n:
        return None
    span = wilson(float(count), int(n))
    told = format_interval(span.value, span.low, span.high, percent=True)
    return Fact(name, f"{format_number(count)} of {format_number(n)}: {told}", f"{how} Interval: Wilson, 95 %.")


def accuracy(row: Values) -> str:
    """Write the accuracy of a row with `accuracy` and `n` with Wilson's interval."""
    from assay.statistics import wilson

    if is_missing(row.get("accuracy")) or not row.get("n"):
        return format_number(row.get("accuracy"))
    span = wilson(row["accuracy"] * row["n"], int(row["n"]))
    return format_interval(span.value, span.low, span.high)
