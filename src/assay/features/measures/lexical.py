"""Features of words: length, basic English words, type-token ratio (Xiao et al. 2022)."""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from assay.features.english import english_only
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, exact_mean, undefined_value
from assay.text import Corpus


@FEATURES.add("average_length")
def average_length(data: LabelledTexts) -> FeatureValue:
    """Return the mean number of words per text.

    >>> average_length(LabelledTexts.from_texts(["one two three", "one"])).value
    2.0
    """
    return FeatureValue(exact_mean(data.corpus.lengths), n=len(data))


@FEATURES.add("basic_words")
@english_only
def basic_words(data: LabelledTexts) -> FeatureValue:
    """Return the share of all words that are among 1,000 basic English words.

    The list is from the Simple English Wikipedia, which the paper names.

    >>> texts = ["the water is cold and the serfdom is not", "it is what they have"]
    >>> basic_words(LabelledTexts.from_texts(texts)).value
    0.857...
    """
    n_tokens = len(data.corpus.ids)
    if not n_tokens:
        return undefined_value("the texts have no words")
    n_basic = data.corpus.frequencies() @ data.flag_words(load_basic_words())
    return FeatureValue(float(n_basic / n_tokens), n=n_tokens)


@FEATURES.add("type_token_ratio")
def type_token_ratio(data: LabelledTexts) -> FeatureValue:
    """Return the mean over texts of distinct words / words; texts without words are left out.

    >>> type_token_ratio(LabelledTexts.from_texts(["a b a a", "a b", ""])).value
    0.75
    """
    lengths = data.corpus.lengths
    has_words = lengths > 0
    if not has_words.any():
        return undefined_value("the texts have no words")
    ratios = count_distinct_words(data.corpus)[has_words] / lengths[has_words]
    return FeatureValue(exact_mean(ratios), n=int(has_words.sum()))


def count_distinct_words(corpus: Corpus) -> NDArray[np.int64]:
    """Count the distinct words of every text.

    >>> count_distinct_words(Corpus.from_texts(["a b a a", ""])).tolist()
    [2, 0]
    """
    from assay.features._kernels import distinct_words

    return np.asarray(distinct_words(corpus.offsets, corpus.ids, len(corpus.vocabulary)))


@cache
def load_basic_words() -> frozenset[str]:
    """Read the list of basic English words that ships with the package, lower-cased."""
    text = resources.files("assay.features.measures").joinpath("basic_words.txt").read_text(encoding="utf-8")
    return frozenset(text.lower().split())
