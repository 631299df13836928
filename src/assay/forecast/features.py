"""A dataset as numbers: the features of Xiao et al. (2022) for train, test and between them, and quick probes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.base.arrays import Array, Values
from assay.features import (
    HEAVY_FEATURES,
    INTERACTION_FEATURES,
    PAPER_FEATURES,
    LabelledTexts,
    measure_features,
)
from assay.forecast.probes import MAX_WORDS, PROBES, measure_probes
from assay.text import Corpus

LIGHT = [name for name in PAPER_FEATURES if name not in HEAVY_FEATURES]
PAPER = [f"{part}.{name}" for part in ("train", "test") for name in LIGHT]
PAPER += [f"interaction.{name}" for name in INTERACTION_FEATURES if name in LIGHT]
HEAVY_COLUMNS = [f"{part}.grammar_errors" for part in ("train", "test", "interaction")]
PROBE_COLUMNS = [f"probe.{name}" for name in PROBES]
COLUMNS = PAPER + PROBE_COLUMNS + HEAVY_COLUMNS
FEATURE_SETS = {"paper": PAPER, "probes": PROBE_COLUMNS, "light": PAPER + PROBE_COLUMNS, "all": COLUMNS}


def describe_dataset(
    texts: object, labels: object, train: Array, test: Array, *, sides: Sequence[Any] = (), heavy: bool = False
) -> dict[str, float]:
    """Return every column of the evidence for rows `train` and `test` of labelled texts; nan if undefined.

    `sides` are both sides of pairs, whose `texts` are the sides joined.
    """
    parts = {"train": _make_part(texts, labels, train), "test": _make_part(texts, labels, test)}
    names = [*LIGHT, *(["grammar_errors"] if heavy else [])]
    features = measure_features(parts, names).parts
    values = {f"{part}.{name}": feature for part, row in features.items() for name, feature in row.items()}
    values |= describe_by_probes(texts, labels, train, test, sides)
    return {name: values.get(name, math.nan) for name in COLUMNS}


def describe_by_probes(
    texts: object, labels: object, train: Array, test: Array, sides: Sequence[Any] = ()
) -> dict[str, float]:
    """Return the columns of the probes."""
    rows = np.concatenate([train, test])
    whole = _make_part(texts, labels, rows)
    max_words = MAX_WORDS * max(1, len(sides))
    first, second = (_cut_part(whole, kept, max_words) for kept in np.split(np.arange(len(rows)), [len(train)]))
    overlap = None if len(sides) < 2 else (measure_shared_words(sides, train), measure_shared_words(sides, test))
    return {f"probe.{name}": value for name, value in measure_probes(first, second, overlap).items()}


def measure_shared_words(sides: Sequence[Any], rows: Array) -> Array:
    """Return the Jaccard similarity of the words of both sides of some pairs."""
    first, second = (corpus.counts() > 0 for corpus in Corpus.from_sides(*(_take(side, rows) for side in sides)))
    both = np.asarray(first.multiply(second).sum(axis=1)).ravel()
    either = np.asarray(first.sum(axis=1)).ravel() + np.asarray(second.sum(axis=1)).ravel() - both
    return np.asarray(both / np.maximum(either, 1))


def _make_part(texts: Any, labels: Any, rows: Array) -> LabelledTexts:
    """Return a part with a vocabulary of its own, since features walk over the vocabulary in Python."""
    return LabelledTexts.from_texts(_take(texts, rows), _take(labels, rows))


def _cut_part(whole: LabelledTexts, rows: Array, max_words: int) -> LabelledTexts:
    """Return the first words of some rows, with the label names and the vocabulary of the whole."""
    taken = whole.corpus.take(rows)
    positions = np.arange(len(taken.ids)) - np.repeat(taken.offsets[:-1], taken.lengths)
    offsets = np.concatenate([[0], np.cumsum(np.minimum(taken.lengths, max_words))])
    corpus = Corpus(offsets, taken.ids[positions < max_words], taken.vocabulary)
    return LabelledTexts(None, corpus, whole.labels[rows], whole.label_names)


def _take(values: Values, rows: Array) -> Any:
    return values.gather(rows) if hasattr(values, "gather") else [values[row] for row in rows]
