"""A dataset as numbers: the features of paper 000 for train, test and between them, and quick probes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.features import HEAVY_FEATURES, INTERACTION_FEATURES, PAPER_FEATURES, LabelledTexts, measure_features
from assay.forecast.probes import MOST_WORDS, PROBES, probes
from assay.text import Corpus

LIGHT = [name for name in PAPER_FEATURES if name not in HEAVY_FEATURES]
PAPER = [f"{part}.{name}" for part in ("train", "test") for name in LIGHT]
PAPER += [f"interaction.{name}" for name in INTERACTION_FEATURES if name in LIGHT]
HEAVY_COLUMNS = [f"{part}.grammar_errors" for part in ("train", "test", "interaction")]
OURS = [f"probe.{name}" for name in PROBES]
COLUMNS = PAPER + OURS + HEAVY_COLUMNS
SETS = {"paper": PAPER, "probes": OURS, "light": PAPER + OURS, "all": COLUMNS}


def describe(
    texts: Any,
    labels: Any,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    *,
    sides: Sequence[Any] = (),
    heavy: bool = False,
) -> dict[str, float]:
    """Return every column of the evidence for rows `train` and `test` of some labelled texts; nan where undefined.

    `sides` are both sides of pairs, whose `texts` are the sides joined.
    """
    parts = {"train": _fresh(texts, labels, train), "test": _fresh(texts, labels, test)}
    wanted = [*LIGHT, *(["grammar_errors"] if heavy else [])]
    found = measure_features(parts, wanted).parts
    values = {f"{part}.{name}": value for part, features in found.items() for name, value in features.items()}
    values |= probe_values(texts, labels, train, test, sides)
    return {name: values.get(name, math.nan) for name in COLUMNS}


def probe_values(
    texts: Any, labels: Any, train: NDArray[np.int64], test: NDArray[np.int64], sides: Sequence[Any] = ()
) -> dict[str, float]:
    """Return the columns of the quick looks."""
    rows = np.concatenate([train, test])
    whole = _fresh(texts, labels, rows)
    most = MOST_WORDS * max(1, len(sides))
    first, second = (_shared(whole, kept, most) for kept in np.split(np.arange(len(rows)), [len(train)]))
    common = None if len(sides) < 2 else (shared_words(sides, train), shared_words(sides, test))
    return {f"probe.{name}": value for name, value in probes(first, second, common).items()}


def shared_words(sides: Sequence[Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Jaccard similarity of the words of both sides of some pairs."""
    first, second = (corpus.counts() > 0 for corpus in Corpus.from_sides(*(_gathered(side, rows) for side in sides)))
    both = np.asarray(first.multiply(second).sum(axis=1)).ravel()
    either = np.asarray(first.sum(axis=1)).ravel() + np.asarray(second.sum(axis=1)).ravel() - both
    return np.asarray(both / np.maximum(either, 1))


def _fresh(texts: Any, labels: Any, rows: NDArray[np.int64]) -> LabelledTexts:
    """Return a part with a vocabulary of its own: features walk over it in Python."""
    return LabelledTexts.from_texts(_gathered(texts, rows), _gathered(labels, rows))


def _shared(whole: LabelledTexts, rows: NDArray[np.int64], most: int) -> LabelledTexts:
    """Return the first words of rows under the label names and the vocabulary of the whole."""
    taken = whole.corpus.take(rows)
    within = np.arange(len(taken.ids)) - np.repeat(taken.offsets[:-1], taken.lengths)
    offsets = np.concatenate([[0], np.cumsum(np.minimum(taken.lengths, most))])
    corpus = Corpus(offsets, taken.ids[within < most], taken.vocabulary)
    return LabelledTexts(None, corpus, whole.labels[rows], whole.label_names)


def _gathered(values: Any, rows: NDArray[np.int64]) -> Any:
    return values.gather(rows) if hasattr(values, "gather") else [values[row] for row in rows]
