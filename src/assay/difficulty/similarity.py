"""Graded lexical similarity of any dataset: sides of a pair, question and options, context and question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data import Dataset
from assay.difficulty.pairs.graded import (
    GradedSimilarity,
    OptionSimilarity,
    SimilarityGroup,
    compare_options,
    group_outcomes,
    measure_similarity,
    summarise_options,
)
from assay.difficulty.positive import polarity, usual_positive
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource
from assay.statistics import Correlation
from assay.text.tokenizers import Tokenizer
from assay.views.blocks import Block
from assay.views.results import Result
from assay.wording.letters import number_letter


@dataclass(frozen=True)
class SystemSimilarity(Result):
    """How the outcomes of a system follow the similarity of items: Spearman's correlation, and fifths of the items."""

    system: str = field(metadata=NAME)
    correlation: Correlation
    groups: list[SimilarityGroup]


@dataclass(frozen=True)
class SimilarityRating(Result):
    """How similar two texts of each item are, and how gold and systems follow it.

    Of options the value of an item is the similarity of the right one minus the largest of the others: above 0 shared
    words point to the right option. `gold` relates the values to labels of pairs, `options` says how often the most
    similar option is right.
    """

    _table: ClassVar[str] = "systems"

    texts: tuple[str, str] = field(metadata=OWN)
    measure: str = field(metadata=OWN)
    gold: GradedSimilarity
    options: OptionSimilarity | None
    systems: list[SystemSimilarity]
    ids: list[str] = field(repr=False, metadata=NAME)
    values: Array = field(repr=False, metadata={"json": False})

    def blocks(self) -> Iterator[Block]:
        """Yield how similar the texts are, and how gold and systems follow it."""
        from assay.difficulty.view import show_similarity

        yield from show_similarity(self)

    def items(self) -> pl.DataFrame:
        """Return one row per item: id and similarity."""
        return pl.DataFrame({"id": self.ids, "similarity": self.values})


def rate_similarity(
    data: DataSource,
    answers: Mapping[str, Sequence[str | None]] | None = None,
    *,
    measure: str = "jensen-shannon",
    positive: str | None = None,
    positive_from: float | None = None,
    tokenizer: str | Tokenizer = "words",
) -> SimilarityRating:
    """Measure the lexical similarity of the texts of each item, and whether outcomes follow it.

    Pairs compare both sides, multiple choice the question with each option, question answering context and question.
    `answers` are answers of systems, by name: one per row of the data, None if a system has none.

    >>> items = {"question": ["red sky", "old sea"], "choices": [["red", "sea"], ["sky", "sea"]], "answer": ["A", "A"]}
    >>> rate_similarity(items).options.choice.value
    0.5
    """
    data = take_data(data)
    compared = kind_of(data).texts.get_compared_texts(data)
    if compared is None:
        raise AssayError(
            f"{kind_of(data).title} has no two texts to compare.",
            place=data.name,
            hint="Pairs, multiple choice and questions about a context have.",
        )
    (first_name, first), (second_name, second) = compared.items()
    work: dict[str, Any] = {"measure": measure, "tokenizer": tokenizer}
    options, outcomes = None, None
    if isinstance(second.dtype, pl.List):
        rows, values = _compare_options(data, first, second, work)
        options = summarise_options([values[row] for row in rows])
        margins = np.full(len(data), np.nan)
        margins[rows] = [right - max(others) for right, *others in (values[row] for row in rows)]
    else:
        margins = measure_similarity(first.fill_null("").to_list(), second.fill_null("").to_list(), **work)
        outcomes = _find_outcomes(data, positive, positive_from)
    bounds = (0.0, 1.0) if options is None else (-1.0, 1.0)
    return SimilarityRating(
        texts=(first_name, second_name),
        measure=measure,
        gold=group_outcomes(margins, outcomes, bounds),
        options=options,
        systems=_relate_systems(data, answers or {}, margins, bounds),
        ids=data.ids.to_list(),
        values=margins,
    )


def _compare_options(
    data: Dataset, questions: pl.Series, options: pl.Series, work: Options
) -> tuple[list[int], dict[int, list[float]]]:
    """Return the rows with a gold option and others, and their similarities, the right option first."""
    if data.labels is None:
        raise AssayError("the options have no gold answer", place=data.name, hint="Name its column with {label}.")
    places = [None if label is None else number_letter(label) for label in data.labels.to_list()]
    lists = options.to_list()
    rows = [row for row, place in enumerate(places) if place is not None and 0 <= place < len(lists[row]) > 1]
    found = compare_options([questions[row] or "" for row in rows], [lists[row] for row in rows], **work)
    values = {}
    for row, similarities in zip(rows, found, strict=True):
        place = places[row] or 0
        values[row] = [similarities[place], *similarities[:place], *similarities[place + 1 :]]
    return rows, values


def _find_outcomes(data: Dataset, positive: str | None, positive_from: float | None) -> Sequence[float] | None:
    """Return grades, or 1 for the positive label of pairs; None if labels are neither."""
    kind = kind_of(data)
    if data.labels is None or not kind.gold.has_labels:
        return None
    if kind.gold.has_grades and positive_from is None:
        return data.labels.cast(pl.Float64, strict=False).fill_null(float("nan")).to_list()
    if positive is None and positive_from is None:
        positive = usual_positive(data.label_names)
        if positive is None:
            return None
    found = polarity(data.labels.to_list(), positive, positive_from)
    return np.where(found.labelled, found.positive.astype(float), np.nan).tolist()


def _relate_systems(
    data: Dataset, answers: Mapping[str, Sequence[str | None]], values: Array, bounds: tuple[float, float]
) -> list[SystemSimilarity]:
    systems = []
    for name, given in answers.items():
        related = group_outcomes(values, _score_answers(data, name, given), bounds)
        assert related.correlation is not None
        systems.append(SystemSimilarity(name, related.correlation, related.groups))
    return systems


def _score_answers(data: Dataset, system: str, answers: Sequence[str | None]) -> list[float]:
    """Return the outcome of every item, nan if the system has no answer."""
    kind = kind_of(data)
    if len(answers) != len(data):
        raise AssayError(f"system '{system}' has {len(answers)} answers for {len(data)} items.", place=data.name)
    scores = kind.scoring.score_answers(data, answers)
    if scores is None:
        gold = kind.gold.get_gold(data)
        assert gold is not None
        scores = np.array([float(answer == right) for answer, right in zip(answers, gold.to_list(), strict=True)])
    return np.where([answer is not None for answer in answers], scores, np.nan).tolist()
