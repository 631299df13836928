"""What sub-datasets are cut by: one number per text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.features import LabelledTexts, count_distinct_words, load_basic_words

TEXT_VALUES: Registry[Callable[[LabelledTexts], Array]] = Registry("feature of a text")


@TEXT_VALUES.add("length")
def measure_length(part: LabelledTexts) -> Array:
    """Return the number of words of each text."""
    return part.corpus.lengths.astype(np.float64)


@TEXT_VALUES.add("reading_ease")
def measure_reading_ease(part: LabelledTexts) -> Array:
    """Return the Flesch reading ease of each text; 0 without words."""
    return np.nan_to_num(part.reading_ease)


@TEXT_VALUES.add("type_token_ratio")
def measure_type_token_ratio(part: LabelledTexts) -> Array:
    """Return different words / words of each text."""
    return np.asarray(count_distinct_words(part.corpus) / np.maximum(part.corpus.lengths, 1))


@TEXT_VALUES.add("basic_words")
def measure_basic_words(part: LabelledTexts) -> Array:
    """Return the share of basic English words in each text."""
    known = load_basic_words()
    return _average_over_words(part, np.array([word in known for word in part.corpus.vocabulary], dtype=np.float64))


@TEXT_VALUES.add("word_frequency")
def measure_word_frequency(part: LabelledTexts) -> Array:
    """Return the mean logarithm of how often each text's words occur in the data."""
    return _average_over_words(part, np.log(np.maximum(part.corpus.frequencies(), 1)))


@TEXT_VALUES.add("word_length")
def measure_word_length(part: LabelledTexts) -> Array:
    """Return the mean number of letters per word of each text."""
    return _average_over_words(part, np.array([len(word) for word in part.corpus.vocabulary], dtype=np.float64))


def _average_over_words(part: LabelledTexts, values: Array) -> Array:
    offsets = part.corpus.offsets
    running = np.concatenate([[0.0], np.cumsum(values[part.corpus.ids])])
    sums = running[offsets[1:]] - running[offsets[:-1]]
    return np.asarray(np.round(sums / np.maximum(part.corpus.lengths, 1), 9))
