"""Sentences of a text, for baselines that answer with one."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?؟۔।。！？])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")


def split_sentences(text: str) -> list[str]:
    """Cut a text after full stops, question marks and exclamation marks of many scripts that a space follows.

    >>> split_sentences("It was 3.5 m. Was it? Yes")
    ['It was 3.5 m.', 'Was it?', 'Yes']
    """
    return [sentence.strip() for sentence in _END.split(text) if sentence.strip()]


def count_shared_words(first: str, second: str) -> int:
    """Count the different words of the first text that are in the second, whatever the case."""
    return len(set(first.casefold().split()) & set(second.casefold().split()))
