"""The question and the answer of every item of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.kinds import kind_of

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset

# Columns that hold answers as text, in the order they are looked for.
ANSWER_COLUMNS = ("answer", "solution", "canonical_solution", "completion", "output", "response", "reference", "target")


@dataclass(frozen=True, eq=False)
class ItemTexts:
    """The ids, questions and answers of a benchmark; `answer_source` says where the answers are from."""

    ids: list[str]
    questions: pl.Series
    answers: pl.Series | None
    answer_source: str | None


def split_items(data: Dataset, answer: str | None = None) -> ItemTexts:
    """Return the question and answer of every item: gold if it is in words, else a column."""
    answers, source = _find_answers(data, answer)
    if answers is None:
        return ItemTexts(data.ids.to_list(), data.texts.fill_null(""), None, None)
    answers = answers.cast(str).fill_null("")
    return ItemTexts(data.ids.to_list(), _join_questions(data, answers), answers, source)


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
