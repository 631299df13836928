"""Do train and test differ in length or in labels more than chance would have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.data import Dataset
from assay.features import drift as measures
from assay.text import Corpus


def compared_parts(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the part to learn from and the part to be asked on: train and test; dev stands in for a missing one.

    >>> compared_parts(["dev", "test", "train"]), compared_parts(["dev", "train"]), compared_parts(["dev", "test"])
    (('train', 'test'), ('train', 'dev'), ('dev', 'test'))
    >>> compared_parts(["test"])
    """
    learnt = next((name for name in ("train", "dev") if name in names), None)
    asked = next((name for name in ("test", "dev") if name in names and name != learnt), None)
    return None if learnt is None or asked is None else (learnt, asked)


def sides(data: Dataset) -> tuple[Array, Array] | None:
    """Return the rows of train and of test, or of what stands in for them, or None."""
    names = compared_parts(data.part_names)
    if names is None or data.parts is None:
        return None
    parts = data.parts.to_numpy()
    return np.flatnonzero(parts == names[0]), np.flatnonzero(parts == names[1])


def length_drift(data: Dataset) -> dict[str, Any] | None:
    """Return P(a test text is longer than a training text), with the interval and p of Mann and Whitney's test."""
    found, names = sides(data), compared_parts(data.part_names)
    if found is None or names is None:
        return None
    corpus = Corpus.from_texts(data.texts)
    drift = measures.length_drift(corpus.take(found[0]), corpus.take(found[1]), names)
    return None if drift is None else drift.to_dict()


def label_drift(data: Dataset) -> dict[str, Any] | None:
    """Return the total variation distance of the labels of train and test, and p of the chi-square test."""
    found, names = sides(data), compared_parts(data.part_names)
    if found is None or names is None or data.labels is None:
        return None
    train, test = (data.labels.gather(rows).to_list() for rows in found)
    drift = measures.label_drift(train, test, names)
    return None if drift is None else drift.to_dict()
