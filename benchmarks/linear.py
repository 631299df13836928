"""LinearClassifier against the same model written with scikit-learn, on real data: seconds of processor time.

    python -m benchmarks.linear [DATASET…]

One thread each, in turns, in one process. Once fit and predict on four fifths and one fifth of the rows, once a
cross-validation with five folds, where LinearClassifier counts n-grams once for all folds. "audit" is the model of a
quick audit (words and word pairs of two texts or more) and next to it a cross-validation of
`TfidfVectorizer(ngram_range=(1, 2))` and `LogisticRegression()`.
"""

from __future__ import annotations

import gzip
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

DATASETS = ("imdb", "dbpedia14", "trec", "msrp", "quora")
AUDIT_SETTINGS = {"char_ngrams": None, "min_word_count": 2}
N_FOLDS = 5


def read_dataset(name: str) -> tuple[list[Any], np.ndarray]:
    """Return texts or pairs, and labels."""
    path = Path(__file__).parents[2] / "shared" / "data" / name / f"{name}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        rows = [line.rstrip("\n").split("\t") for line in file]
    fields = [columns.index(field) for field in ("text", "text_a", "text_b") if field in columns]
    items = [tuple(row[field] for field in fields) if len(fields) > 1 else row[fields[0]] for row in rows]
    return items, np.array([row[columns.index("label")] for row in rows])


class ScikitLearnModel:
    """The features and the regression of LinearClassifier, by scikit-learn and scipy."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings

    def fit(self, X: list[Any], y: np.ndarray) -> ScikitLearnModel:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        common: dict[str, Any] = {"sublinear_tf": True}
        n_words = self.settings.get("min_word_count", 1)
        self.vectorizers = [TfidfVectorizer(ngram_range=(1, 2), min_df=n_words, token_pattern=r"(?u)\b\w+\b", **common)]
        if self.settings.get("char_ngrams", ()) is not None:
            self.vectorizers.append(TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), min_df=2, **common))
        texts = stack_sides(X)
        blocks = [vectorizer.fit_transform(texts) for vectorizer in self.vectorizers]
        strength = 1.0 if isinstance(X[0], tuple) else 5.0
        self.regression = LogisticRegression(C=strength, max_iter=1000).fit(join_blocks(blocks, X), y)
        return self

    def predict_proba(self, X: list[Any]) -> np.ndarray:
        blocks = [vectorizer.transform(stack_sides(X)) for vectorizer in self.vectorizers]
        return np.asarray(self.regression.predict_proba(join_blocks(blocks, X)))


def stack_sides(X: list[Any]) -> list[str]:
    return [side for number in (0, 1) for side in (pair[number] for pair in X)] if isinstance(X[0], tuple) else X


def join_blocks(blocks: list[Any], X: list[Any]) -> Any:
    import scipy.sparse as sp

    if not isinstance(X[0], tuple):
        return sp.hstack(blocks, format="csr")
    parts = []
    for block in blocks:
        left, right = block[: len(X)], block[len(X) :]
        shared = left.multiply(right)
        parts += [left, right, shared, abs(left - right), sp.csr_matrix(np.asarray(shared.sum(axis=1)).reshape(-1, 1))]
    return sp.hstack(parts, format="csr")


def folds_of(y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    from sklearn.model_selection import StratifiedKFold

    yield from StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(y, y)


def cross_validate(make: Callable[[], Any], X: Any, y: np.ndarray) -> np.ndarray:
    probabilities = np.zeros((len(y), len(np.unique(y))))
    for train, test in folds_of(y):
        take = X.take if hasattr(X, "take") else lambda rows: [X[row] for row in rows]
        probabilities[test] = make().fit(take(train), y[train]).predict_proba(take(test))
    return probabilities


def fit_and_predict(make: Callable[[], Any], X: list[Any], y: np.ndarray) -> np.ndarray:
    train, test = next(folds_of(y))
    return np.asarray(make().fit([X[row] for row in train], y[train]).predict_proba([X[row] for row in test]))


def measure(work: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def compare(name: str, ours: Callable[[], np.ndarray], theirs: Callable[[], np.ndarray], turns: int = 2) -> None:
    """Print the least time of each, their ratio, and how far the probabilities are apart."""
    times, results = np.zeros((2, turns)), []
    for turn in range(turns):
        for number, work in enumerate((ours, theirs)):
            times[number, turn], result = measure(work)
            results.append(result)
    fast, slow = times.min(axis=1)
    line = f"  {name:24s} assay {fast:7.2f} s  scikit-learn {slow:7.2f} s  {slow / fast:5.1f} ×"
    if results[0].shape == results[1].shape:
        difference = np.abs(results[0] - results[1]).max()
        n_labels = (results[0].argmax(axis=1) != results[1].argmax(axis=1)).sum()
        line += f"  largest difference {difference:.0e}, {n_labels} labels"
    print(line, flush=True)


def compare_dataset(name: str) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    from assay.models import CountedTexts, LinearClassifier

    X, y = read_dataset(name)
    print(f"{name}: {len(X):,} {'pairs' if isinstance(X[0], tuple) else 'texts'}, {len(np.unique(y))} classes")
    compare(
        "fit and predict",
        lambda: fit_and_predict(LinearClassifier, X, y),
        lambda: fit_and_predict(lambda: ScikitLearnModel({}), X, y),
    )
    compare(
        f"{N_FOLDS} folds",
        lambda: cross_validate(LinearClassifier, CountedTexts(X), y),
        lambda: cross_validate(lambda: ScikitLearnModel({}), X, y),
        turns=1,
    )
    compare(
        f"{N_FOLDS} folds, audit",
        lambda: cross_validate(lambda: LinearClassifier(**AUDIT_SETTINGS), CountedTexts(X), y),
        lambda: cross_validate(lambda: ScikitLearnModel(AUDIT_SETTINGS), X, y),
        turns=1,
    )
    if isinstance(X[0], str):
        reference, _ = measure(
            lambda: cross_validate(
                lambda: make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression()), X, y
            )
        )
        print(f"  {N_FOLDS} folds of TfidfVectorizer(ngram_range=(1, 2)) and LogisticRegression(): {reference:.2f} s")


def main() -> None:
    os.environ["NUMBA_NUM_THREADS"] = "1"
    from threadpoolctl import threadpool_limits

    from assay.models import LinearClassifier

    for labels in ([0, 1, 0, 1], [0, 1, 0, 2]):  # compile, outside the clock
        LinearClassifier().fit(["a b", "c d", "a c", "d"], labels).predict(["a"])
    LinearClassifier().fit([("a b", "c d"), ("a c", "d")], [0, 1]).predict([("a", "b")])
    with threadpool_limits(1):
        for name in sys.argv[1:] or DATASETS:
            compare_dataset(name)


if __name__ == "__main__":
    main()
