"""What sub-datasets are cut by: one number per text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.base.registry import Registry
from assay.features import Part
from assay.features.basic_words import basic_word_list

TEXT_VALUES: Registry[Callable[[Part], Array]] = Registry("feature of a text")


@TEXT_VALUES.add("length")
def measure_length(part: Part) -> Array:
    """Return the number of words of each text."""
    return part.corpus.lengths.astype(np.float64)


@TEXT_VALUES.add("reading_ease")
def measure_reading_ease(part: Part) -> Array:
    """Return the Flesch reading ease of each text; 0 without words."""
    return np.nan_to_num(part.flesch)


@TEXT_VALUES.add("type_token_ratio")
def measure_type_token_ratio(part: Part) -> Array:
    """Return different words / words of each text."""
    from assay.features._kernels import distinct_words

    distinct = distinct_words(part.corpus.offsets, part.corpus.ids, len(part.corpus.vocabulary))
    return np.asarray(distinct / np.maximum(part.corpus.lengths, 1))


@TEXT_VALUES.add("basic_words")
def measure_basic_words(part: Part) -> Array:
    """Return the share of basic English words in each text."""
    known = basic_word_list()
    return _average_over_words(part, np.array([word in known for word in part.corpus.vocabulary], dtype=np.float64))


@TEXT_VALUES.add("word_frequency")
def measure_word_frequency(part: Part) -> Array:
    """Return the mean logarithm of how often each text's words occur in the data."""
    return _average_over_words(part, np.log(np.maximum(part.corpus.frequencies(), 1)))


@TEXT_VALUES.add("word_length")
def measure_word_length(part: Part) -> Array:
    """Return the mean number of letters per word of each text."""
    return _average_over_words(part, np.array([len(word) for word in part.corpus.vocabulary], dtype=np.float64))


def _average_over_words(part: Part, values: Array) -> Array:
    offsets = part.corpus.offsets
    running = np.concatenate([[0.0], np.cumsum(values[part.corpus.ids])])
    sums = running[offsets[1:]] - running[offsets[:-1]]
    return np.asarray(np.round(sums / np.maximum(part.corpus.lengths, 1), 9))
