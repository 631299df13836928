"""Texts that look broken."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.marks import NAME, OWN
from assay.views.results import Result
from assay.views.values import ItemCount

_PATTERNS = {
    "control_characters": r"[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]",
    "replacement_characters": "\ufffd",
    "markup": r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>",
    "escaped_characters": r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#[xX][0-9A-Fa-f]+);|#\d{2,5};",
    "wrong_encoding": r"Ã[\u{80}-\u{BF}]|â€|[\u{80}-\u{84}\u{86}-\u{9F}]",  # the last are not letters in any language
    "only_a_link": r"^\s*https?://\S+\s*$",
}
ODD_NAMES = ("empty", "no_words", "very_long", *_PATTERNS)
VERY_LONG_FACTOR = 10  # a text is very long beyond this many times the upper quartile


@dataclass(frozen=True)
class OddTexts(Result):
    """How many texts have each oddity, and the ids of a few of them."""

    counts: dict[str, int] = field(metadata=OWN)
    examples: dict[str, tuple[str, ...]] = field(metadata=NAME)

    def count_items(self, n: int) -> dict[str, ItemCount]:
        """Return the texts of each oddity, of n items."""
        return {name: ItemCount(count, n, self.examples[name]) for name, count in self.counts.items()}


def find_odd_texts(texts: pl.Series, lengths: np.ndarray, ids: pl.Series, n_examples: int = 5) -> OddTexts:
    """Count empty, wordless, very long and broken texts; `lengths` are their numbers of words.

    >>> texts, ids = pl.Series(["fine", "", "<b>bold</b>"]), pl.Series(["a", "b", "c"])
    >>> find_odd_texts(texts, np.array([1, 0, 3]), ids).examples
    {'empty': ('b',), 'markup': ('c',)}
    """
    max_length = limit_length(float(np.quantile(lengths, 0.75))) if len(lengths) else 0.0
    flags = flag_odd_texts(texts, lengths, lengths > max_length)
    rows = {name: np.flatnonzero(flag) for name, flag in flags.items() if flag.any()}
    return OddTexts(
        {name: len(odd) for name, odd in rows.items()},
        {name: tuple(ids.gather(odd[:n_examples]).to_list()) for name, odd in rows.items()},
    )


def limit_length(upper_quartile: float) -> float:
    """Return the number of words beyond which a text is very long."""
    return VERY_LONG_FACTOR * max(upper_quartile, 1.0)


def flag_odd_texts(texts: pl.Series, lengths: np.ndarray, very_long: np.ndarray) -> dict[str, np.ndarray]:
    """Tell for every kind of oddity which texts have it."""
    empty = (texts.str.strip_chars() == "").to_numpy()
    flags = {"empty": empty, "no_words": (lengths == 0) & ~empty, "very_long": very_long}
    return flags | {name: texts.str.contains(pattern).to_numpy() for name, pattern in _PATTERNS.items()}
