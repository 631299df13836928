"""The class of a kind of task, and the registry of all kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from assay.base.errors import AssayError
from assay.base.registry import Registry
from assay.data.columns.grades import are_grades
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    import polars as pl

    from assay.data import Dataset


class Certainty(IntEnum):
    """How sure a kind is that data is of this kind."""

    WEAK = 1  # by names that are often other things: title, summary, input
    USUAL = 2  # by usual names that other kinds use too: question and answer
    CLEAR = 3  # by names, or contents, that hardly mean anything else; or by what the user named


@dataclass(frozen=True)
class Match:
    """The columns that a kind would use, and how sure it is.

    `fields` are columns next to texts and label, by the name the kind gives them. `problem` is the error to raise when
    this match is chosen, for example two columns that could both be the label.
    """

    texts: tuple[str, ...]
    certainty: Certainty
    label: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    problem: AssayError | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns in the order they are listed for the user."""
        fields = [column for column in self.fields.values() if column]
        return (*self.texts, *fields, *((self.label,) if self.label else ()))


@dataclass(frozen=True, eq=False)
class SharedValues:
    """Values that every kind reads in the same way: ids, parts, times and groups of all rows, and names for messages."""

    name: str
    place: str
    ids: pl.Series
    parts: pl.Series | None = None
    times: pl.Series | None = None
    groups: pl.Series | None = None
    has_row_ids: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskKind:
    """One way a benchmark can be built, composed of parts. A kind is one module that calls `register_kind`."""

    name: str
    """The name that users write after `--task`, and `Dataset.task`."""
    title: str
    """The name in sentences."""
    description: str
    hub_task: str = "text-classification"
    """The task category on the Hugging Face hub."""
    item_noun: str = "item"
    """The noun for one item; its plural ends in s."""
    layout: Layout
    gold: Gold = field(default_factory=Gold)
    answers: AnswerTexts = field(default_factory=AnswerTexts)
    scoring: Scoring
    texts: TaskTexts = field(default_factory=TaskTexts)
    learning: Learning = field(default_factory=Learning)

    def __post_init__(self) -> None:
        for part in (self.layout, self.gold, self.answers, self.scoring, self.texts, self.learning):
            part.kind = self

    @property
    def has_facts(self) -> bool:
        """Return whether the kind has figures or trivial baselines of its own."""
        has_figures = type(self.texts).describe_items is not TaskTexts.describe_items
        return has_figures or type(self.learning).answer_baselines is not Learning.answer_baselines


KINDS: Registry[TaskKind] = Registry("task", plugins=True)


def register_kind(kind: TaskKind) -> TaskKind:
    """Register a kind of task under its name."""
    KINDS.put(kind.name, kind)
    return kind


def kind_of(data: Dataset) -> TaskKind:
    """Return the kind of task of a dataset."""
    return KINDS[data.task]


def check_text_labels(data: Dataset) -> Dataset:
    """Return the data; raise if its kind of task has no labels that a classifier of texts could learn."""
    kind = kind_of(data)
    if not kind.gold.has_text_labels:
        raise AssayError(f"the task {kind.title} has no classes of texts to learn", place=data.name)
    return data


def has_grades(names: Collection[str], data: Dataset | None = None) -> bool:
    """Return whether labels are grades: as the task of the data says, or without data by the labels themselves.

    >>> has_grades(["neg", "pos"]), has_grades([str(number / 2) for number in range(20)])
    (False, True)
    """
    return are_grades(names) if data is None else kind_of(data).gold.has_grades
