"""Texts with several labels each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.data.columns.names import normalise_name
from assay.kinds.facts import (
    BaselineAnswers,
    CommonAnswer,
    Distribution,
    Figure,
    KindProfile,
    count_defect,
    count_values,
    find_common_answer,
)
from assay.kinds.kind import Certainty, Match, SharedValues, TaskKind, register_kind
from assay.kinds.parts import AnswerTexts, Gold, Layout, Learning, Scoring, TaskTexts
from assay.kinds.tools.labelled_texts import FIRST_CELLS, find_text
from assay.metrics.metric import combine_f1, divide, register_metric

if TYPE_CHECKING:
    import polars as pl

    from assay.base.arrays import Array
    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.quick_models import QuickModel
    from assay.metrics import AnsweredItems

LABEL_NAMES = ("labels", "tags", "categories", "topics", "emotions", "genres", "classes", "label")
SEPARATORS = ("|", ";", ",")
ONE_LABEL_NAMES = ("label", "labels", "gold", "goldlabel", "target", "class", "category")
MIN_FLAGS = 3  # so many columns of 0 and 1 are labels
BAR = "|"  # joins the labels of an item in gold and answers
NO_LABEL = "(none)"
MAX_SHOWN_LABELS = 200
MIN_TWIN_ITEMS = 10  # labels with fewer items may coincide by chance
LABEL_TABLE = "label names"  # an attachment: labels of all items that some were drawn from


def join_labels(labels: Iterable[str]) -> str:
    """Write a set of labels as one text.

    >>> join_labels(["joy", "anger", "joy"]), join_labels([])
    ('anger|joy', '(none)')
    """
    return BAR.join(sorted(set(labels))) or NO_LABEL


def cut_labels(text: str | None) -> list[str]:
    """Return the labels of a set that is written as one text.

    >>> cut_labels("anger|joy"), cut_labels("(none)")
    (['anger', 'joy'], [])
    """
    return [] if text in (None, "", NO_LABEL) else str(text).split(BAR)


def _average_f1(sums: Array) -> Array:
    import numpy as np

    right, n_gold, n_said = np.moveaxis(sums.reshape(*sums.shape[:-1], 3, -1), -2, 0)
    scores = divide(2.0 * right, n_gold + n_said)
    known = n_gold > 0
    return divide(np.where(known, scores, 0.0).sum(axis=-1), known.sum(axis=-1))


@register_metric("micro-f1", kinds=("multilabel",), combine=combine_f1)
def count_by_item(items: AnsweredItems) -> Array:
    """F1 over all labels of all items together.

    Returns for each item the labels that are right, in gold, and predicted.
    """
    import numpy as np

    pairs = _pair_sets(*items.written)
    return np.array([(len(gold & said), len(gold), len(said)) for gold, said in pairs], dtype=float).reshape(-1, 3)


@register_metric("macro-f1", kinds=("multilabel",), combine=_average_f1)
def count_by_label(items: AnsweredItems) -> Array:
    """The mean of the F1 of each label of gold.

    Returns the same as for micro-F1 for each label of gold, side by side.
    """
    import numpy as np

    data, answers = items.written
    codes = {name: code for code, name in enumerate(_name_labels(data))}
    table = np.zeros((len(data), 3, len(codes)))
    for row, (gold, said) in enumerate(_pair_sets(data, answers)):
        for place, names in enumerate((gold & said, gold, said)):
            table[row, place, [codes[name] for name in names if name in codes]] = 1
    return table.reshape(len(data), -1)


@register_metric("subset-accuracy", kinds=("multilabel",), is_share=True)
def score_equal_sets(items: AnsweredItems) -> Array:
    """The share of items with exactly the right labels."""
    import numpy as np

    return np.array([gold == said for gold, said in _pair_sets(*items.written)], dtype=float)


@register_metric("hamming-loss", kinds=("multilabel",), lower_is_better=True)
def score_differences(items: AnsweredItems) -> Array:
    """The share of all labels of all items that are wrong."""
    import numpy as np

    data, answers = items.written
    n_labels = max(len(_name_labels(data)), 1)
    return np.array([len(gold ^ said) / n_labels for gold, said in _pair_sets(data, answers)])


def _pair_sets(data: Dataset, answers: Sequence[str | None]) -> list[tuple[set[str], set[str]]]:
    gold = data.fields["labels"].to_list()
    return [(set(labels or ()), set(cut_labels(answer))) for labels, answer in zip(gold, answers, strict=True)]


def _name_labels(data: Dataset) -> list[str]:
    if LABEL_TABLE in data.attachments:
        return data.attachments[LABEL_TABLE]["label"].to_list()
    return sorted(data.fields["labels"].explode().drop_nulls().unique().to_list())


class MultilabelLayout(Layout):
    """Where the columns are."""

    needs = "a text column and a column of several labels per item, or several label columns of 0 and 1"
    example: ClassVar[Mapping[str, Sequence[str]]] = {
        "text": ["thank you, great", "so sad", "great, but sad"],
        "labels": ["gratitude|joy", "sadness", "joy|sadness"],
    }

    def recognise(self, columns: Columns, request: RoleRequest) -> Match | None:
        """Find a text, and a column of lists or separated labels, or the label columns that the user names."""
        if request.choices:
            return None
        used = request.find_named(columns)
        text = find_text(columns, request, used)
        if text is None:
            return None
        if request.label_columns:
            names = [columns.get(name) for name in request.label_columns]
            return replace(text, fields={f"label {name}": name for name in names}, certainty=Certainty.CLEAR)
        label = request.find_label(columns)
        named = [label] if label else []
        decided = request.task == self.kind.name or request.label_separator is not None
        for name in named or columns.find(LABEL_NAMES, {*used, *text.texts}):
            if decided or holds_label_sets(columns, name):
                return replace(text, label=name, fields={"separator": request.label_separator or ""})
        flags = [] if label or columns.find(ONE_LABEL_NAMES) else _find_flags(columns, {*used, *text.texts})
        if len(flags) >= MIN_FLAGS:
            fields = {f"label {name}": name for name in flags}
            return replace(text, fields=fields, certainty=max(text.certainty, Certainty.USUAL))
        return None

    def build(self, columns: Columns, match: Match, shared: SharedValues) -> Dataset:
        """Read the labels of every item as a list."""
        import polars as pl

        separator, n_empty = match.fields.get("separator"), 0
        if separator is None:
            sets = _read_flags(columns, {role.removeprefix("label "): name for role, name in match.fields.items()})
        else:
            assert match.label is not None
            sets = _read_sets(columns, match.label, separator, shared.place)
            if not columns.is_nested(match.label):
                sets, n_empty = _fill_empty_sets(sets, shared.parts)
        data = super().build(columns, replace(match, label=None, fields={}), shared)
        missing = sum(labels is None for labels in sets)
        notes: tuple[str, ...] = (f"{missing:,} rows without labels; left out of label measures",) if missing else ()
        notes += (_note_empty_sets(n_empty),) if n_empty else ()
        fields = {"labels": pl.Series("labels", sets, dtype=pl.List(pl.String))}
        return replace(data, fields=fields, notes=(*data.notes, *notes))


class MultilabelGold(Gold):
    """The right answers."""

    def get_gold(self, data: Dataset) -> pl.Series:
        """Return the labels of every item joined by a bar."""
        import polars as pl

        sets = data.fields["labels"].to_list()
        return pl.Series("gold", [None if labels is None else join_labels(labels) for labels in sets], dtype=pl.String)

    def set_gold(self, data: Dataset, gold: Sequence[str | None]) -> Dataset:
        """Return the data with other sets of labels."""
        from assay.kinds.tools.cells import replace_lists

        sets = [None if text is None else [] if text == NO_LABEL else text.split(BAR) for text in gold]
        return replace_lists(data, "labels", sets)

    def get_label_sets(self, data: Dataset) -> list[Sequence[str] | None]:
        """Return the sets of labels."""
        return data.fields["labels"].to_list()

    def find_common_answer(self, data: Dataset) -> CommonAnswer | None:
        """Return the label of most items."""
        return find_common_answer([labels for labels in self.get_label_sets(data) if labels is not None])


class MultilabelAnswers(AnswerTexts):
    """The answers of systems."""

    def read_answers(self, data: Dataset, answers: Sequence[str | None]) -> Sequence[str | None]:
        """Return answers joined by a bar, from lists or from labels with any of the usual separators."""
        from assay.data.columns.spellings import adopt_spellings
        from assay.kinds.tools.cells import parse_list, split_labels

        known = set(_name_labels(data))
        sets: list[list[str] | None] = []
        for answer in answers:
            labels = parse_list(answer)
            if answer and labels is None and answer != NO_LABEL:
                separator = next((mark for mark in SEPARATORS if mark in answer and answer.strip() not in known), None)
                labels = split_labels(answer, separator) if separator else [answer.strip()]
            sets.append(None if answer is None else labels or [])
        names = adopt_spellings({label for labels in sets if labels for label in labels}, known)
        return [None if row is None else join_labels(names.get(label, label) for label in row) for row in sets]

    def list_answer_labels(self, answer: str) -> Sequence[str]:
        """Return the labels of the set."""
        return cut_labels(answer)


class MultilabelTexts(TaskTexts):
    """The texts of an item, and figures."""

    def describe_items(self, data: Dataset) -> KindProfile:
        """Return labels per item and items per label."""
        sets = [labels for labels in data.fields["labels"].to_list() if labels is not None]
        counts = count_values([label for labels in sets for label in labels])
        frequent = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_SHOWN_LABELS])
        twins = _find_twins(sets)
        return KindProfile(
            (
                Figure("labels", len(counts)),
                Figure("labels per item", sum(map(len, sets)) / max(len(sets), 1)),
                Figure("different sets of labels", len({tuple(labels) for labels in sets})),
            ),
            (
                Distribution("labels per item", count_values(list(map(len, sets)))),
                Distribution("items per label", frequent),
                *([Distribution("labels that never occur apart", twins)] if twins else []),
            ),
            (
                *count_defect(
                    "items without labels",
                    "have no label at all",
                    "Check that no label applies, or add a label that says so.",
                    [not labels for labels in sets],
                    data.ids.to_list(),
                    serious=False,
                ),
                *count_defect(
                    "labels that never occur apart",
                    "have two labels of which neither occurs without the other",
                    "Merge these labels: they count twice in every score.",
                    [any(set(pair.split(" + ")) <= set(labels) for pair in twins) for labels in sets],
                    data.ids.to_list(),
                    serious=False,
                ),
            ),
        )


class MultilabelLearning(Learning):
    """Baselines and models."""

    def build_models(self, data: Dataset) -> Sequence[QuickModel]:
        """Return a linear model per label, models of length and frequent words alone, and the most frequent label."""
        from assay.kinds.tools.label_sets import build_models

        return build_models(data)

    def attach_training(self, data: Dataset, train: Dataset) -> Dataset:
        """Return the data with the names of its labels and of those learned from, so that statistics fit together."""
        import polars as pl

        names = sorted({*_name_labels(data), *_name_labels(train)})
        table = pl.DataFrame({"label": names}, schema={"label": pl.String})
        return replace(data, attachments={**data.attachments, LABEL_TABLE: table})

    def answer_baselines(self, data: Dataset, rows: Array, random_state: int = 0) -> Iterable[BaselineAnswers]:
        """Return the most frequent label, and linear models of the words, of length and of frequent words."""
        from assay.kinds.tools.label_sets import answer_baselines

        return answer_baselines(data, rows, random_state)

    def get_strata(self, data: Dataset) -> pl.Series:
        """Return the sets of labels."""
        return self.kind.gold.require_gold(data)

    def set_split(self, method: str) -> Options:
        """Let the stratified split keep every label even, and not every set."""
        return {"separator": BAR} if method == "stratified" else {}


register_kind(
    TaskKind(
        name="multilabel",
        title="multilabel",
        description="One text and a set of labels; answers are sets too, joined by a bar.",
        layout=MultilabelLayout(),
        gold=MultilabelGold(label_form="class set"),
        answers=MultilabelAnswers(),
        scoring=Scoring(
            metrics=("micro-f1", "macro-f1", "subset-accuracy", "hamming-loss"),
            headline="micro-f1",
            outcome="subset-accuracy",
        ),
        texts=MultilabelTexts(),
        learning=MultilabelLearning(),
    )
)


def _find_twins(sets: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return labels that are on the same items, at least ten of them and not all, and on how many.

    >>> _find_twins([["a", "b"], ["c"], ["c", "d"]] * 10)
    {'a + b': 10}
    """
    rows: dict[str, list[int]] = {}
    for row, labels in enumerate(sets):
        for label in sorted(set(labels)):
            rows.setdefault(label, []).append(row)
    alike: dict[tuple[int, ...], list[str]] = {}
    for label, numbers in sorted(rows.items()):
        if MIN_TWIN_ITEMS <= len(numbers) < len(sets):
            alike.setdefault(tuple(numbers), []).append(label)
    return {" + ".join(labels): len(numbers) for numbers, labels in alike.items() if len(labels) > 1}


