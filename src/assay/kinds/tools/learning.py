"""Inputs and fits of quick models: folds, tf-idf of words, numbers on a scale, and a ridge regression."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.kinds.facts import BaselineAnswers

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from assay.data import Dataset
    from assay.kinds.quick_models import QuickModel

N_FOLDS = 5
OUT_OF_FOLD = f"{N_FOLDS} folds of their own"  # not those under which quick models are compared
PENALTY = 1.0
MAX_WORDS = 20_000
MAX_ITERATIONS = 60
TOLERANCE = 1e-4  # of the residual, relative to the first


@dataclass(frozen=True, eq=False)
class LearningPlan:
    """Pairs of rows to learn from and rows to answer, which cover the rows asked for once; and what they are."""

    folds: list[tuple[Array, Array]] = field(repr=False)
    based_on: str

    def predict(self, n: int, learn: Callable[[Array, Array], Sequence[Any]]) -> list[Any]:
        """Collect what `learn(train rows, test rows)` returns for the test rows, in a list over all n rows."""
        answers: list[Any] = [None] * n
        for train, test in self.folds:
            for row, answer in zip(test.tolist(), learn(train, test), strict=True):
                answers[row] = answer
        return answers


def plan_learning(data: Dataset, rows: Array, known: Array, random_state: int = 0) -> LearningPlan | None:
    """Plan to learn from the training part, or out of fold if there is none; None if too few items are known.

    `known` marks the rows with a gold answer. Groups, or else items with the same text, stay in one fold.
    """
    if data.parts is not None:
        train = np.flatnonzero((data.parts == "train").fill_null(value=False).to_numpy() & known)
        if len(train) >= N_FOLDS and not np.isin(rows, train).any():
            return LearningPlan([(train, rows)], "train")
    pool = rows[known[rows]]
    if len(pool) < 2 * N_FOLDS:
        return None
    names = (data.texts if data.groups is None else data.groups).gather(rows).to_list()
    _, units = np.unique([str(name) for name in names], return_inverse=True)
    folds = np.random.default_rng(random_state).permutation(units.max() + 1)[units] % N_FOLDS
    pairs = [(rows[(folds != fold) & known[rows]], rows[folds == fold]) for fold in range(N_FOLDS)]
    return LearningPlan([(train, test) for train, test in pairs if len(train) and len(test)], OUT_OF_FOLD)


def answer_with_models(
    models: Sequence[QuickModel], plan: LearningPlan, rows: Array, n: int
) -> Iterator[BaselineAnswers]:
    """Yield what quick models answer to some of n rows under a plan."""
    for model in models:
        answers = plan.predict(n, model.answer)
        yield BaselineAnswers(model.name, model.shortcut, [answers[row] for row in rows.tolist()], plan.based_on)


def fit_linear(features: csr_matrix, target: Array, penalty: float = PENALTY) -> Array:
    """Return the weights of a ridge regression without intercept, for one target or one per column.

    Conjugate gradients, all columns at once; nothing here starts threads, so that results do not depend on them.

    >>> from scipy import sparse
    >>> fit_linear(sparse.csr_matrix([[1.0, 0.0], [0.0, 2.0]]), np.array([2.0, 5.0])).round(6).tolist()
    [1.0, 2.0]
    """
    targets = target.reshape(len(target), -1).astype(np.float64)
    transposed = features.T.tocsr()
    residual = transposed @ targets
    weights, direction = np.zeros(residual.shape), residual.copy()
    size = (residual**2).sum(axis=0)
    limit = TOLERANCE**2 * size
    for _ in range(MAX_ITERATIONS):
        product = transposed @ (features @ direction) + penalty * direction
        below = (direction * product).sum(axis=0)
        step = np.divide(size, below, out=np.zeros_like(size), where=below > 0)
        weights += step * direction
        residual -= step * product
        before, size = size, (residual**2).sum(axis=0)
        if (size <= limit).all():
            break
        direction = residual + np.divide(size, before, out=np.zeros_like(size), where=before > 0) * direction
    return weights.reshape(-1, *target.shape[1:])


def weigh_words(texts: Sequence[str]) -> csr_matrix:
    """Return tf-idf of words and word pairs that occur at least twice, one row per text; it needs no gold answers."""
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        ngram_range=(1, 2), min_df=2, max_features=MAX_WORDS, token_pattern=r"\w+", sublinear_tf=True
    )
    try:
        return vectorizer.fit_transform(texts)
    except ValueError:  # no word occurs twice
        return sparse.csr_matrix((len(texts), 0))


def scale_columns(numbers: Array) -> Array:
    """Return columns with mean 0 and standard deviation 1; a constant column becomes 0.

    >>> scale_columns(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    spread = numbers.std(axis=0)
    return np.asarray((numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1))


def count_frequent_words(texts: Sequence[str], n_words: int = 100) -> csr_matrix:
    """Return how often the most frequent words, mostly function words, occur in each text, per word of the text."""
    from scipy import sparse

    cut = [text.casefold().split() for text in texts]
    totals = Counter(word for words in cut for word in set(words))
    names = sorted(totals, key=lambda word: (-totals[word], word))[:n_words]
    codes = {word: code for code, word in enumerate(names)}
    table = np.zeros((len(texts), max(len(names), 1)))
    for row, words in enumerate(cut):
        for word in words:
            if word in codes:
                table[row, codes[word]] += 1 / len(words)
    return sparse.csr_matrix(3 * table)  # small, so that the penalty of the ridge regression counts


def centre_by_item(values: Array, items: Array) -> Array:
    """Subtract the mean of each item's options.

    >>> centre_by_item(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 1])).tolist()
    [-1.0, 1.0, 0.0]
    """
    sums, counts = np.bincount(items, weights=values), np.bincount(items)
    return np.asarray(values - (sums / np.maximum(counts, 1))[items])
