"""Pieces of words and links: tokenizing cuts at apostrophes and points, and the rest is not a word."""

from __future__ import annotations

from typing import Final

# Pieces that an apostrophe leaves, and where they come from.
APOSTROPHE_PIECES: Final = {
    "t": "don't",
    "s": "it's",
    "d": "I'd",
    "m": "I'm",
    "ll": "we'll",
    "re": "you're",
    "ve": "I've",
    "don": "don't",
    **{f"{verb}n": f"{verb}n't" for verb in "did does is was are were has had have would could should".split()},
}
LINK_PIECES: Final = frozenset({"http", "https", "www", "co"})


def is_fragment(token: str, *, is_english: bool = True) -> bool:
    """Return whether a token is a piece of a word or of a link; the pieces of one contraction together are a word.

    Only English contractions are known.

    >>> [is_fragment(token) for token in ("t", "don t", "https t", "t co", "not", "it s", "www")]
    [True, False, True, True, False, False, True]
    """
    words = token.lower().split()
    if any(word in LINK_PIECES for word in words):
        return True
    return is_english and len(words) == 1 and words[0] in APOSTROPHE_PIECES
