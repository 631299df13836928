"""Quick models of tagging: the most frequent tag of each word, and a linear tagger of a window of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers
from assay.kinds.quick_models import QuickModel
from assay.kinds.tools.learning import answer_with_models, plan_learning

if TYPE_CHECKING:
    from assay.data import Dataset


N_EPOCHS = 5
MAX_TAGS = 100
MIN_PAIRS = 2  # times that two neighbours occur together, to be a feature


class TokenTable:
    """All tokens in a row, their tags as numbers, and the features of their windows."""

    def __init__(self, data: Dataset) -> None:
        self.tokens: list[list[str]] = data.fields["tokens"].to_list()
        self.tags: list[list[str] | None] = data.fields["tags"].to_list()
        self.names = sorted({tag for row in self.tags for tag in row or ()}) or ["O"]
        codes = {name: code for code, name in enumerate(self.names)}
        self.starts = np.concatenate([[0], np.cumsum([len(row) for row in self.tokens])]).astype(np.int64)
        self.gold = np.zeros(int(self.starts[-1]), np.int64)
        for row, tags in enumerate(self.tags):
            if tags is not None:
                self.gold[self.starts[row] : self.starts[row + 1]] = [codes[tag] for tag in tags]

    @cached_property
    def features(self) -> tuple[Array, int]:
        """Return the numbers of each token's features, and how many features there are.

        A word, two neighbours on each side and pairs of neighbours, endings, beginning and shape; of the direct
        neighbours also ending and shape.
        """
        known: dict[str, int] = {"": 0}
        flat = np.array([known.setdefault(word, len(known)) for row in self.tokens for word in row], dtype=np.int64)
        words = list(known)
        folded = number_values(words, str.casefold)
        sources = {
            0: [folded, *(number_values(words, cut) for cut in CUTS), number_values(words, write_shape)],
            -1: [folded, number_values(words, CUTS[1]), number_values(words, write_shape)],
            1: [folded, number_values(words, CUTS[1]), number_values(words, write_shape)],
            -2: [folded],
            2: [folded],
        }
        shifted = {step: self._shift(flat, step) for step in sources}
        columns = [values[shifted[step]] for step, each in sources.items() for values in each]
        for one, two in ((-1, 0), (0, 1)):
            columns.append(number_pairs(folded[shifted[one]], folded[shifted[two]], len(words)))
        sizes = [int(column.max()) + 1 if len(column) else 1 for column in columns]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        table = np.stack([column + offset for column, offset in zip(columns, offsets, strict=False)], axis=1)
        return np.ascontiguousarray(table, dtype=np.int64), int(offsets[-1])

    def _shift(self, flat: Array, step: int) -> Array:
        """Return the words some places before or after, 0 beyond the sentence."""
        rows = np.repeat(np.arange(len(self.tokens)), np.diff(self.starts))
        places = np.arange(len(flat)) + step
        inside = (places >= self.starts[rows]) & (places < self.starts[rows + 1])
        return np.where(inside, flat[np.clip(places, 0, max(len(flat) - 1, 0))], 0) if len(flat) else flat

    def tag_windows(self, train: Array, test: Array) -> list[str | None]:
        """Learn from some sentences, and return the tags of others."""
        from assay.kinds.tagging.perceptron_kernels import tag_sentences, train_perceptron

        features, n_features = self.features
        known = np.array([row for row in train.tolist() if self.tags[row]], dtype=np.int64)
        if not len(known):
            return self.repeat_tags(train, test)
        bounds = np.stack([self.starts[:-1], self.starts[1:]], axis=1)
        rng = np.random.default_rng(0)
        orders = np.stack([rng.permutation(len(known)) for _ in range(N_EPOCHS)])
        weights, moves = train_perceptron(features, self.gold, bounds[known], orders, n_features, len(self.names))
        tags = tag_sentences(features, bounds[test], weights, moves)
        return [" ".join(self.names[code] for code in tags[start:end].tolist()) for start, end in bounds[test].tolist()]

    def repeat_tags(self, train: Array, test: Array) -> list[str | None]:
        """Give every word its most frequent tag in training, and others the most frequent tag of all."""
        counts: dict[str, Counter[str]] = {}
        everywhere: Counter[str] = Counter()
        for row in train.tolist():
            tags = self.tags[row] or []
            everywhere.update(tags)
            for word, tag in zip(self.tokens[row], tags, strict=False):
                counts.setdefault(word.casefold(), Counter())[tag] += 1
        usual = _choose(everywhere)
        best = {word: _choose(each) for word, each in counts.items()}
        return [" ".join(best.get(word.casefold(), usual) for word in self.tokens[row]) for row in test.tolist()]

    def repeat_usual_tag(self, train: Array, test: Array) -> list[str | None]:
        """Give every word the most frequent tag of training."""
        usual = _choose(Counter(tag for row in train.tolist() for tag in self.tags[row] or ()))
        return [" ".join([usual] * len(self.tokens[row])) for row in test.tolist()]


def build_models(data: Dataset) -> list[QuickModel]:
    """Return the tagger of windows, if there are not too many tags, and the most frequent tag of each word and of all."""
    table = TokenTable(data)
    models = []
    if len(table.names) <= MAX_TAGS:
        models.append(QuickModel("linear-window", "model", "words and their neighbours", table.tag_windows))
    models.append(QuickModel("most-frequent-tag", "single words", "single words", table.repeat_tags))
    return [*models, QuickModel("usual-tag", "constant", "nothing", table.repeat_usual_tag)]


def number_values(words: Sequence[str], convert: Callable[[str], str]) -> Array:
    """Return a number for what each word is converted to, equal for equal values.

    >>> number_values(["", "Ab", "ab"], str.casefold).tolist()
    [0, 1, 1]
    """
    known: dict[str, int] = {}
    return np.array([known.setdefault(convert(word), len(known)) for word in words], dtype=np.int64)


def number_pairs(first: Array, second: Array, n_words: int) -> Array:
    """Return a number for each pair that occurs at least twice, 0 for all others.

    >>> number_pairs(np.array([1, 1, 2]), np.array([2, 2, 2]), 3).tolist()
    [1, 1, 0]
    """
    _, codes, times = np.unique(first * n_words + second, return_inverse=True, return_counts=True)
    kept = np.cumsum(times >= MIN_PAIRS) * (times >= MIN_PAIRS)
    return np.asarray(kept[codes])


def write_shape(word: str) -> str:
    """Return the shape of a word: letters as X or x, figures as 0, runs once.

    >>> write_shape("Rome2020"), write_shape("U.S.")
    ('Xx0', 'X.X.')
    """
    marks = [
        "X" if letter.isupper() else "x" if letter.islower() else "0" if letter.isdigit() else letter for letter in word
    ]
    return "".join(mark for place, mark in enumerate(marks) if not place or marks[place - 1] != mark)[:6]


def _choose(counts: Counter[str]) -> str:
    return min(counts, key=lambda tag: (-counts[tag], tag)) if counts else "O"


# Endings of two, three and four letters, and beginnings of two and three.
CUTS: tuple[Callable[[str], str], ...] = (
    lambda word: word.casefold()[-2:],
    lambda word: word.casefold()[-3:],
    lambda word: word.casefold()[-4:],
    lambda word: word[:2],
    lambda word: word.casefold()[:3],
)


def answer_baselines(data: Dataset, rows: Array, random_state: int = 0) -> Iterator[BaselineAnswers]:
    """Yield the answers of every baseline to some rows."""
    plan = plan_learning(data, rows, data.fields["tags"].is_not_null().to_numpy(), random_state)
    if plan is not None:
        yield from answer_with_models(build_models(data)[::-1], plan, rows, len(data))
