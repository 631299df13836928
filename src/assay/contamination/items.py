"""The question and the answer of every item of a benchmark."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.contamination.results import ContaminatedPart, ContaminationHit
from assay.data.hold_out import find_reference_part
from assay.kinds import kind_of
from assay.views.values import MAX_IDS, ItemCount

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

# Columns that hold answers as text, in the order they are looked for.
ANSWER_COLUMNS = ("answer", "solution", "canonical_solution", "completion", "output", "response", "reference", "target")
MIN_ANSWER_OVERLAP = 0.5  # from which an answer counts as found


@dataclass(frozen=True, eq=False)
class BenchmarkTexts:
    """The ids, questions and answers of a benchmark; `answer_source` says where the answers are from."""

    ids: list[str]
    questions: pl.Series
    answers: pl.Series | None
    answer_source: str | None


def split_items(data: Dataset, answer: str | None = None) -> BenchmarkTexts:
    """Return the question and answer of every item: gold if it is in words, else a column."""
    answers, source = _find_answers(data, answer)
    if answers is None:
        return BenchmarkTexts(data.ids.to_list(), data.texts.fill_null(""), None, None)
    answers = answers.cast(str).fill_null("")
    return BenchmarkTexts(data.ids.to_list(), _join_questions(data, answers), answers, source)


def _find_answers(data: Dataset, column: str | None) -> tuple[pl.Series | None, str | None]:
    """Return the answers and where they are from."""
    answers = None if column else kind_of(data).gold.get_answer_texts(data)
    if answers is not None:
        return answers, "gold"
    name = column or next((name for name in ANSWER_COLUMNS if name in data.table.columns), None)
    return (None, None) if name is None else (data.column(name), name)


def _join_questions(data: Dataset, answers: pl.Series) -> pl.Series:
    """Join the texts of every item, without one that is the answer itself."""
    import polars as pl

    sides = [side.fill_null("") for side in data.sides]
    others = [side for side in sides if not (side == answers).all()]
    return pl.select(pl.concat_str(*(others or sides), separator="\n")).to_series()


def count_by_part(
    data: Dataset, hits: Sequence[ContaminationHit], unchecked: Collection[str]
) -> tuple[ContaminatedPart, ...]:
    """Count the items that were found in every part that is tested on."""
    found = {hit.id for hit in hits}
    answered = {hit.id for hit in hits if hit.answer_overlap >= MIN_ANSWER_OVERLAP}
    skipped = set(unchecked)
    return tuple(
        ContaminatedPart(name, _count_items(ids, found, skipped), _count_items(ids, answered, skipped))
        for name, ids in list_tested_ids(data).items()
    )


def list_tested_ids(data: Dataset) -> dict[str, pl.Series]:
    """Return the ids of every part but the one that systems learn from; all ids if there are no parts."""
    if data.parts is None:
        return {"": data.ids}
    reference = find_reference_part(data.part_names)
    names = [name for name in data.part_names if name != reference]
    return {name: data.ids.filter((data.parts == name).fill_null(value=False)) for name in names}


def _count_items(ids: pl.Series, found: Collection[str], skipped: Collection[str]) -> ItemCount:
    rows = [item for item in ids if item in found]
    return ItemCount(len(rows), len(ids) - sum(item in skipped for item in ids), tuple(rows[:MAX_IDS]))
