"""Logistic regression on words and character n-grams: the default classifier, which needs no extra."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.models.base import TextClassifier
from assay.models.counted_texts import CountedSides, CountedTexts
from assay.models.inputs import Sides, join_sides
from assay.models.linear.logistic import fit_logistic
from assay.models.linear.tfidf import Terms, weigh_items
from assay.models.registry import MODELS

WORDS, CHARACTERS = "words", "characters"


@MODELS.add("linear")
class LinearClassifier(TextClassifier):
    """TF-IDF of word and character n-grams, logistic regression.

    On pairs the two sides, their shared n-grams (product of the TF-IDF values) and their differing n-grams (absolute
    difference) are features of their own, and so is the cosine of the sides. C defaults to 5 on texts and, with so
    many more features, to 1 on pairs. N-grams of `CountedTexts` are counted once for all models fitted on them.

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

    @property
    def vocabularies_(self) -> list[list[str]]:
        """The n-grams of words, and of characters where there are any, in the order of their features."""
        return [terms.vocabulary.spell() for terms in self.terms_]

    def _fit(self, sides: Sides, codes: Array, dev_sides: Any, dev_codes: Any) -> None:  # noqa: ARG002, no dev
        texts = _count_texts(sides)
        self.terms_ = self._choose_terms(texts)
        n_classes = len(self.classes_)
        class_weights = compute_class_weight(self.class_weight, classes=np.arange(n_classes), y=codes)
        fit = fit_logistic(
            weigh_items(self.terms_, texts),
            codes,
            n_classes,
            C=self.C if self.C is not None else (5.0, 1.0)[len(sides) - 1],
            item_weights=None if self.class_weight is None else class_weights[codes],
            max_iter=self.max_iter,
        )
        if not fit.converged:
            text = f"LinearClassifier: not converged after {fit.n_iterations} iterations (max_iter)."
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
        self.coef_, self.intercept_ = fit.weights.T, fit.intercepts

    def _probabilities(self, sides: Sides) -> Array:
        scores = np.asarray(weigh_items(self.terms_, _count_texts(sides)) @ self.coef_.T) + self.intercept_
        if len(self.classes_) == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _choose_terms(self, texts: CountedTexts) -> list[Terms]:
        """Choose the n-grams that are frequent enough; all words alone where none of a kind is."""
        kinds = [(WORDS, self.word_ngrams, self.min_word_count)]
        if self.char_ngrams is not None:
            kinds.append((CHARACTERS, self.char_ngrams, self.min_char_count))
        terms = [Terms.choose(texts, unit, _to_range(ngrams), min_count) for unit, ngrams, min_count in kinds]
        if all(map(len, terms)):
            return terms
        terms = [Terms.choose(texts, WORDS, _to_range(self.word_ngrams), 1)]
        if not len(terms[0]):
            n_texts = len(texts) * len(texts.side_rows)
            raise AssayError(f"none of {n_texts} training texts contains a word.", place="LinearClassifier")
        return terms

    def _state(self) -> tuple[dict[str, Any], dict[str, Array]]:
        idf = {f"idf_{number}": terms.idf for number, terms in enumerate(self.terms_)}
        return {"vocabularies": self.vocabularies_}, {"coef": self.coef_, "intercept": self.intercept_, **idf}

    def _restore(self, values: dict[str, Any], arrays: dict[str, Array], folder: Path) -> None:
        sizes = [len(strings) for strings in values["vocabularies"]]
        fits = all(arrays[f"idf_{number}"].shape == (size,) for number, size in enumerate(sizes))
        if not sizes or not all(sizes) or not fits:  # compiled loops check nothing
            raise AssayError("the saved model is damaged: its vocabulary does not fit its weights.", place=folder)
        kinds = zip((WORDS, CHARACTERS), (self.word_ngrams, self.char_ngrams), values["vocabularies"], strict=False)
        self.terms_ = [
            Terms.restore(unit, _to_range(ngrams), strings, arrays[f"idf_{number}"])
            for number, (unit, ngrams, strings) in enumerate(kinds)
        ]
        self.coef_, self.intercept_ = arrays["coef"], arrays["intercept"]


def _count_texts(sides: Sides) -> CountedTexts:
    return sides.texts if isinstance(sides, CountedSides) else CountedTexts(join_sides(sides))


def _to_range(ngrams: Any) -> tuple[int, int]:
    first, last = ngrams
    return int(first), int(last)
