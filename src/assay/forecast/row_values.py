"""What sub-datasets are cut by: one number a text."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.base.registry import Registry
from assay.features import Part
from assay.features.basic_words import basic_word_list

Values = NDArray[np.float64]


def length(part: Part) -> Values:
    """Return the words of each text."""
    return part.corpus.lengths.astype(np.float64)


def reading_ease(part: Part) -> Values:
    """Return Flesch's score of each text; one without words counts as 0."""
    return np.nan_to_num(part.flesch)


def type_token_ratio(part: Part) -> Values:
    """Return different words / words of each text."""
    from assay.features._kernels import distinct_words

    distinct = distinct_words(part.corpus.offsets, part.corpus.ids, len(part.corpus.vocabulary))
    return np.asarray(distinct / np.maximum(part.corpus.lengths, 1))


def basic_words(part: Part) -> Values:
    """Return the share of basic English words in each text."""
    known = basic_word_list()
    return _mean_over_words(part, np.array([word in known for word in part.corpus.vocabulary], dtype=np.float64))


def word_frequency(part: Part) -> Values:
    """Return the mean logarithm of how often each text's words occur in the data."""
    return _mean_over_words(part, np.log(np.maximum(part.corpus.frequencies(), 1)))


def word_length(part: Part) -> Values:
    """Return the mean letters of a word in each text."""
    return _mean_over_words(part, np.array([len(word) for word in part.corpus.vocabulary], dtype=np.float64))


def _mean_over_words(part: Part, values: Values) -> Values:
    offsets = part.corpus.offsets
    running = np.concatenate([[0.0], np.cumsum(values[part.corpus.ids])])
    sums = running[offsets[1:]] - running[offsets[:-1]]
    return np.asarray(np.round(sums / np.maximum(part.corpus.lengths, 1), 9))


ROW_VALUES: Registry[Callable[[Part], Values]] = Registry(
    "feature of a text",
    {
        value.__name__: value
        for value in (length, reading_ease, type_token_ratio, basic_words, word_frequency, word_length)
    },
)
