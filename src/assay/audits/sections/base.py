"""What a section of an audit is: a function from a benchmark to evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.base.registry import Registry
from assay.base.results import Result
from assay.kinds import TaskKind

if TYPE_CHECKING:
    import polars as pl

    from assay.audits.benchmark import Benchmark


@dataclass(frozen=True)
class Measurement:
    """What a section returns: its evidence, and a frame with `id` and one row per item where it has one."""

    evidence: Result
    items: pl.DataFrame | None = None


Measure = Callable[["Benchmark"], Measurement]


def always(kind: TaskKind) -> bool:  # noqa: ARG001
    """Tell that a section exists for every kind of task."""
    return True


@dataclass(frozen=True)
class SectionKind:
    """A kind of section: its name, the type of its evidence, its share of the running time, and its function.

    `full_weight` is its share in a full audit, where it trains neural models. `needs` names the input without which
    the section does not belong to an audit.
    """

    name: str
    evidence: Any
    weight: float
    full_weight: float
    measure: Measure = field(repr=False)
    needs: str = "data"
    applies: Callable[[TaskKind], bool] = field(default=always, repr=False)


SECTIONS: Registry[SectionKind] = Registry("section")


def section(
    name: str,
    evidence: type[Result],
    *,
    weight: float,
    full_weight: float | None = None,
    needs: str = "data",
    applies: Callable[[TaskKind], bool] = always,
) -> Callable[[Measure], Measure]:
    """Register a function as a section of the audit; sections run in the order of registration.

    `applies` tells for which kinds of task the section exists; for others it is left out.
    """

    def register(measure: Measure) -> Measure:
        full = weight if full_weight is None else full_weight
        SECTIONS.put(name, SectionKind(name, evidence, weight, full, measure, needs, applies))
        return measure

    return register
