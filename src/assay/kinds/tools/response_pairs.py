"""Baselines of preferences: the longer response, the first, and a linear model that does not see the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.tools.learning import fit_linear, plan_learning, weigh_words

if TYPE_CHECKING:
    from assay.data import Dataset


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline; the first position means nothing where it is always the better one."""
    from assay.kinds.preference import FIRST, SECOND, has_positions

    first, second = (data.fields[f"response_{side}"].to_list() for side in "ab")
    longer = [FIRST if len(first[row]) >= len(second[row]) else SECOND for row in rows.tolist()]
    yield BaselineAnswers("longer-response", "length", longer)
    if has_positions(data):
        yield BaselineAnswers("first-response", "position", [FIRST] * len(rows))
    labels = [None] * len(data) if data.labels is None else data.labels.to_list()
    known = np.array([label in (FIRST, SECOND) for label in labels])
    plan = plan_learning(data, rows, known, random_state)
    if plan is None:
        return
    words = weigh_words([*first, *second])
    difference = (words[: len(data)] - words[len(data) :]).tocsr()
    target = np.array([1.0 if label == FIRST else -1.0 for label in labels])
    scores = np.zeros(len(data))
    for train, test in plan.folds:
        # Without an intercept, swapping the responses swaps the answer, so that positions are not learned.
        scores[test] = difference[test] @ fit_linear(difference[train], target[train])
    answers = [FIRST if scores[row] >= 0 else SECOND for row in rows.tolist()]
    yield BaselineAnswers("responses-only", "answers alone", answers, plan.based_on)
