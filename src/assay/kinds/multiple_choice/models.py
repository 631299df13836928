"""Quick models of multiple choice: linear models of question and option pairs, or of the options alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.quick_models import QuickModel
from assay.kinds.tools.choices import fit_choices
from assay.kinds.tools.learning import answer_with_models, centre_by_item, plan_learning, weigh_words
from assay.wording.letters import name_letter

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assay.data import Dataset


MIN_ITEMS = 2  # that have a pair of words, for the pair to be a feature
MAX_QUESTION_WORDS, MAX_OPTION_WORDS = 12, 6  # whose pairs are features, the rarest first
PENALTY = 5.0


class OptionTable:
    """All options one below the other, the item and the place of each, and what linear models see of them."""

    def __init__(self, data: Dataset) -> None:
        self.options: list[list[str]] = data.fields["choices"].to_list()
        self.questions: list[str] = data.texts.fill_null("").to_list()
        contexts = data.fields.get("context")
        self.contexts: list[str] | None = None if contexts is None else contexts.fill_null("").to_list()
        self.letters: list[str | None] = [None] * len(data) if data.labels is None else data.labels.to_list()
        self.starts = np.concatenate([[0], np.cumsum([len(row) for row in self.options])]).astype(int)
        self.items = np.repeat(np.arange(len(self.options)), np.diff(self.starts))
        places = np.arange(len(self.items)) - self.starts[self.items]
        pairs = zip(self.items.tolist(), places.tolist(), strict=True)
        self.right = np.array([self.letters[item] == name_letter(place) for item, place in pairs], dtype=float)
        self.texts = [option for row in self.options for option in row]

    @cached_property
    def blind(self) -> csr_matrix:
        """Words and word pairs of the options, their lengths, figures, and words they share with the other options."""
        from scipy import sparse

        lengths = np.log1p([len(text) for text in self.texts])
        gaps = np.array([text.count(" ") for text in self.texts], dtype=float) / 10
        digits = np.array([sum(letter.isdigit() for letter in text) / max(len(text), 1) for text in self.texts])
        numbers = [centre_by_item(values, self.items) for values in (lengths, gaps, digits, self._compare_options())]
        return sparse.hstack([weigh_words(self.texts), sparse.csr_matrix(np.stack(numbers, axis=1))]).tocsr()

    @cached_property
    def whole(self) -> csr_matrix:
        """The same, with words shared with question and context, and pairs of a question's and an option's word."""
        from scipy import sparse

        numbers = [self._share_words(self.questions)]
        if self.contexts is not None:
            numbers.append(self._share_words(self.contexts))
        columns = np.stack([centre_by_item(values, self.items) for values in numbers], axis=1)
        return sparse.hstack([self.blind, sparse.csr_matrix(columns), self._cross_words()]).tocsr()

    def _compare_options(self) -> Array:
        """Return the share of each option's words that another option of its item has too."""
        values = []
        for row in self.options:
            cut = [cut_words(option) for option in row]
            for place, words in enumerate(cut):
                others = set().union(*(each for other, each in enumerate(cut) if other != place))
                values.append(len(words & others) / max(len(words), 1))
        return np.array(values)

    def _share_words(self, texts: Sequence[str]) -> Array:
        pairs = zip(texts, self.options, strict=True)
        return np.array([share for text, row in pairs for share in share_words(text, row)])

    def _cross_words(self) -> csr_matrix:
        """Return pairs of a word of the question and a word of the option, of the rarest words, that occur twice."""
        from scipy import sparse

        known: dict[str, int] = {}
        counts: dict[int, int] = {}

        def number_words(text: str) -> Array:
            codes = {known.setdefault(word, len(known)) for word in cut_words(text)}
            for code in codes:
                counts[code] = counts.get(code, 0) + 1
            return np.array(sorted(codes), dtype=np.int64)

        asked = [number_words(text) for text in self.questions]
        offered = [number_words(text) for text in self.texts]
        frequencies = np.array([counts[code] for code in range(len(known))] or [0])
        asked = [words[np.argsort(frequencies[words], kind="stable")][:MAX_QUESTION_WORDS] for words in asked]
        offered = [words[np.argsort(frequencies[words], kind="stable")][:MAX_OPTION_WORDS] for words in offered]
        pairs = [
            (asked[item][:, None] * len(known) + words[None, :]).ravel()
            for item, words in zip(self.items.tolist(), offered, strict=True)
        ]
        sizes = np.array([len(block) for block in pairs], dtype=np.int64)
        flat = np.concatenate(pairs) if pairs else np.zeros(0, np.int64)
        owners = np.repeat(self.items, sizes)
        distinct = np.unique(np.stack([flat, owners]), axis=1)[0]  # a pair counts once in an item
        names, times = np.unique(distinct, return_counts=True)
        columns = np.searchsorted(names, flat)
        recurs = times[columns] >= MIN_ITEMS
        values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)[recurs]
        rows = np.repeat(np.arange(len(sizes)), sizes)[recurs]
        kept, columns = np.unique(columns[recurs], return_inverse=True)
        return sparse.csr_matrix((values, (rows, columns)), (len(sizes), len(kept)))

    def answer(self, features: csr_matrix, train: Array, test: Array) -> list[str | None]:
        """Learn which options are right from some items, and return the likeliest option of others."""
        learned, tested = np.isin(self.items, train), np.isin(self.items, test)
        weights = fit_choices(features[learned], self.items[learned], self.right[learned], PENALTY)
        scores = np.zeros(len(self.items))
        scores[tested] = features[tested] @ weights
        cut = [scores[self.starts[row] : self.starts[row + 1]] for row in test.tolist()]
        return [name_letter(int(np.argmax(row))) if len(row) else None for row in cut]

    def repeat_letter(self, train: Array, test: Array) -> list[str | None]:
        """Answer with the most frequent letter of training."""
        letters = [letter for row in train.tolist() if (letter := self.letters[row])]
        names, counts = np.unique(letters, return_counts=True)
        return [str(names[counts.argmax()]) if letters else None] * len(test)


def build_models(data: Dataset) -> list[QuickModel]:
    """Return the model of questions and options, the one of options alone, and the most frequent letter."""
    table = OptionTable(data)
    return [
        QuickModel(
            "question-and-options",
            "model",
            "question and options",
            lambda train, test: table.answer(table.whole, train, test),
        ),
        QuickModel(
            "choices-only", "answers alone", "options alone", lambda train, test: table.answer(table.blind, train, test)
        ),
        QuickModel("most-frequent-letter", "position", "nothing but positions", table.repeat_letter),
    ]


def cut_words(text: str) -> set[str]:
    """Return the words of a text in lower case, without marks around them.

    >>> sorted(cut_words("A cat, a dog."))
    ['a', 'cat', 'dog']
    """
    return {word for raw in text.casefold().split() if (word := raw.strip(".,;:!?\"'()[]"))}


def share_words(text: str, options: Sequence[str]) -> list[float]:
    """Return the share of each option's words that are in a text."""
    words = cut_words(text)
    cut = [cut_words(option) for option in options]
    return [len(each & words) / max(len(each), 1) for each in cut]


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