def holds_label_sets(columns: Columns, name: str) -> bool:
    """Return whether a column holds lists of labels, or under a plural name labels with a separator."""
    from assay.kinds.tools.cells import are_lists

    if columns.is_nested(name) or are_lists(columns[name].head(100).to_list()):
        return are_lists(columns[name].head(1000).to_list())
    if normalise_name(name) not in LABEL_NAMES or normalise_name(name) == "label":
        return False
    return _find_separator(columns, name) is not None


def _find_separator(columns: Columns, name: str) -> str | None:
    """Return a separator whose parts occur in several different cells, so that they are labels of their own."""
    from assay.kinds.tools.cells import split_labels

    cells = columns[name].drop_nulls().unique().to_list()
    for separator in SEPARATORS:
        joined = [set(split_labels(cell, separator)) for cell in cells]
        several = [labels for labels in joined if len(labels) > 1]
        if several:
            counts = count_values([label for labels in joined for label in labels])
            recurring = sum(any(counts[label] > 1 for label in labels) for labels in several)
            if 2 * recurring > len(several) and len(counts) <= len(cells):
                return separator
    return None


def _find_flags(columns: Columns, used: Collection[str]) -> list[str]:
    """Return the columns that have both 0 and 1, and nothing else."""
    names = [name for name in columns.frame.columns if name not in used and not columns.is_nested(name)]
    return [name for name in names if _holds_flags(columns[name].drop_nulls())]


