"""Withhold the text of items from evidence, by the marks of its fields."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from assay.base.marks import WITHHELD, rewrite_text
from assay.information.cues.word_kinds import is_function_word
from assay.responses import ResponseAudit

T = TypeVar("T")


def withhold_text(value: T) -> T:
    """Return a result without any text of items; of single words only function words stay.

    >>> from assay.features.profiling.label_words import WordCount
    >>> withhold_text(WordCount("not", 3)).word, withhold_text(WordCount("excellent", 3)).word
    ('not', '(withheld)')
    """
    rewritten = rewrite_text(value, _withhold)
    evidence = getattr(rewritten, "evidence", None)
    if isinstance(evidence, ResponseAudit):  # its responses are not part of the JSON, so they are not rewritten
        return dataclasses.replace(rewritten, evidence=evidence.withhold_text())  # type: ignore[type-var]
    return rewritten


def _withhold(text: str, mark: str) -> str:
    if mark == "text" or (mark == "word" and not is_function_word(text)):
        return WITHHELD
    return text
