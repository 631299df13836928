"""Quick models of preferences: the longer response, the first, and linear models of the difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers, Shortcut
from assay.kinds.preference import FIRST, SECOND, has_positions
from assay.kinds.quick_models import QuickModel
from assay.kinds.tools.learning import answer_with_models, fit_linear, plan_learning, weigh_words

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assay.data import Dataset

# Marks of style that are counted: lists, headings, emphasis, code, figures, exclamation, questions.
STYLE_MARKS = ("\n", "\n- ", "\n* ", "\n1.", "#", "**", "`", "!", "?", ":", ",")


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline; the first position means nothing if it is always the better one."""
    table = ResponseTable(data)
    yield BaselineAnswers("longer-response", "length", table.choose_longer(rows))
    if has_positions(data):
        yield BaselineAnswers("first-response", "position", [FIRST] * len(rows))
    plan = plan_learning(data, rows, table.target != 0, random_state)
    if plan is not None:
        models = [model for model in build_models(data) if model.shortcut not in ("length", "constant")]
        yield from answer_with_models(models[::-1], plan, rows, len(data))


def build_models(data: Dataset) -> list[QuickModel]:
    """Return linear models of prompt and responses, of responses alone and of their style, and constant answers."""
    table = ResponseTable(data)

    def make(name: str, shortcut: Shortcut, sees: str, part: str) -> QuickModel:
        return QuickModel(name, shortcut, sees, lambda train, test: table.predict(getattr(table, part), train, test))

    models = [
        make("prompt-and-responses", "model", "prompt and responses", "whole"),
        make("responses-only", "answers alone", "responses alone", "blind"),
        make("style", "style", "length, lists, emphasis and marks", "style"),
        QuickModel("longer-response", "length", "lengths", lambda _, test: table.choose_longer(test)),
    ]
    if has_positions(data):
        models.append(QuickModel("most-frequent-side", "constant", "nothing", table.repeat_side))
    return models


class ResponseTable:
    """The better sides, and differences of the responses; swapping the responses changes the sign of all of them."""

    def __init__(self, data: Dataset) -> None:
        self.prompts: list[str] = data.texts.fill_null("").to_list()
        self.first: list[str] = data.fields["response_a"].fill_null("").to_list()
        self.second: list[str] = data.fields["response_b"].fill_null("").to_list()
        self.labels: list[str | None] = [None] * len(data) if data.labels is None else data.labels.to_list()
        self.target = np.array([{FIRST: 1.0, SECOND: -1.0}.get(label or "", 0.0) for label in self.labels])

    @cached_property
    def style(self) -> csr_matrix:
        """Differences of lengths and of counts of marks, on a logarithmic scale."""
        from scipy import sparse

        sides = [np.array([_count_style(text) for text in texts]) for texts in (self.first, self.second)]
        difference = np.log1p(sides[0]) - np.log1p(sides[1])
        spread = np.sqrt((difference**2).mean(axis=0))
        return sparse.csr_matrix(difference / np.where(spread > 0, spread, 1))

    @cached_property
    def blind(self) -> csr_matrix:
        """The difference of the words, and of the style."""
        from scipy import sparse

        words = weigh_words([*self.first, *self.second])
        n = len(self.first)
        return sparse.hstack([words[:n] - words[n:], self.style]).tocsr()

    @cached_property
    def whole(self) -> csr_matrix:
        """The same, and the difference of the words shared with the prompt."""
        from scipy import sparse

        shares = [_share_words(self.prompts, texts) for texts in (self.first, self.second)]
        return sparse.hstack([self.blind, sparse.csr_matrix(4 * (shares[0] - shares[1]))]).tocsr()

    def predict(self, features: csr_matrix, train: Array, test: Array) -> list[str]:
        """Learn the better side from some pairs, and name that of others.

        Without an intercept, swapping the responses swaps the answer, so that positions are not learned.
        """
        known = train[self.target[train] != 0]
        scores = features[test] @ fit_linear(features[known], self.target[known])
        return [FIRST if score >= 0 else SECOND for score in scores]

    def choose_longer(self, rows: Array) -> list[str]:
        """Name the longer response."""
        return [FIRST if len(self.first[row]) >= len(self.second[row]) else SECOND for row in rows.tolist()]

    def repeat_side(self, train: Array, test: Array) -> list[str]:
        """Answer with the side that is better more often in training."""
        return [FIRST if self.target[train].sum() >= 0 else SECOND] * len(test)


def _count_style(text: str) -> list[float]:
    figures = sum(letter.isdigit() for letter in text)
    return [float(len(text)), float(figures), *(float(text.count(mark)) for mark in STYLE_MARKS)]


def _share_words(prompts: Sequence[str], responses: Sequence[str]) -> Array:
    """Return the share of the prompt's words in each response, and of the response's words in the prompt."""
    shares = []
    for prompt, response in zip(prompts, responses, strict=True):
        one, two = set(prompt.casefold().split()), set(response.casefold().split())
        shared = len(one & two)
        shares.append([shared / max(len(one), 1), shared / max(len(two), 1)])
    return np.array(shares, dtype=float).reshape(-1, 2)
