"""Texts to train on."""

from __future__ import annotations

import pytest

WORDS = "good bad fun dull film plot cast music scene story a the and so very".split()


@pytest.fixture(scope="session")
def texts() -> tuple[list[str], list[str]]:
    """Eighty short texts; 'good' and 'fun' mean pos, 'bad' and 'dull' neg."""
    rows = []
    for number in range(80):
        word = WORDS[number % 4]
        rest = [WORDS[4 + (number * step) % 11] for step in range(1, 2 + number % 5)]
        rows.append((" ".join([*rest, word]), "pos" if word in ("good", "fun") else "neg"))
    return [text for text, _ in rows], [label for _, label in rows]
