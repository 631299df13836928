"""Basic English words: the share of words everybody knows."""

from __future__ import annotations

from functools import cache
from importlib import resources

from assay.features.english import english_only
from assay.features.estimate import Estimate, undefined
from assay.features.part import Part


@english_only
def basic_words(part: Part) -> Estimate:
    """Return the share of all words that are among 1,000 basic English ones (paper 000).

    The list is the one of the Simple English Wikipedia, which the paper names.

    >>> basic_words(Part.of(["the water is cold and the serfdom is not", "it is what they have"])).value
    0.857...
    """
    n_tokens = len(part.corpus.ids)
    if not n_tokens:
        return undefined("the texts hold no words")
    n_basic = part.corpus.frequencies() @ part.marked(basic_word_list())
    return Estimate(float(n_basic / n_tokens), n=n_tokens)


@cache
def basic_word_list() -> frozenset[str]:
    """Read the list that ships with the package, lower-cased."""
    text = resources.files("assay.features").joinpath("basic_words.txt").read_text(encoding="utf-8")
    return frozenset(text.lower().split())
