"""The parts of a kind of task: each has few members, and a kind overrides those in which it differs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from assay.base.parameters import Options
from assay.kinds.facts import BaselineAnswers, CommonAnswer, KindProfile
from assay.metrics import METRICS, AnsweredItems, find_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.data.columns.table import RawTable
    from assay.kinds.kind import Match, SharedValues, TaskKind
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import Metric

LabelForm = Literal["class", "grade", "class set", "tag sequence", "text", "ranking"]


class Part(ABC):
    """A part of a kind of task; `kind` is the kind that it belongs to."""

    kind: TaskKind


class Layout(Part):
    """The columns and files of a kind of task, and how they become a dataset."""

    needs: ClassVar[str]
    """The columns it needs, for the error that they are not there."""
    example: ClassVar[Mapping[str, Sequence[str]]]
    """Columns that are recognised as this kind, for tests and documentation."""

    @abstractmethod
    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Return the columns this kind would use, None if the data is not of this kind.

        If `request.task` is the name of this kind the user decided, and only the columns are looked for.
        """

    def load(self, source: object, *, encoding: str, quoting: str) -> dict[str, RawTable] | None:  # noqa: ARG002
        """Return the tables of a source that is not a plain table, by part; None for every other source.

        For folders and files with a layout of their own, such as a corpus with queries and judgements.
        """
        return None

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Make the dataset from the columns of a match."""
        from assay.data import Dataset

        labels, notes = self.read_labels(columns, match, shared)
        clean = columns.clean_labels(match.label, shared.parts) if match.label and self.kind.gold.has_classes else None
        return Dataset(
            name=shared.name,
            ids=shared.ids,
            sides=tuple(columns[name] for name in match.texts),
            labels=labels,
            parts=shared.parts,
            times=shared.times,
            groups=shared.groups,
            task=self.kind.name,
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


@dataclass(kw_only=True, eq=False)
class Gold(Part):
    """The right answers of a kind of task, and the form that they have."""

    label_form: LabelForm = "class"
    has_positive: bool = True
    """Whether one of two classes can be the positive one."""

    def get_gold(self, data: Dataset) -> pl.Series | None:
        """Return the right answer of every item as text, null if it is not known."""
        return data.labels

    def require_gold(self, data: Dataset) -> pl.Series:
        """Return the right answers of data that has some."""
        gold = self.get_gold(data)
        assert gold is not None
        return gold

    def set_gold(self, data: Dataset, gold: Sequence[str | None]) -> Dataset | None:
        """Return the data with other right answers, in the form of `get_gold`; None if they cannot be set as text."""
        import polars as pl

        if data.labels is None:
            return None
        return replace(data, labels=pl.Series(data.labels.name, gold, dtype=pl.String))

    def get_unique_gold(self, data: Dataset) -> pl.Series | None:
        """Return the right answers if two equal items must have equal ones; None if several may be right."""
        return self.get_gold(data) if self.label_form not in ("text", "ranking") else None

    def get_label_sets(self, data: Dataset) -> list[Sequence[str] | None] | None:  # noqa: ARG002
        """Return the labels of every item if it can have several, None for an item without gold."""
        return None

    def find_common_answer(self, data: Dataset) -> CommonAnswer | None:
        """Return the answer that is right most often, if answers are sets or texts; None for other kinds."""
        from assay.kinds.facts import find_common_answer

        gold = self.get_gold(data) if self.label_form == "text" else None
        return None if gold is None else find_common_answer([[text] for text in gold.drop_nulls().to_list()])

    def get_answer_texts(self, data: Dataset) -> pl.Series | None:
        """Return the right answer of every item in words, null if it is not known; None if labels are names."""
        return self.get_gold(data) if self.label_form == "text" else None

    def get_chances(self, data: Dataset) -> Array | None:  # noqa: ARG002
        """Return the probability that a blind guess is right, item by item; None if it is not known."""
        return None

    @property
    def has_classes(self) -> bool:
        """Return whether the label of an item is one of a set of classes."""
        return self.label_form == "class"

    @property
    def has_text_labels(self) -> bool:
        """Return whether labels say something about the text, so that a classifier of texts can learn them."""
        return self.has_labels and self.has_positive

    @property
    def has_labels(self) -> bool:
        """Return whether an answer is one label, a class or a grade, and not a set, a sequence or a text."""
        return self.label_form in ("class", "grade")

    @property
    def has_grades(self) -> bool:
        """Return whether the label of an item is a number on a scale."""
        return self.label_form == "grade"


class ReferenceGold(Gold):
    """Right answers that are lists of references."""

    def get_gold(self, data: Dataset) -> pl.Series:
        """Return the first reference."""
        return data.fields["references"].list.first().alias("gold")

    def set_gold(self, data: Dataset, gold: Sequence[str | None]) -> Dataset:
        """Return the data with one reference per item."""
        from assay.kinds.tools.cells import replace_lists

        return replace_lists(data, "references", [None if text is None else [text] for text in gold])


class AnswerTexts(Part):
    """How answers of systems are read and written."""

    def load_answers(self, source: object, data: Dataset) -> pl.DataFrame | None:  # noqa: ARG002
        """Return a table of answers (id, system, predicted; or one column per system) from a source of another format.

        None for every other source: tables of predictions are read alike for all kinds.
        """
        return None

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:  # noqa: ARG002
        """Return the answers of a system in the form of gold, such as letters for numbers."""
        return answers

    def write_answers(self, answers: Sequence[str | None], texts: Sequence[str | None]) -> Sequence[str | None]:  # noqa: ARG002
        """Return answers, in the form of gold, as people read them next to the texts of their items."""
        return answers

    def list_answer_labels(self, answer: str) -> Sequence[str]:
        """Return the labels of an answer in the form of gold; nothing if answers are free texts or rankings."""
        return (answer,) if self.kind.gold.has_labels else ()

    def describe_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str]:  # noqa: ARG002
        """Return what is odd about the form of a system's answers, as ends of sentences that begin with its name."""
        return ()


