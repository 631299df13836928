"""Syllables of English words, by rule."""

from __future__ import annotations

import re
import unicodedata

# What an apostrophe leaves behind: it's, don't, we'll, they're, I've, he'd, I'm.
FRAGMENTS = frozenset("s t ll re ve d m".split())

_VOWELS = re.compile(r"[aeiouy]+")
# Two syllables in one run of vowels: radio, video, usual, being, idea.
_HIATUS = re.compile(r"(?<![tscglx])i[aou]|eo(?!u|p)|ua(?!r)|[aeo]ing$|(?<=[aeiouy][^aeiouy])ea$")
_SILENT = re.compile(r"(?<![aeiouy])(?:(?<!l)e|(?<=[aeiouy]l)e|(?<![tdaeiouy])ed|(?<![sxzcgaeiouy])(?<!ch)(?<!sh)es)$")


def syllables(word: str) -> int:
    """Count the syllables of a lower-cased word, at least one.

    >>> [syllables(word) for word in "cat table serious nation wanted jumped boxes makes".split()]
    [1, 2, 3, 2, 2, 1, 2, 1]
    """
    if not word.isascii():
        word = unicodedata.normalize("NFD", word)
    runs = len(_VOWELS.findall(word))
    if runs < 2:
        return max(1, runs + len(_HIATUS.findall(word)))
    return max(1, runs + len(_HIATUS.findall(word)) - bool(_SILENT.search(word)))
