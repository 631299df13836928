"""What all classifiers share: labels in and out, the development set, prediction, saving."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.hold_out import hold_out_per_class
from assay.models.inputs import Sides, take_rows, to_sides

_KINDS = {1: "texts", 2: "pairs"}


class TextClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn classifier on texts or on pairs of texts.

    `X` is a sequence of strings, or of two-tuples of strings. Without `X_dev`, models that stop early hold out
    `dev_share` of the training items of each class.
    """

    uses_dev = True
    dev_share = 0.125
    random_state = 0

    def fit(self, X: Sequence[Any], y: Sequence[Any], X_dev: Any = None, y_dev: Any = None) -> Self:
        """Learn from texts and labels; models that stop early decide by `X_dev` and `y_dev` when to stop."""
        sides = to_sides(X)
        labels = _check_labels(y, len(sides[0]), type(self).__name__)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self._check_classes(len(labels))
        self.notes_: tuple[str, ...] = ()
        self.n_sides_ = len(sides)
        train, dev = self._split_dev(sides, codes, X_dev, y_dev)
        self._fit(*train, *dev)
        return self

    def predict_proba(self, X: Sequence[Any]) -> Array:
        """Return the probability of each class, in the order of `classes_`."""
        check_is_fitted(self, "classes_")
        sides = to_sides(X)
        if len(sides) != self.n_sides_:
            fact = f"fitted on {_KINDS[self.n_sides_]} and cannot predict {_KINDS[len(sides)]}"
            raise AssayError(fact, place=type(self).__name__)
        return self._probabilities(sides)

    def predict(self, X: Sequence[Any]) -> Array:
        """Return the most probable class; the first in sorted order among equals."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def save(self, folder: str | Path) -> None:
        """Write the fitted model as JSON and arrays; nothing is pickled."""
        from assay.models.storage import save_model

        check_is_fitted(self, "classes_")
        save_model(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model that `save` wrote."""
        from assay.models.storage import load_model

        return load_model(cls, Path(folder))

    def note(self, text: str) -> None:
        """Warn the user once about what was assumed or changed, and keep it in `notes_`."""
        if text not in self.notes_:
            self.notes_ = (*self.notes_, text)
            warnings.warn(text, UserWarning, stacklevel=2)

    @abstractmethod
    def _fit(self, sides: Sides, codes: Array, dev_sides: Sides | None, dev_codes: Array | None) -> None:
        """Learn from texts and the numbers of their classes."""

    @abstractmethod
    def _probabilities(self, sides: Sides) -> Array:
        """Return one row per item and one column per class."""

    @abstractmethod
    def _state(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """Return what was learnt: plain values, and arrays."""

    @abstractmethod
    def _restore(self, values: dict[str, Any], arrays: dict[str, Array], folder: Path) -> None:
        """Take back what `_state` returned."""

    def _save_more(self, folder: Path) -> None:
        """Write files of a model's own next to the arrays."""

    def _check_classes(self, n: int) -> None:
        if len(self.classes_) < 2:
            fact = f"only the class '{self.classes_[0]}' among {n} training items; two classes are needed"
            raise AssayError(fact, place=type(self).__name__)

    def _split_dev(self, sides: Sides, codes: Array, X_dev: Any, y_dev: Any) -> tuple[tuple, tuple]:
        if (X_dev is None) != (y_dev is None):
            raise AssayError("X_dev and y_dev go together: pass both, or neither", place=type(self).__name__)
        if not self.uses_dev:
            return (sides, codes), (None, None)
        if X_dev is not None:
            return (sides, codes), self._code_dev(X_dev, y_dev)
        is_dev = hold_out_per_class(codes, self.dev_share, self.random_state)
        if not is_dev.any():
            return (sides, codes), (None, None)
        rows = (np.flatnonzero(~is_dev), np.flatnonzero(is_dev))
        train, dev = ((take_rows(sides, part), codes[part]) for part in rows)
        return train, dev

    def _code_dev(self, X_dev: Any, y_dev: Any) -> tuple[Sides | None, Array | None]:
        sides, labels = to_sides(X_dev), np.asarray(y_dev)
        known = np.isin(labels, self.classes_)
        if not known.all():
            unknown = join_names(sorted({str(label) for label in labels[~known]}))
            self.note(f"{(~known).sum()} development items have labels absent from training ({unknown}); left out.")
        rows = np.flatnonzero(known)
        if not len(rows):
            return None, None
        return take_rows(sides, rows), np.searchsorted(self.classes_, labels[rows])


def _check_labels(y: Sequence[Any], n: int, name: str) -> Array:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != n:
        raise AssayError(f"{n} texts but labels of shape {labels.shape}; one label per text is needed", place=name)
    if labels.dtype == object:
        missing = [number for number, label in enumerate(labels) if label is None]
        if missing:
            raise AssayError(f"item {missing[0]} has no label", place=name, hint="Leave unlabelled items out.")
        labels = labels.astype(str)
    return labels
