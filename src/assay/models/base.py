"""What all classifiers share: labels in and out, the development set, prediction, saving."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from assay.base.errors import AssayError, join_names
from assay.data.hold_out import hold_out_per_class
from assay.models.inputs import Sides, rows_of, sides_of


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn classifier on texts or on pairs of texts.

    `X` is a sequence of strings, or of two-tuples of strings. Without `X_dev`, models that stop early hold out
    `dev_share` of the training items of each class.
    """

    uses_dev = True
    dev_share = 0.125
    random_state = 0

    def fit(self, X: Sequence[Any], y: Sequence[Any], X_dev: Any = None, y_dev: Any = None) -> Self:
        """Learn from texts and labels; `X_dev` and `y_dev` decide when to stop, where that is asked."""
        sides = sides_of(X)
        labels = _labels(y, len(sides[0]), type(self).__name__)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self._check_classes(len(labels))
        self.notes_: tuple[str, ...] = ()
        self.n_sides_ = len(sides)
        train, dev = self._with_dev(sides, codes, X_dev, y_dev)
        self._fit(*train, *dev)
        return self

    def predict_proba(self, X: Sequence[Any]) -> np.ndarray:
        """Return the probability of each class, in the order of `classes_`."""
        if not hasattr(self, "classes_"):
            raise AssayError(f"{type(self).__name__} is not fitted yet: call fit first.")
        sides = sides_of(X)
        if len(sides) != self.n_sides_:
            kinds = {1: "texts", 2: "pairs"}
            raise AssayError(f"{type(self).__name__} was fitted on {kinds[self.n_sides_]}, not {kinds[len(sides)]}.")
        return self._probabilities(sides)

    def predict(self, X: Sequence[Any]) -> np.ndarray:
        """Return the most probable class; the first in sorted order among equals."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def save(self, folder: str | Path) -> None:
        """Write the fitted model as JSON and arrays; nothing is pickled."""
        from assay.models.storage import save

        save(self, Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read what `save` wrote."""
        from assay.models.storage import load

        return load(cls, Path(folder))

    def note(self, text: str) -> None:
        """Tell the user once what was assumed or changed."""
        if text not in self.notes_:
            self.notes_ = (*self.notes_, text)
            warnings.warn(text, UserWarning, stacklevel=2)

    def _fit(self, sides: Sides, codes: np.ndarray, dev_sides: Sides | None, dev_codes: np.ndarray | None) -> None:
        raise NotImplementedError

    def _probabilities(self, sides: Sides) -> np.ndarray:
        raise NotImplementedError

    def _state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return what was learnt: plain values, and arrays."""
        raise NotImplementedError

    def _restore(self, values: dict[str, Any], arrays: dict[str, np.ndarray], folder: Path) -> None:
        raise NotImplementedError

    def _save_more(self, folder: Path) -> None:
        """Write files of a model's own beside the arrays."""

    def _check_classes(self, n: int) -> None:
        if len(self.classes_) < 2:
            only = f"only the class '{self.classes_[0]}'"
            raise AssayError(f"{type(self).__name__}: {only} among {n} training items; two classes are needed.")

    def _with_dev(self, sides: Sides, codes: np.ndarray, X_dev: Any, y_dev: Any) -> tuple[tuple, tuple]:
        if (X_dev is None) != (y_dev is None):
            raise AssayError(f"{type(self).__name__}: give X_dev and y_dev together, or neither.")
        if not self.uses_dev:
            return (sides, codes), (None, None)
        if X_dev is not None:
            return (sides, codes), self._given_dev(X_dev, y_dev)
        held = hold_out_per_class(codes, self.dev_share, self.random_state)
        if not held.any():
            return (sides, codes), (None, None)
        rows = (np.flatnonzero(~held), np.flatnonzero(held))
        train, dev = ((rows_of(sides, part), codes[part]) for part in rows)
        return train, dev

    def _given_dev(self, X_dev: Any, y_dev: Any) -> tuple[Sides | None, np.ndarray | None]:
        sides, labels = sides_of(X_dev), np.asarray(y_dev)
        known = np.isin(labels, self.classes_)
        if not known.all():
            strange = join_names(sorted({str(label) for label in labels[~known]}))
            self.note(f"{(~known).sum()} development items have labels training never saw ({strange}); left out.")
        rows = np.flatnonzero(known)
        if not len(rows):
            return None, None
        return rows_of(sides, rows), np.searchsorted(self.classes_, labels[rows])


def _labels(y: Sequence[Any], n: int, name: str) -> np.ndarray:
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != n:
        raise AssayError(f"{name}: {n} texts but labels of shape {labels.shape}; one label a text is needed.")
    if labels.dtype == object:
        missing = [number for number, label in enumerate(labels) if label is None]
        if missing:
            raise AssayError(f"{name}: item {missing[0]} has no label; leave unlabelled items out.")
        labels = labels.astype(str)
    return labels
