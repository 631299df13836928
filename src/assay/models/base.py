"""Base class of classifiers: labels in and out, the development set, prediction, saving."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError, join_names
from assay.base.parameters import Options
from assay.data.hold_out import hold_out_per_class
from assay.models.inputs import Sides, Texts, take_rows, to_sides

if TYPE_CHECKING:
    from sklearn.utils import Tags

_KINDS = {1: "texts", 2: "pairs"}


class TextClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn classifier on texts or on pairs of texts.

    `X` is a sequence of strings, or of two-tuples of strings. Without `X_dev`, models that stop early hold out
    `dev_share` of the training items of each class.
    """

    dev_share = 0.125
    random_state = 0
    notes_: tuple[str, ...]

    def fit(self, X: Texts, y: Values, X_dev: Texts | None = None, y_dev: Values | None = None) -> Self:
        """Learn from texts and labels; models that stop early decide by `X_dev` and `y_dev` when to stop."""
        sides = to_sides(X)
        codes = self._number_classes(read_labels(y, len(sides[0]), type(self).__name__))
        self.n_sides_ = len(sides)
        train, dev = self._split_dev(sides, codes, X_dev, y_dev)
        self._fit(*train, *dev)
        return self

    def predict_proba(self, X: Texts) -> Array:
        """Return the probability of each class, in the order of `classes_`."""
        return self._probabilities(self._read_items(X))

    def predict(self, X: Texts) -> Array:
        """Return the most probable class; the first in sorted order among equals."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that X is texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

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
    def _state(self) -> tuple[Options, dict[str, Array]]:
        """Return what was learnt: plain values, and arrays."""

    @abstractmethod
    def _restore(self, values: Options, arrays: dict[str, Array], folder: Path) -> None:
        """Take back what `_state` returned."""

    def _save_more(self, folder: Path) -> None:
        """Write files of a model's own next to the arrays."""

    def _read_items(self, X: Any) -> Any:
        """Return the items to predict, which must be of the kind that the model was fitted on."""
        check_is_fitted(self, "classes_")
        sides = to_sides(X)
        if len(sides) != self.n_sides_:
            fact = f"fitted on {_KINDS[self.n_sides_]} and cannot predict {_KINDS[len(sides)]}"
            raise AssayError(fact, place=type(self).__name__)
        return sides

    def _number_classes(self, labels: Array) -> Array:
        """Set `classes_` and return the number of the class of each item."""
        classes, codes = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            fact = f"only one class ('{classes[0]}') among {len(labels)} training items; two classes are needed"
            raise AssayError(fact, place=type(self).__name__)
        self.classes_ = classes
        self.notes_ = ()
        return codes

    def _check_dev(self, X_dev: Texts | None, y_dev: Values | None) -> None:
        if (X_dev is None) != (y_dev is None):
            raise AssayError("X_dev and y_dev go together: pass both, or neither", place=type(self).__name__)

    def _split_dev(self, sides: Sides, codes: Array, X_dev: Texts | None, y_dev: Values | None) -> tuple[tuple, tuple]:
        self._check_dev(X_dev, y_dev)
        if X_dev is not None:
            return (sides, codes), self._code_dev(X_dev, y_dev)
        is_dev = hold_out_per_class(codes, self.dev_share, self.random_state)
        if not is_dev.any():
            return (sides, codes), (None, None)
        rows = (np.flatnonzero(~is_dev), np.flatnonzero(is_dev))
        train, dev = ((take_rows(sides, part), codes[part]) for part in rows)
        return train, dev

    def _code_dev(self, X_dev: Texts, y_dev: Values | None) -> tuple[Sides | None, Array | None]:
        sides, labels = to_sides(X_dev), np.asarray(y_dev)
        known = np.isin(labels, self.classes_)
        if not known.all():
            unknown = join_names(sorted({str(label) for label in labels[~known]}))
            self.note(f"{(~known).sum()} development items have labels absent from training ({unknown}); left out.")
        rows = np.flatnonzero(known)
        if not len(rows):
            return None, None
        return take_rows(sides, rows), np.searchsorted(self.classes_, labels[rows])


def read_labels(y: Values, n: int, name: str) -> Array:
    """Return the labels as an array, one per item; labels that are objects become strings."""
    labels = np.asarray(y)
    if labels.ndim != 1 or len(labels) != n:
        raise AssayError(f"{n} items but labels of shape {labels.shape}; one label per item is needed", place=name)
    if labels.dtype == object:
        missing = [number for number, label in enumerate(labels) if label is None]
        if missing:
            raise AssayError(f"item {missing[0]} has no label", place=name, hint="Leave unlabelled items out.")
        labels = labels.astype(str)
    return labels
