"""One response with what is known of it, and the item that it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN, TEXT
from assay.logs.trials import Trial
from assay.responses.reading.forms import AnswerForm, choose_form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.data import Dataset

SUBJECT_NAMES = ("subject", "category", "topic", "domain", "task", "type")
MAX_SUBJECTS = 100
_FINAL_MARK = "####"


@dataclass(frozen=True, slots=True)
class ResponseItem:
    """The correct answer to an item; `form` is None if answers are long texts."""

    form: AnswerForm | None
    gold: tuple[str, ...] = field(default=(), metadata=TEXT)
    subject: str | None = field(default=None, metadata=NAME)

    @property
    def form_has_options(self) -> bool:
        """Return whether an answer is one of several options."""
        return self.form is not None and self.form.name == "options"


@dataclass(frozen=True, slots=True)
class ResponseRow:
    """One response of a system to an item.

    `extracted` is the answer that the harness took from it, None if it found none; `has_extracted` is False if the
    source does not say. `score` is what the harness gave for it.
    """

    system: str = field(metadata=NAME)
    id: str = field(metadata=NAME)
    text: str | None = field(metadata=TEXT)
    extracted: str | None = field(default=None, metadata=NAME)
    has_extracted: bool = False
    score: float | None = None
    stop: str | None = field(default=None, metadata=OWN)
    repeat: int = 0
    trial: Trial | None = None


def make_item(options: Iterable[str], gold: Iterable[str], subject: str | None = None) -> ResponseItem:
    """Return an item from its options and accepted answers; of a worked solution the text after "####" counts."""
    choices = tuple(options)
    answers = tuple(answer.rpartition(_FINAL_MARK)[2].strip() for answer in gold if answer is not None)
    return ResponseItem(choose_form(choices, answers), answers, subject)


def collect_items(data: Dataset) -> dict[str, ResponseItem]:
    """Return the items of a dataset by their ids."""
    ids = data.ids.to_list()
    empty: list[list[str]] = [[] for _ in ids]
    options = data.fields["choices"].to_list() if "choices" in data.fields else empty
    gold = _list_gold(data)
    subjects = _list_subjects(data)
    rows = zip(ids, options, gold, subjects, strict=True)
    return {name: make_item(choices or (), answers, subject) for name, choices, answers, subject in rows}


def _list_gold(data: Dataset) -> list[list[str]]:
    from assay.kinds.kind import kind_of

    references = next((data.fields[name] for name in ("references", "answers") if name in data.fields), None)
    if references is not None and references.dtype.is_nested():
        return [[str(answer) for answer in row or [] if answer is not None] for row in references.to_list()]
    labels = data.labels if data.labels is not None else kind_of(data).gold.get_gold(data)
    if labels is None:
        return [[] for _ in range(len(data))]
    return [[] if label is None else [str(label)] for label in labels.to_list()]


def _list_subjects(data: Dataset) -> list[str | None]:
    """Return the group of each item, or else its value in a column that names subjects."""
    columns = {name.lower(): name for name in data.table.columns}
    found = [columns[name] for name in SUBJECT_NAMES if name in columns]
    candidates = [] if data.groups is None else [data.groups]
    candidates += [data.column(name) for name in found]
    for values in candidates:
        if 1 < values.n_unique() <= MAX_SUBJECTS:
            return [None if value is None else str(value) for value in values.to_list()]
    return [None] * len(data)
