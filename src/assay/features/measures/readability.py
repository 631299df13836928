"""Readability: the Flesch reading ease of English texts (Xiao et al. 2022)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assay.features.english import english_only
from assay.features.labelled_texts import LabelledTexts
from assay.features.registry import FEATURES, FeatureValue, exact_mean, undefined_value
from assay.text import sentence_counts

HARD_BELOW = 60.0
# What an apostrophe leaves behind: it's, don't, we'll, they're, I've, he'd, I'm.
FRAGMENTS = frozenset("s t ll re ve d m".split())

_VOWELS = re.compile(r"[aeiouy]+")
# Two syllables in one run of vowels: radio, video, usual, being, idea.
_HIATUS = re.compile(r"(?<![tscglx])i[aou]|eo(?!u|p)|ua(?!r)|[aeo]ing$|(?<=[aeiouy][^aeiouy])ea$")
_SILENT = re.compile(r"(?<![aeiouy])(?:(?<!l)e|(?<=[aeiouy]l)e|(?<![tdaeiouy])ed|(?<![sxzcgaeiouy])(?<!ch)(?<!sh)es)$")


@FEATURES.add("flesch")
@english_only
def flesch(data: LabelledTexts) -> FeatureValue:
    """Return the mean Flesch reading ease of the texts; texts without words are left out.

    >>> round(flesch(LabelledTexts.from_texts(["The cat sat on the mat.", "What is it? It is the sea."])).value, 3)
    117.414
    """
    scores = data.reading_ease[~np.isnan(data.reading_ease)]
    return (
        FeatureValue(exact_mean(scores), n=len(scores)) if len(scores) else undefined_value("the texts have no words")
    )


@FEATURES.add("flesch_hard")
@english_only
def flesch_hard(data: LabelledTexts) -> FeatureValue:
    """Return the share of texts whose Flesch reading ease is below 60; texts without words are left out."""
    scores = data.reading_ease[~np.isnan(data.reading_ease)]
    if not len(scores):
        return undefined_value("the texts have no words")
    return FeatureValue(float((scores < HARD_BELOW).mean()), n=len(scores))


def score_reading_ease(data: LabelledTexts) -> NDArray[np.float64]:
    """Score every text: 206.835 − 1.015 words/sentences − 84.6 syllables/words; nan without words.

    A part after an apostrophe ("don't" is read as don, t) is not counted as a word.
    """
    from assay.features._kernels import sum_word_values

    corpus = data.corpus
    syllables = np.fromiter(map(count_syllables, corpus.vocabulary), np.int64, len(corpus.vocabulary))
    is_word = 1 - data.flag_words(FRAGMENTS)
    n_words = sum_word_values(corpus.offsets, corpus.ids, is_word)
    n_syllables = sum_word_values(corpus.offsets, corpus.ids, syllables * is_word)
    n_sentences = np.maximum(sentence_counts(data.texts), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = 206.835 - 1.015 * (n_words / n_sentences) - 84.6 * (n_syllables / n_words)
    scores[n_words == 0] = np.nan
    return scores


@lru_cache(maxsize=1 << 18)
def count_syllables(word: str) -> int:
    """Count the syllables of a lower-cased English word by rule, at least one.

    >>> [count_syllables(word) for word in "cat table serious nation wanted jumped boxes makes".split()]
    [1, 2, 3, 2, 2, 1, 2, 1]
    """
    if not word.isascii():
        word = unicodedata.normalize("NFD", word)
    n_runs = len(_VOWELS.findall(word))
    if n_runs < 2:
        return max(1, n_runs + len(_HIATUS.findall(word)))
    return max(1, n_runs + len(_HIATUS.findall(word)) - bool(_SILENT.search(word)))
