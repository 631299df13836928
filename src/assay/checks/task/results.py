"""What the task section measured: figures, defects, copied texts and trivial baselines of one kind of task."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN
from assay.statistics import Interval
from assay.views.results import Result
from assay.views.values import ItemCount


@dataclass(frozen=True)
class TaskFigure(Result):
    """A number about the items, such as options per question; shares are shown in percent."""

    name: str = field(metadata=OWN)
    value: float
    is_share: bool = False


@dataclass(frozen=True)
class ValueCount(Result):
    """How often a value occurs, and how often it would by chance, nan if that is not known."""

    table: str = field(metadata=OWN)
    value: str = field(metadata=NAME)
    count: int
    expected: float


@dataclass(frozen=True)
class TaskDefect(Result):
    """Items with something wrong that can be counted without reading them."""

    name: str = field(metadata=OWN)
    description: str = field(metadata=OWN)
    action: str = field(metadata=OWN)
    items: ItemCount
    serious: bool


@dataclass(frozen=True)
class TrivialBaseline(Result):
    """What a baseline scores that uses a shortcut in place of the task."""

    name: str = field(metadata=OWN)
    shortcut: str = field(metadata=OWN)
    score: Interval
    n: int
    based_on: str = field(metadata=OWN)


@dataclass(frozen=True)
class TextOverlap(Result):
    """Items of a part of which one text, such as the context, is also in the reference part, verbatim."""

    text: str = field(metadata=OWN)
    part: str = field(metadata=NAME)
    reference: str = field(metadata=NAME)
    items: ItemCount


@dataclass(frozen=True)
class TaskEvidence(Result):
    """What only this kind of task has; `chance` is the expected score of a guess, nan if it is not known."""

    title: str = field(metadata=OWN)
    item_noun: str = field(metadata=OWN)
    n_items: int
    metric: str = field(metadata=OWN)
    chance: float
    figures: tuple[TaskFigure, ...]
    counts: tuple[ValueCount, ...]
    defects: tuple[TaskDefect, ...]
    baselines: tuple[TrivialBaseline, ...]
    overlaps: tuple[TextOverlap, ...]
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