def _holds_flags(cells: pl.Series) -> bool:
    flags = {"0", "1"}
    return set(cells.head(FIRST_CELLS)) <= flags and set(cells.unique().head(3)) == flags


def _read_flags(columns: Columns, names: Mapping[str, str]) -> list[list[str] | None]:
    """Return for each item the columns that say 1, true or yes."""
    table = {label: columns[name].to_list() for label, name in names.items()}
    yes = {"1", "1.0", "true", "yes", "y", "x"}
    return [
        sorted(label for label, cells in table.items() if (cells[row] or "").strip().lower() in yes)
        for row in range(len(columns.frame))
    ]


def _read_sets(columns: Columns, name: str, separator: str, place: object) -> list[list[str] | None]:
    from assay.kinds.tools.cells import parse_list, split_labels

    used = separator or _find_separator(columns, name)
    sets: list[list[str] | None] = []
    for cell in columns[name].to_list():
        labels = parse_list(cell) if not separator else None
        if labels is None and cell and cell.strip():
            labels = [] if cell.strip() == NO_LABEL else split_labels(cell, used) if used else [cell.strip()]
        sets.append(None if labels is None else sorted(set(labels)))
    if any(BAR in label for labels in sets if labels for label in labels):
        raise AssayError(f"a label of column '{name}' has a bar ('|') in its name", place=place, hint="Rename it.")
    return sets


def _fill_empty_sets(sets: list[list[str] | None], parts: pl.Series | None) -> tuple[list[list[str] | None], int]:
    """Return the sets with an empty one for each empty cell, and how many these are.

    Empty cells are missing labels if other cells say that no label applies, and in a part that has no labels at all.
    """
    if any(labels == [] for labels in sets):
        return sets, 0
    names = [None] * len(sets) if parts is None else parts.to_list()
    labelled = {part for part, labels in zip(names, sets, strict=True) if labels}
    filled = [[] if labels is None and part in labelled else labels for part, labels in zip(names, sets, strict=True)]
    return filled, sum(labels == [] for labels in filled)


def _note_empty_sets(n_empty: int) -> str:
    rows = "1 row has an empty cell" if n_empty == 1 else f"{n_empty:,} rows have an empty cell"
    return (
        f"{rows} for labels, which is read as no label; if labels are missing there, write "
        f"{NO_LABEL} in the cells of items without labels"
    )
