"""What sub-datasets are cut by: one number a text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.base.registry import Registry
from assay.features import LabelledTexts, count_distinct_words, load_basic_words

Values = NDArray[np.float64]


def length(part: LabelledTexts) -> Values:
    """Return the words of each text."""
    return part.corpus.lengths.astype(np.float64)


def reading_ease(part: LabelledTexts) -> Values:
    """Return Flesch's score of each text; one without words counts as 0."""
    return np.nan_to_num(part.reading_ease)


def type_token_ratio(part: LabelledTexts) -> Values:
    """Return different words / words of each text."""
    return np.asarray(count_distinct_words(part.corpus) / np.maximum(part.corpus.lengths, 1))


def basic_words(part: LabelledTexts) -> Values:
    """Return the share of basic English words in each text."""
    known = load_basic_words()
    return _mean_over_words(part, np.array([word in known for word in part.corpus.vocabulary], dtype=np.float64))


def word_frequency(part: LabelledTexts) -> Values:
    """Return the mean logarithm of how often each text's words occur in the data."""
    return _mean_over_words(part, np.log(np.maximum(part.corpus.frequencies(), 1)))


def word_length(part: LabelledTexts) -> Values:
    """Return the mean letters of a word in each text."""
    return _mean_over_words(part, np.array([len(word) for word in part.corpus.vocabulary], dtype=np.float64))


def _mean_over_words(part: LabelledTexts, values: Values) -> Values:
    offsets = part.corpus.offsets
    running = np.concatenate([[0.0], np.cumsum(values[part.corpus.ids])])
    sums = running[offsets[1:]] - running[offsets[:-1]]
    return np.asarray(np.round(sums / np.maximum(part.corpus.lengths, 1), 9))


ROW_VALUES: Registry[Callable[[LabelledTexts], Values]] = Registry(
    "feature of a text",
    {
        value.__name__: value
        for value in (length, reading_ease, type_token_ratio, basic_words, word_frequency, word_length)
    },
)
