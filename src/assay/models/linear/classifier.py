"""Logistic regression on words and character n-grams: the default classifier, which needs no extra."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from assay.base.arrays import Array, Matrix, Values
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.models.base import TextClassifier, read_labels
from assay.models.counted_texts import CountedSides, CountedTexts
from assay.models.inputs import Sides, Texts, is_matrix, join_sides, read_weights, to_sides
from assay.models.linear.logistic import fit_logistic
from assay.models.linear.tfidf import Terms, weigh_items
from assay.models.registry import MODELS

if TYPE_CHECKING:
    from sklearn.utils import Tags

WORDS, CHARACTERS = "words", "characters"
_DEFAULT_C = (1.0, 5.0, 1.0)  # on a matrix, on texts, on pairs
_FEATURE_ATTRIBUTES = ("n_features_in_", "feature_names_in_")


@MODELS.add("linear")
class LinearClassifier(TextClassifier):
    """TF-IDF of word and character n-grams, logistic regression.

    On pairs the two sides, their shared n-grams (product of the TF-IDF values) and their differing n-grams (absolute
    difference) are features of their own, and so is the cosine of the sides. C defaults to 5 on texts and, with so
    many more features, to 1 on pairs. N-grams of `CountedTexts` are counted once for all models fitted on them.
    A matrix of numbers, dense or sparse, is used as it is: logistic regression on its columns, with C = 1.

    >>> model = LinearClassifier().fit(["good film", "good fun", "bad film", "bad plot"], [1, 1, 0, 0])
    >>> model.predict(["good plot", "bad fun"]).tolist()
    [1, 0]
    """

    def __init__(
        self,
        C: float | None = None,
        word_ngrams: tuple[int, int] = (1, 2),
        char_ngrams: tuple[int, int] | None = (2, 4),
        min_char_count: int = 2,
        min_word_count: int = 1,
        class_weight: str | dict[Any, float] | None = None,
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
        """The n-grams of words, and of characters if there are any, in the order of their features."""
        return [terms.vocabulary.spell() for terms in self.terms_]

    def fit(
        self,
        X: Texts | Matrix,
        y: Values,
        X_dev: Texts | None = None,
        y_dev: Values | None = None,
        sample_weight: Values | None = None,
    ) -> Self:
        """Learn from texts, pairs or a matrix, and labels; `X_dev` and `y_dev` are not used.

        `sample_weight` multiplies the loss of each item. Items of weight 0 are left out, as if they were not in X;
        other weights change neither the n-grams nor their document frequencies.
        """
        self._check_dev(X_dev, y_dev)
        items, y = self._read_matrix(X, y) if is_matrix(X) else (self._read_texts(X), y)
        name, n_items = type(self).__name__, _count_items(items)
        labels = read_labels(y, n_items, name)
        weights = None
        if sample_weight is not None:
            weights = read_weights(sample_weight, n_items, name)
            used = np.flatnonzero(weights)
            items = items[used] if sparse.issparse(items) else _count_texts(items).take(used).sides
            labels, weights = labels[used], weights[used]
        self._fit(items, self._number_classes(labels), weights=weights)
        return self

    def decision_function(self, X: object) -> Array:
        """Return the score of each class: the log-odds of the second of two classes, or one column per class."""
        scores = self._score(self._read_items(X))
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that X is texts or a matrix, dense or sparse."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = tags.input_tags.sparse = True
        return tags

    def _read_texts(self, X: Texts | Matrix) -> Sides:
        sides = to_sides(X)
        self.n_sides_ = len(sides)
        for name in _FEATURE_ATTRIBUTES:
            self.__dict__.pop(name, None)
        return sides

    def _read_matrix(self, X: Texts | Matrix, y: Values) -> tuple[sparse.csc_array, Array]:
        matrix, labels = validate_data(self, X, y, accept_sparse="csc", dtype=np.float64)
        check_classification_targets(labels)
        self.n_sides_ = 0
        return sparse.csc_array(matrix), labels

    def _read_items(self, X: object) -> Sides | Matrix:
        check_is_fitted(self, "classes_")
        if self.n_sides_:
            return super()._read_items(X)
        return validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)

    def _fit(
        self,
        sides: Values,
        codes: Array,
        dev_sides: object = None,  # noqa: ARG002, no dev
        dev_codes: object = None,  # noqa: ARG002
        weights: Array | None = None,
    ) -> None:
        if self.class_weight is not None:
            weights = self._weigh_classes(codes, weights)[codes] * (1.0 if weights is None else weights)
        fit = fit_logistic(
            self._learn_features(sides),
            codes,
            len(self.classes_),
            C=self.C if self.C is not None else _DEFAULT_C[self.n_sides_],
            item_weights=weights,
            max_iter=self.max_iter,
        )
        if not fit.converged:
            text = f"LinearClassifier: not converged after {fit.n_iterations} iterations (max_iter)."
            warnings.warn(text, ConvergenceWarning, stacklevel=3)
        self.coef_, self.intercept_, self.n_iter_ = fit.weights.T, fit.intercepts, fit.n_iterations

    def _weigh_classes(self, codes: Array, weights: Array | None) -> Array:
        if self.class_weight == "balanced":
            totals = np.bincount(codes, weights)
            return np.asarray(totals.sum() / (len(totals) * totals))
        return np.asarray(compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[codes]))

    def _learn_features(self, items: Sides | Matrix) -> sparse.csc_array:
        if sparse.issparse(items):
            self.terms_: list[Terms] = []
            return items
        texts = _count_texts(items)
        self.terms_ = self._choose_terms(texts)
        return weigh_items(self.terms_, texts)

    def _score(self, items: Sides | Matrix) -> Array:
        features = weigh_items(self.terms_, _count_texts(items)) if self.n_sides_ else items
        return np.asarray(features @ self.coef_.T) + self.intercept_

    def _probabilities(self, sides: Values) -> Array:
        scores = self._score(sides)
        if len(self.classes_) == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _choose_terms(self, texts: CountedTexts) -> list[Terms]:
        """Choose the n-grams that are frequent enough; all words alone if no n-gram of a kind is."""
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

    def _state(self) -> tuple[Options, dict[str, Array]]:
        idf = {f"idf_{number}": terms.idf for number, terms in enumerate(self.terms_)}
        names = getattr(self, "feature_names_in_", np.array([])).tolist()
        values = {"vocabularies": self.vocabularies_, "n_iter": self.n_iter_, "feature_names": names}
        return values, {"coef": self.coef_, "intercept": self.intercept_, **idf}

    def _restore(self, values: Options, arrays: dict[str, Array], folder: Path) -> None:
        sizes = [len(strings) for strings in values["vocabularies"]]
        fits = all(arrays[f"idf_{number}"].shape == (size,) for number, size in enumerate(sizes))
        has_words = not self.n_sides_ or (bool(sizes) and all(sizes))
        if not has_words or not fits:  # compiled loops check nothing
            raise AssayError("the saved model is damaged: its vocabulary does not fit its weights.", place=folder)
        kinds = zip((WORDS, CHARACTERS), (self.word_ngrams, self.char_ngrams), values["vocabularies"], strict=False)
        self.terms_ = []
        for number, (unit, ngrams, strings) in enumerate(kinds):
            assert ngrams is not None
            length = max(string.count(" ") + 1 if unit == WORDS else len(string) for string in strings)
            if length > _to_range(ngrams)[1]:
                raise AssayError("the saved model is damaged: its n-grams are too long.", place=folder)
            self.terms_.append(Terms.restore(unit, _to_range(ngrams), strings, arrays[f"idf_{number}"]))
        self.coef_, self.intercept_, self.n_iter_ = arrays["coef"], arrays["intercept"], values["n_iter"]
        if not self.n_sides_:
            self.n_features_in_ = self.coef_.shape[1]
        if values["feature_names"]:
            self.feature_names_in_ = np.array(values["feature_names"], dtype=object)


def _count_texts(sides: Sides | Matrix) -> CountedTexts:
    return sides.texts if isinstance(sides, CountedSides) else CountedTexts(join_sides(tuple(sides)))


def _count_items(items: Sides | sparse.csc_array) -> int:
    return len(items[0]) if isinstance(items, tuple) else int(items.shape[0])


def _to_range(ngrams: Any) -> tuple[int, int]:
    first, last = ngrams
    return int(first), int(last)
