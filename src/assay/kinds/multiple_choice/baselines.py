"""Trivial baselines of multiple choice: answers that do not need the question, or hardly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.base.letters import name_letter
from assay.kinds.facts import BaselineAnswers
from assay.kinds.multiple_choice.models import build_models, share_words
from assay.kinds.tools.learning import answer_with_models, plan_learning

if TYPE_CHECKING:
    from assay.data import Dataset


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows; equal options are decided by the first."""
    options = data.fields["choices"].to_list()
    chosen = [options[row] for row in rows.tolist()]
    questions = data.texts.fill_null("").to_list()
    yield _answer("longest-option", "length", chosen, [[float(len(option)) for option in row] for row in chosen])
    overlaps = [share_words(questions[row], options[row]) for row in rows.tolist()]
    yield _answer("overlap", "overlap", chosen, overlaps)
    if data.labels is None:
        return
    known = data.labels.is_not_null().to_numpy()
    plan = plan_learning(data, rows, known, random_state)
    if plan is not None:
        yield from answer_with_models(build_models(data)[::-1], plan, rows, len(data))


def _answer(name: str, shortcut: str, options: Sequence[Sequence[str]], scores: list[list[float]]) -> BaselineAnswers:
    best = [name_letter(int(np.argmax(row))) if row else None for row in scores]
    return BaselineAnswers(name, shortcut, best if options else [])  # type: ignore[arg-type]
