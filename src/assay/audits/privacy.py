"""Withhold the text of items from evidence, by the marks of its fields."""

from __future__ import annotations

from typing import TypeVar

from assay.base.marks import WITHHELD, rewrite_text
from assay.information.cues.word_kinds import is_function_word

T = TypeVar("T")


def withhold_text(value: T) -> T:
    """Return a result without any text of items; of single words only function words stay.

    >>> from assay.features.profiling import WordCount
    >>> withhold_text(WordCount("not", 3)).word, withhold_text(WordCount("excellent", 3)).word
    ('not', '(withheld)')
    """
    return rewrite_text(value, _withhold)


def _withhold(text: str, mark: str) -> str:
    if mark == "text" or (mark == "word" and not is_function_word(text)):
        return WITHHELD
    return text
