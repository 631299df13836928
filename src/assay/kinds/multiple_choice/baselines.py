"""Trivial baselines of multiple choice: answers that do not need the question, or hardly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.multiple_choice.options import name_option
from assay.kinds.tools.learning import LearningPlan, centre_by_item, plan_learning, score_options, weigh_words

if TYPE_CHECKING:
    from assay.data import Dataset

Words = list[set[str]]


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows; equal options are decided by the first."""
    options = data.fields["choices"].to_list()
    chosen = [options[row] for row in rows.tolist()]
    questions = data.texts.fill_null("").to_list()
    yield _answer("longest-option", "length", chosen, [[float(len(option)) for option in row] for row in chosen])
    overlaps = [_count_shared(questions[row], options[row]) for row in rows.tolist()]
    yield _answer("overlap", "overlap", chosen, overlaps)
    if data.labels is None:
        return
    letters = data.labels.to_list()
    known = np.array([letter is not None for letter in letters])
    plan = plan_learning(data, rows, known, random_state)
    if plan is None:
        return
    frequent = plan.predict(len(data), lambda train, test: _repeat_letter(letters, train, test))
    yield BaselineAnswers("most-frequent-letter", "position", [frequent[row] for row in rows.tolist()], plan.based_on)
    flat = _FlatOptions(options, letters)
    yield flat.answer("choices-only", rows, plan)
    yield flat.answer("question-and-options", rows, plan, questions)


def _answer(name: str, shortcut: str, options: Sequence[Sequence[str]], scores: list[list[float]]) -> BaselineAnswers:
    best = [name_option(int(np.argmax(row))) if row else None for row in scores]
    return BaselineAnswers(name, shortcut, best if options else [])  # type: ignore[arg-type]


def _cut_words(text: str) -> set[str]:
    return set(text.casefold().split())


def _count_shared(question: str, options: Sequence[str]) -> list[float]:
    """Return the share of each option's words that are in the question."""
    words = _cut_words(question)
    cut = [_cut_words(option) for option in options]
    return [len(each & words) / max(len(each), 1) for each in cut]


def _repeat_letter(letters: Sequence[str | None], train: Array, test: Array) -> list[str]:
    names, counts = np.unique([letters[row] for row in train.tolist() if letters[row]], return_counts=True)
    return [str(names[counts.argmax()])] * len(test)


class _FlatOptions:
    """All options one below the other, with the item and the place of each, and the features of a linear model."""

    def __init__(self, options: list[list[str]], letters: Sequence[str | None]) -> None:
        self.options = options
        self.starts = np.concatenate([[0], np.cumsum([len(row) for row in options])]).astype(int)
        self.items = np.repeat(np.arange(len(options)), np.diff(self.starts))
        places = np.arange(len(self.items)) - self.starts[self.items]
        pairs = zip(self.items.tolist(), places.tolist(), strict=True)
        self.right = np.array([letters[item] == name_option(place) for item, place in pairs], dtype=float)
        texts = [option for row in options for option in row]
        self.words = weigh_words(texts)
        lengths = np.log1p([len(text) for text in texts])
        gaps = np.array([text.count(" ") for text in texts], dtype=float) / 10
        self.numbers = [centre_by_item(lengths, self.items), centre_by_item(gaps, self.items)]

    def answer(
        self, name: str, rows: Array, plan: LearningPlan, questions: Sequence[str] | None = None
    ) -> BaselineAnswers:
        """Answer by a linear model of the options; with `questions` also of the words they share with the question."""
        numbers = list(self.numbers)
        if questions is not None:
            pairs = zip(questions, self.options, strict=True)
            shared = np.array([share for question, row in pairs for share in _count_shared(question, row)])
            numbers.append(centre_by_item(shared, self.items))
        scores = score_options(self.words, np.stack(numbers, axis=1), self.items, self.right, plan)
        cut = [scores[self.starts[row] : self.starts[row + 1]] for row in rows.tolist()]
        answers = [name_option(int(np.argmax(row))) if len(row) else None for row in cut]
        return BaselineAnswers(name, "answers alone" if questions is None else "model", answers, plan.based_on)
