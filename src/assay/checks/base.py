"""Checks of an audit: functions from a benchmark to a result, with their place, title and question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.base.registry import Registry
from assay.kinds import TaskKind
from assay.views.blocks import Block
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

    from assay.checks.benchmark import Benchmark


@dataclass(frozen=True)
class CheckOutcome:
    """The output of a check: its result, and a frame with `id` and one row per item if the check is about items."""

    result: Result
    items: pl.DataFrame | None = None


MeasureFunction = Callable[["Benchmark"], CheckOutcome]
ShowFunction = Callable[[Any], Iterable[Block]]


def always(kind: TaskKind) -> bool:  # noqa: ARG001
    """Return True: the check exists for every kind of task."""
    return True


@dataclass(eq=False)
class Check:
    """A check: name, type of its result, what people read about it, and its function.

    `order` is its place in the run and on the page, `weight` its share of the running time (`full_weight` in a full
    audit, which trains neural models). `needs` names inputs; the check needs one of them ("data or scores"), `topic`
    the row of the first screen to which its rules belong, and `tab` the tab of the web page that shows it.
    """

    name: str
    result: type[Result]
    measure: MeasureFunction = field(repr=False)
    order: int
    title: str
    question: str
    topic: str
    weight: float
    full_weight: float
    needs: str = "data"
    tab: str = ""
    applies: Callable[[TaskKind], bool] = field(default=always, repr=False)
    views: tuple[ShowFunction, ...] = field(default=(), repr=False)

    def view(self, function: ShowFunction) -> ShowFunction:
        """Register a function that yields facts and tables of a result."""
        self.views += (function,)
        return function

    def show(self, result: Result) -> Iterator[Block]:
        """Yield the facts and tables of a result."""
        for view in self.views:
            yield from view(result)


CHECKS: Registry[Check] = Registry("section", order=lambda check: check.order)


def check(
    name: str,
    result: type[Result],
    *,
    order: int,
    title: str,
    question: str,
    topic: str,
    weight: float,
    full_weight: float | None = None,
    needs: str = "data",
    tab: str = "",
    applies: Callable[[TaskKind], bool] = always,
    views: tuple[ShowFunction, ...] = (),
) -> Callable[[MeasureFunction], Check]:
    """Register a function as a check of the audit, and return the check.

    `applies` tells for which kinds of task the check exists; for others it is left out. `views` yield the facts and
    tables of its result, if the package of the method has them.
    """

    def register(measure: MeasureFunction) -> Check:
        full = weight if full_weight is None else full_weight
        entry = Check(name, result, measure, order, title, question, topic, weight, full, needs, tab, applies, views)
        CHECKS.put(name, entry)
        return entry

    return register


def list_tab(tab: str) -> list[str]:
    """Return the checks that a tab of the web page shows."""
    return [name for name, entry in CHECKS.items() if entry.tab == tab]
