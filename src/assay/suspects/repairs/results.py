"""Results of a repair: the changes, and systems' scores before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from assay.base.marks import NAME, TEXT
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

    from assay.views.blocks import Block


@dataclass(frozen=True)
class Change(Result):
    """One change of the data: an item dropped, or one cell with its value before and after."""

    id: str = field(metadata=NAME)
    action: Literal["drop", "relabel"]
    column: str = field(metadata=NAME)
    old: str = field(metadata=TEXT)
    new: str = field(metadata=TEXT)
    reason: str = field(metadata=NAME)


@dataclass(frozen=True)
class SystemChange(Result):
    """The share of items a system answers right, and its rank, before and after a repair."""

    system: str = field(metadata=NAME)
    before: float
    after: float
    rank_before: int
    rank_after: int


@dataclass(frozen=True)
class Repair(Result):
    """The repaired data (`data`, all columns of the file), every change, and what it does to systems' scores."""

    _table: ClassVar[str] = "changes"

    n_before: int
    n_after: int
    n_dropped: int
    n_relabelled: int
    changes: list[Change] = field(repr=False)
    systems: list[SystemChange] = field(repr=False)
    notes: list[str] = field(metadata=NAME)
    data: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    def blocks(self) -> Iterator[Block]:
        """Yield the changes by reason, and the systems before and after."""
        from assay.suspects.repairs.view import show_repair

        yield from show_repair(self)

    @property
    def moved(self) -> list[SystemChange]:
        """Return the systems whose rank changes."""
        return [system for system in self.systems if system.rank_before != system.rank_after]
