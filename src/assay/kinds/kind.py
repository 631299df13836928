"""What a kind of task is: its columns, its texts, the form of its labels and the metrics that score it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from assay.base.errors import AssayError
from assay.base.registry import Registry
from assay.data.columns.grades import are_grades
from assay.kinds.facts import BaselineAnswers, CommonAnswer, KindProfile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import Table
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems, Metric

LabelForm = Literal["class", "grade", "class set", "tag sequence", "text", "ranking"]


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
    hub_task: ClassVar[str] = "text-classification"
    """The task category on the Hugging Face hub."""
    item_noun: ClassVar[str] = "item"
    """What one item is called; the plural takes an s."""
    needs: ClassVar[str]
    """The columns it needs, for the error that they are not there."""
    label_form: ClassVar[LabelForm] = "class"
    metrics: ClassVar[tuple[str, ...]]
    """Names of metrics, of this kind's own or for every kind; with one of its own, `evaluate` computes these."""
    outcome: ClassVar[str] = ""
    """The metric that scores one answer; without one an answer is right if it equals the gold label."""
    has_positive: ClassVar[bool] = True
    """Whether one of two classes can be the positive one."""
    headline: ClassVar[str]
    """The metric that systems are compared by."""
    baseline_metric: ClassVar[str] = ""
    """The metric that trivial baselines are shown by, where the headline says nothing about them."""
    no_model: ClassVar[str] = ""
    """Why no quick model can learn this kind, and what there is instead; empty if one can."""
    example: ClassVar[Mapping[str, Sequence[str]]]
    """Columns that are recognised as this kind, for tests and documentation."""

    @abstractmethod
    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Return the columns this kind would use, None if the data is not of this kind.

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
        clean = columns.clean_labels(match.label, shared.parts) if match.label and self.has_classes else None
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
            hidden_labels=None if clean is None else clean.hidden,
            table=columns.frame,
        )

    def read_labels(
        self, columns: Columns, match: Match, shared: SharedValues
    ) -> tuple[pl.Series | None, tuple[str, ...]]:
        """Return the label of every item, null if it has none, and notes on what is missing."""
        if match.label is None:
            return None, ()
        from assay.data.columns.labels import check_no_free_text

        clean = columns.clean_labels(match.label, shared.parts)
        check_no_free_text(clean.labels, match.label, shared.place)
        return clean.labels, (*clean.note_missing(shared.ids), *clean.note_values())

    def read_fields(self, columns: Columns, match: Match) -> dict[str, pl.Series]:
        """Return the columns next to texts and labels, one value per item."""
        return {name: columns[column] for name, column in match.fields.items()}

    def load_answers(self, source: Any, data: Dataset) -> pl.DataFrame | None:  # noqa: ARG002
        """Return a table of answers (id, system, predicted; or one column per system) from a source of another format.

        None for every other source: tables of predictions are read alike for all kinds.
        """
        return None

    def get_gold(self, data: Dataset) -> pl.Series | None:
        """Return the right answer of every item as text, null if it is not known."""
        return data.labels

    def get_unique_gold(self, data: Dataset) -> pl.Series | None:
        """Return the right answers where two equal items must have equal ones; None if several may be right."""
        return self.get_gold(data) if self.label_form not in ("text", "ranking") else None

    def get_label_sets(self, data: Dataset) -> list[Sequence[str] | None] | None:  # noqa: ARG002
        """Return the labels of every item if it can have several, None for an item without gold."""
        return None

    def find_common_answer(self, data: Dataset) -> CommonAnswer | None:
        """Return the answer that is right most often, where answers are sets or texts; None for other kinds."""
        from assay.kinds.facts import find_common_answer

        gold = self.get_gold(data) if self.label_form == "text" else None
        return None if gold is None else find_common_answer([[text] for text in gold.drop_nulls().to_list()])

    def get_answer_texts(self, data: Dataset) -> pl.Series | None:
        """Return the right answer of every item in words, null if it is not known; None if labels are names."""
        return self.get_gold(data) if self.label_form == "text" else None

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:  # noqa: ARG002
        """Return the answers of a system in the form of gold, such as letters for numbers."""
        return answers

    def write_answers(self, answers: Sequence[str | None], texts: Sequence[str | None]) -> Sequence[str | None]:  # noqa: ARG002
        """Return answers, in the form of gold, as people read them next to the texts of their items."""
        return answers

    def list_answer_labels(self, answer: str) -> Sequence[str]:
        """Return the labels of an answer in the form of gold; nothing if answers are free texts or rankings."""
        return (answer,) if self.has_labels else ()

    def describe_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str]:  # noqa: ARG002
        """Return what is odd about the form of a system's answers, as ends of sentences that begin with its name."""
        return ()

    def score_answers(self, data: Dataset, answers: Sequence[str | None]) -> Array | None:
        """Return how well each item was answered, by the metric `outcome`; None if equality with gold decides."""
        if not self.outcome:
            return None
        metric = self.find_metric(self.outcome)
        return metric.compute_value(metric.collect_statistics(self.pair_answers(data, answers)))

    def pair_answers(self, data: Dataset, answers: Sequence[str | None]) -> AnsweredItems:
        """Return the items with answers in the form of gold, as metrics read them."""
        import numpy as np

        from assay.metrics import AnsweredItems

        gold = self.get_gold(data)
        present = np.ones(len(data), dtype=bool)
        if gold is None:
            return AnsweredItems(present, data=data, answers=answers)
        codes = {label: code for code, label in enumerate(gold.unique(maintain_order=True).to_list())}
        numbers = np.array([codes[label] for label in gold.to_list()], dtype=np.int64)
        predicted = np.array([codes.get(answer, -1) for answer in answers], dtype=np.int64)
        return AnsweredItems(present, numbers, predicted, len(codes), data=data, answers=answers)

    def find_metric(self, name: str) -> Metric:
        """Return the metric with a name, of this kind or for every kind."""
        from assay.metrics import find_metric

        return find_metric(name, self._kind_names)

    @property
    def own_metrics(self) -> tuple[Metric, ...]:
        """Metrics that were registered for this kind, or for a kind that it is derived from."""
        from assay.metrics import METRICS

        return tuple(metric for metric in METRICS.values() if self._kind_names & set(metric.kinds))

    @property
    def has_own_metrics(self) -> bool:
        """Return whether `evaluate` computes metrics of this kind's own, unless others are named."""
        return any(metric.name in self.metrics for metric in self.own_metrics)

    @property
    def _kind_names(self) -> set[str]:
        return {vars(base)["name"] for base in type(self).__mro__ if "name" in vars(base)}

    def choose_metrics(self, data: Dataset) -> tuple[str, ...]:  # noqa: ARG002
        """Return the metrics for a dataset, the one to compare systems by first."""
        return (self.headline, *(name for name in self.metrics if name != self.headline))

    def describe_items(self, data: Dataset) -> KindProfile:  # noqa: ARG002
        """Return figures, distributions and defects that only items of this kind have."""
        return KindProfile()

    def get_chances(self, data: Dataset) -> Array | None:  # noqa: ARG002
        """Return the probability that a blind guess is right, item by item; None if it is not known."""
        return None

    def answer_baselines(
        self,
        data: Dataset,  # noqa: ARG002
        rows: Array,  # noqa: ARG002
        random_state: int = 0,  # noqa: ARG002
    ) -> Iterable[BaselineAnswers]:
        """Return the answers of trivial baselines to some rows; those that learn do so from train, or out of fold."""
        return ()

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:  # noqa: ARG002
        """Return the quick models of the data: the whole one first, then those that see less, the constant one last.

        Kinds with classes of texts have none here: theirs are the classifiers of `assay.models`.
        """
        return ()

    def get_model_metric(self, data: Dataset) -> Metric:
        """Return the metric that quick models are compared by."""
        return self.find_metric(self.choose_metrics(data)[0])

    def attach_training(self, data: Dataset, train: Dataset) -> Dataset:  # noqa: ARG002
        """Return the data with what metrics need to know of the rows that were learned from, such as their words."""
        return data

    def get_strata(self, data: Dataset) -> pl.Series | None:
        """Return what a stratified split keeps even: by default the labels."""
        return data.labels

    def set_split(self, method: str) -> dict[str, Any]:  # noqa: ARG002
        """Return settings of a split method that this kind needs."""
        return {}

    def get_split_groups(self, data: Dataset) -> pl.Series | None:
        """Return the groups that `split` keeps whole: by default those of the data.

        Groups of the kind's own, such as subjects, are divided where a method cannot keep them whole.
        """
        return data.groups

    @property
    def description(self) -> str:
        """Return the first line of the kind's docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]

    @property
    def has_classes(self) -> bool:
        """Return whether the label of an item is one of a set of classes."""
        return self.label_form == "class"

    @property
    def has_text_labels(self) -> bool:
        """Return whether labels say something about the text, so that a classifier of texts can learn them."""
        return self.has_labels and self.has_positive

    @property
    def has_models(self) -> bool:
        """Return whether quick models of this kind's own can learn it."""
        return type(self).build_models is not TaskKind.build_models

    @property
    def has_facts(self) -> bool:
        """Return whether the kind has figures or trivial baselines of its own."""
        mine, common = type(self), TaskKind
        return mine.describe_items is not common.describe_items or mine.answer_baselines is not common.answer_baselines

    @property
    def has_labels(self) -> bool:
        """Return whether an answer is one label, a class or a grade, and not a set, a sequence or a text."""
        return self.label_form in ("class", "grade")

    @property
    def has_grades(self) -> bool:
        """Return whether the label of an item is a number on a scale."""
        return self.label_form == "grade"

    def is_paired(self, data: Dataset) -> bool:
        """Return whether an item is a pair of texts."""
        return len(data.sides) == 2

    def name_sides(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the texts of the items by name: `text`, or `a` and `b` of a pair."""
        return dict(zip("ab", data.sides, strict=True)) if self.is_paired(data) else {"text": data.texts}

    def get_compared_texts(self, data: Dataset) -> dict[str, pl.Series] | None:
        """Return the two texts of an item whose shared words may tell the answer, by name; None if there are none.

        The second may be lists of options, of which the label names the right one.
        """
        return dict(zip(("first text", "second text"), data.sides, strict=True)) if self.is_paired(data) else None

    def get_item_texts(self, data: Dataset) -> pl.Series:
        """Return the text of the whole item, on which duplicates are counted."""
        return next(iter(self.leak_texts(data).values()))

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


def check_text_labels(data: Dataset) -> Dataset:
    """Return the data; raise if its kind of task has no labels that a classifier of texts could learn."""
    kind = kind_of(data)
    if not kind.has_text_labels:
        raise AssayError(f"the task {kind.title} has no classes of texts to learn", place=data.name)
    return data


def has_grades(names: Collection[str], data: Dataset | None = None) -> bool:
    """Return whether labels are grades: as the task of the data says, or without data by the labels themselves.

    >>> has_grades(["neg", "pos"]), has_grades([str(number / 2) for number in range(20)])
    (False, True)
    """
    return are_grades(names) if data is None else kind_of(data).has_grades