@dataclass(kw_only=True, eq=False)
class Scoring(Part):
    """The metrics of a kind of task, and how one answer is scored."""

    metrics: tuple[str, ...]
    """Names of metrics, of this kind's own or for every kind; with one of its own, `evaluate` computes these."""
    outcome: str = ""
    """The metric that scores one answer; without one an answer is right if it equals the gold label."""
    headline: str
    """The metric that systems are compared by."""
    baseline_metric: str = ""
    """The metric that trivial baselines are shown by, if the headline says nothing about them."""

    def score_answers(self, data: Dataset, answers: Sequence[str | None]) -> Array | None:
        """Return how well each item was answered, by the metric `outcome`; None if equality with gold decides."""
        if not self.outcome:
            return None
        metric = self.find_metric(self.outcome)
        return metric.compute_value(metric.collect_statistics(self.pair_answers(data, answers)))

    def pair_answers(self, data: Dataset, answers: Sequence[str | None]) -> AnsweredItems:
        """Return the items with answers in the form of gold, as metrics read them."""
        import numpy as np

        gold = self.kind.gold.get_gold(data)
        present = np.ones(len(data), dtype=bool)
        if gold is None:
            return AnsweredItems(present, data=data, answers=answers)
        codes = {label: code for code, label in enumerate(gold.unique(maintain_order=True).to_list())}
        numbers = np.array([codes[label] for label in gold.to_list()], dtype=np.int64)
        predicted = np.array([codes.get(answer, -1) for answer in answers], dtype=np.int64)
        return AnsweredItems(present, numbers, predicted, len(codes), data=data, answers=answers)

    def find_metric(self, name: str) -> Metric:
        """Return the metric with a name, of this kind or for every kind."""
        return find_metric(name, {self.kind.name})

    @property
    def own_metrics(self) -> tuple[Metric, ...]:
        """Metrics that were registered for this kind."""
        return tuple(metric for metric in METRICS.values() if self.kind.name in metric.kinds)

    @property
    def has_own_metrics(self) -> bool:
        """Return whether `evaluate` computes metrics of this kind's own, unless others are named."""
        return any(metric.name in self.metrics for metric in self.own_metrics)

    def choose_metrics(self, data: Dataset) -> tuple[str, ...]:  # noqa: ARG002
        """Return the metrics for a dataset, the one to compare systems by first."""
        return (self.headline, *(name for name in self.metrics if name != self.headline))


class TaskTexts(Part):
    """The texts of an item, and the figures that describe items of a kind."""

    def describe_items(self, data: Dataset) -> KindProfile:  # noqa: ARG002
        """Return figures, distributions and defects that only items of this kind have."""
        return KindProfile()

    def is_paired(self, data: Dataset) -> bool:
        """Return whether an item is a pair of texts."""
        return len(data.sides) == 2

    def name_sides(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the texts of the items by name: `text`, or `a` and `b` of a pair."""
        return dict(zip("ab", data.sides, strict=True)) if self.is_paired(data) else {"text": data.texts}

    def get_compared_texts(self, data: Dataset) -> dict[str, pl.Series] | None:
        """Return the two texts of an item whose shared words may tell the answer, by name; None if there are none.

        The second may be lists of options; the label names the right option.
        """
        return dict(zip(("first text", "second text"), data.sides, strict=True)) if self.is_paired(data) else None

    def get_item_texts(self, data: Dataset) -> pl.Series:
        """Return the text of the whole item, on which duplicates are counted."""
        return next(iter(self.leak_texts(data).values()))

    def get_shown_texts(self, data: Dataset) -> pl.Series:
        """Return the whole item as people read it."""
        return self.get_item_texts(data)

    def leak_texts(self, data: Dataset) -> dict[str, pl.Series]:
        """Return the texts on which copies are searched, by name; the first is the whole item."""
        if not self.is_paired(data):
            return {"text": data.texts}
        return {"pair": data.texts, "first text": data.sides[0], "second text": data.sides[1]}


@dataclass(kw_only=True, eq=False)
class Learning(Part):
    """Baselines and quick models of a kind of task, and the splits that they are trained under."""

    no_model: str = ""
    """Why no quick model can learn this kind, and what there is instead; empty if one can."""

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
        return self.kind.scoring.find_metric(self.kind.scoring.choose_metrics(data)[0])

    def attach_training(self, data: Dataset, train: Dataset) -> Dataset:  # noqa: ARG002
        """Return the data with what metrics need to know of the rows that were learned from, such as their words."""
        return data

    def get_strata(self, data: Dataset) -> pl.Series | None:
        """Return what a stratified split keeps even: by default the labels."""
        return data.labels

    def set_split(self, method: str) -> Options:  # noqa: ARG002
        """Return settings of a split method that this kind needs."""
        return {}

    def get_split_groups(self, data: Dataset) -> pl.Series | None:
        """Return the groups that `split` keeps whole: by default those of the data.

        Groups of the kind's own, such as subjects, are divided if a method cannot keep them whole.
        """
        return data.groups

    @property
    def has_models(self) -> bool:
        """Return whether quick models of this kind's own can learn it."""
        return type(self).build_models is not Learning.build_models
