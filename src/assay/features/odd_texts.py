"""Texts that look broken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.base.results import Result

_PATTERNS = {
    "control_characters": r"[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]",
    "replacement_characters": "\ufffd",
    "markup": r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|nbsp|#\d+);|#\d{2,5};",
    "wrong_encoding": r"Ã[\u{80}-\u{BF}]|â€|[\u{80}-\u{84}\u{86}-\u{9F}]",  # the last are no letters in any language
    "only_a_link": r"^\s*https?://\S+\s*$",
}
_FAR = 10  # a text is very long past this many times the upper quartile


@dataclass(frozen=True)
class OddTexts(Result):
    """How many texts have each oddity, and the ids of a few of them."""

    counts: dict[str, int]
    examples: dict[str, list[str]]


def odd_texts(texts: pl.Series, lengths: np.ndarray, ids: pl.Series, n_examples: int = 5) -> OddTexts:
    """Count empty, wordless, very long and broken texts.

    >>> odd_texts(pl.Series(["fine", "", "<b>bold</b>"]), np.array([1, 0, 3]), pl.Series(["a", "b", "c"])).examples
    {'empty': ['b'], 'markup': ['c']}
    """
    empty = (texts.str.strip_chars() == "").to_numpy()
    very_long = _FAR * max(float(np.quantile(lengths, 0.75)), 1.0) if len(lengths) else 0.0
    marks = {"empty": empty, "no_words": (lengths == 0) & ~empty, "very_long": lengths > very_long}
    marks |= {name: texts.str.contains(pattern).to_numpy() for name, pattern in _PATTERNS.items()}
    found = {name: np.flatnonzero(mark) for name, mark in marks.items() if mark.any()}
    return OddTexts(
        {name: len(rows) for name, rows in found.items()},
        {name: ids.gather(rows[:n_examples]).to_list() for name, rows in found.items()},
    )
