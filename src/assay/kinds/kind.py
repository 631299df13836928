"""What a kind of task is: its columns, its texts, the form of its labels and the metrics that score it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from assay.base.errors import AssayError
from assay.base.registry import Registry
from assay.data.columns.grades import are_grades

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import polars as pl

    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import Table

LabelForm = Literal["class", "grade", "class set", "tag sequence", "text", "ranking"]


class Certainty(IntEnum):
    """How sure a kind is that data is of this kind."""

    WEAK = 1  # by names that are often other things: title, summary, input
    USUAL = 2  # by usual names that other kinds use too: question and answer
    CLEAR = 3  # by names, or contents, that hardly mean anything else; or by what the user named


@dataclass(frozen=True)
class Match:
    """The columns that a kind would use, and how sure it is.

    `fields` are columns beside texts and label, by the name the kind gives them. `problem` is the error to raise when
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
        return (*self.texts, *self.fields.values(), *((self.label,) if self.label else ()))


@dataclass(frozen=True, eq=False)
class SharedValues:
    """What is read alike for every kind: ids, parts, times and groups of all rows, and names for messages."""

    name: str
    place: str
    ids: pl.Series
    parts: pl.Series | None = None
    times: pl.Series | None = None
    groups: pl.Series | None = None
    has_row_ids: bool = False


class TaskKind(ABC):
    """One way a benchmark can be built. A kind is one module that registers itself with `register_kind`."""

    name: ClassVar[str]
    """What users write after `--task`, and `Dataset.task`."""
    title: ClassVar[str]
    """The name in sentences."""
    item_noun: ClassVar[str] = "item"
    """What one item is called; the plural takes an s."""
    needs: ClassVar[str]
    """The columns it needs, for the error that they are not there."""
    label_form: ClassVar[LabelForm] = "class"
    metrics: ClassVar[tuple[str, ...]]
    """Names in the registry of `assay.evaluation.metrics`."""
    headline: ClassVar[str]
    """The metric that systems are compared by."""
    example: ClassVar[Mapping[str, Sequence[str]]]
    """Columns that are recognised as this kind, for tests and documentation."""

    @abstractmethod
    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Return the columns this kind would use, None where the data is not of this kind.

        Where `request.task` is the name of this kind the user decided, and only the columns are looked for.
        """

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, Table] | None:  # noqa: ARG002
        """Return the tables of a source that is not a plain table, by part; None for every other source.

        For folders and files with a layout of their own, such as a corpus with queries and judgements.
        """
        return None

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Make the dataset from the columns of a match."""
        from assay.data import Dataset

        labels, notes = self.read_labels(columns, match, shared)
        return Dataset(
            name=shared.name,
            ids=shared.ids,
            sides=tuple(columns[name] for name in match.texts),
            labels=labels,
            parts=shared.parts,
            times=shared.times,
            groups=shared.groups,
            task=self.name,
            fields=self.read_fields(columns, match),
            attachments=columns.table.attachments,
            notes=notes,
            has_row_ids=shared.has_row_ids,
            table=columns.frame,
        )

    def read_labels(
        self, columns: Columns, match: Match, shared: SharedValues
    ) -> tuple[pl.Series | None, tuple[str, ...]]:
        """Return the label of every item, null where it has none, and notes on what is missing."""
        if match.label is None:
            return None, ()
        from assay.data.columns.labels import check_no_free_text

        clean = columns.clean_labels(match.label)
        check_no_free_text(clean.labels, match.label, shared.place)
        return clean.labels, clean.note_missing(shared.ids)

    def read_fields(self, columns: Columns, match: Match) -> dict[str, pl.Series]:
        """Return the columns beside texts and labels, one value per item."""
        return {name: columns[column] for name, column in match.fields.items()}

    @property
    def has_classes(self) -> bool:
        """Tell whether the label of an item is one of a set of classes."""
        return self.label_form == "class"

    @property
    def has_grades(self) -> bool:
        """Tell whether the label of an item is a number on a scale."""
        return self.label_form == "grade"

    def is_paired(self, data: Dataset) -> bool:
        """Tell whether an item is a pair of texts."""
        return len(data.sides) == 2

    def name_sides(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the texts of the items by name: `text`, or `a` and `b` of a pair."""
        return dict(zip("ab", data.sides, strict=True)) if self.is_paired(data) else {"text": data.texts}

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the texts on which copies are searched, by name; the first is the whole item."""
        if not self.is_paired(data):
            return {"text": data.texts}
        return {"pair": data.texts, "first text": data.sides[0], "second text": data.sides[1]}


KINDS: Registry[TaskKind] = Registry("task", plugins=True)
K = TypeVar("K", bound=type[TaskKind])


def register_kind(kind: K) -> K:
    """Register a kind of task under its name."""
    KINDS.put(kind.name, kind())
    return kind


def kind_of(data: Dataset) -> TaskKind:
    """Return the kind of task of a dataset."""
    return KINDS[data.task]


def has_grades(names: Collection[str], data: Dataset | None = None) -> bool:
    """Tell whether labels are grades: as the task of the data says, or without data by the labels themselves.

    >>> has_grades(["neg", "pos"]), has_grades([str(number / 2) for number in range(20)])
    (False, True)
    """
    return are_grades(names) if data is None else kind_of(data).has_grades
