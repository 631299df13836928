"""Logistic regression on words and character n-grams: the default classifier, which needs no extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from assay.base.errors import AssayError
from assay.models.base import TextClassifier
from assay.models.inputs import Sides

WORD = r"(?u)\b\w+\b"


class LinearClassifier(TextClassifier):
    """Word and character TF-IDF, logistic regression.

    On pairs the two sides, their shared words (product of the TF-IDF values) and their differing words
    (absolute difference) are features of their own, and so is the cosine of the sides. C defaults to 5 on texts
    and, with so many more features, to 1 on pairs.

    >>> model = LinearClassifier().fit(["good film", "good fun", "bad film", "bad plot"], [1, 1, 0, 0])
    >>> model.predict(["good plot", "bad fun"]).tolist()
    [1, 0]
    """

    uses_dev = False

    def __init__(
        self,
        C: float | None = None,
        word_ngrams: tuple[int, int] = (1, 2),
        char_ngrams: tuple[int, int] | None = (2, 4),
        min_char_count: int = 2,
        min_word_count: int = 1,
        class_weight: str | None = None,
        max_iter: int = 1000,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.word_ngrams = word_ngrams
        self.char_ngrams = char_ngrams
        self.min_char_count = min_char_count
        self.min_word_count = min_word_count
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.random_state = random_state

    def _fit(self, sides: Sides, codes: np.ndarray, dev_sides: Any, dev_codes: Any) -> None:  # noqa: ARG002, no dev
        self._fit_vectorizers([text for side in sides for text in side])
        features = self._features(sides)
        strength = self.C if self.C is not None else (5.0, 1.0)[len(sides) - 1]
        regression = LogisticRegression(C=strength, class_weight=self.class_weight, max_iter=self.max_iter)
        # Threaded sums round differently, and the bytes must not depend on how many processes run.
        with threadpool_limits(1):
            regression.fit(features, codes)
        self.coef_, self.intercept_ = regression.coef_, regression.intercept_

    def _probabilities(self, sides: Sides) -> np.ndarray:
        scores = np.asarray(self._features(sides) @ self.coef_.T) + self.intercept_
        if len(self.classes_) == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _fit_vectorizers(self, texts: list[str]) -> None:
        self.vectorizers_ = [_words(tuple(self.word_ngrams), self.min_word_count)]
        if self.char_ngrams is not None:
            self.vectorizers_.append(_characters(tuple(self.char_ngrams), self.min_char_count))
        try:
            self._fitted = (texts, [vectorizer.fit_transform(texts) for vectorizer in self.vectorizers_])
        except ValueError as error:
            if "vocabulary" not in str(error) and "no terms" not in str(error).lower():
                raise
            self._fit_without_terms(texts, error)

    def _fit_without_terms(self, texts: list[str], error: ValueError) -> None:
        """Go on with all words alone where no term is frequent enough."""
        try:
            self.vectorizers_ = [_words(tuple(self.word_ngrams))]
            self._fitted = (texts, [self.vectorizers_[0].fit_transform(texts)])
        except ValueError:
            raise AssayError(f"LinearClassifier: none of {len(texts)} training texts holds a word.") from error

    def _features(self, sides: Sides) -> sp.csr_matrix:
        blocks = self._blocks([text for side in sides for text in side])
        if len(sides) == 1:
            return sp.csr_matrix(sp.hstack(blocks, format="csr"))
        n = len(sides[0])
        parts = [part for block in blocks for part in _pair_features(block[:n], block[n:])]
        return sp.csr_matrix(sp.hstack(parts, format="csr"))

    def _blocks(self, texts: list[str]) -> list[sp.csr_matrix]:
        fitted = self.__dict__.pop("_fitted", None)
        if fitted is not None and fitted[0] == texts:  # training texts were transformed when fitting
            return list(fitted[1])
        return [vectorizer.transform(texts) for vectorizer in self.vectorizers_]

    def _state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        vocabularies = [vectorizer.get_feature_names_out().tolist() for vectorizer in self.vectorizers_]
        idf = {f"idf_{number}": vectorizer.idf_ for number, vectorizer in enumerate(self.vectorizers_)}
        return {"vocabularies": vocabularies}, {"coef": self.coef_, "intercept": self.intercept_, **idf}

    def _restore(self, values: dict[str, Any], arrays: dict[str, np.ndarray], folder: Path) -> None:  # noqa: ARG002
        made = [_words(tuple(self.word_ngrams))]
        if self.char_ngrams is not None:
            made.append(_characters(tuple(self.char_ngrams), self.min_char_count))
        self.vectorizers_ = made[: len(values["vocabularies"])]
        for number, vocabulary in enumerate(values["vocabularies"]):
            vectorizer = self.vectorizers_[number]
            vectorizer.vocabulary = {term: place for place, term in enumerate(vocabulary)}
            vectorizer.idf_ = arrays[f"idf_{number}"]
        self.coef_, self.intercept_ = arrays["coef"], arrays["intercept"]


def _words(ngrams: tuple[int, ...], min_count: int = 1) -> TfidfVectorizer:
    return TfidfVectorizer(ngram_range=ngrams, sublinear_tf=True, min_df=min_count, token_pattern=WORD)


def _characters(ngrams: tuple[int, ...], min_count: int) -> TfidfVectorizer:
    return TfidfVectorizer(analyzer="char_wb", ngram_range=ngrams, sublinear_tf=True, min_df=min_count)


def _pair_features(left: sp.csr_matrix, right: sp.csr_matrix) -> list[sp.csr_matrix]:
    shared = left.multiply(right).tocsr()
    cosine = sp.csr_matrix(np.asarray(shared.sum(axis=1)).reshape(-1, 1))
    return [left, right, shared, abs(left - right), cosine]
