"""Characters, sentences and punctuation are counted as Python would."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import character_counts, punctuation_counts, sentence_counts


@given(st.lists(st.text(), max_size=5))
@settings(max_examples=100, deadline=None)
def test_counts_agree_with_python_on_any_text(texts):
    assert character_counts(texts).tolist() == [len(text) for text in texts]
    punctuation = [sum(category(letter)[0] == "P" for letter in text) for text in texts]
    assert punctuation_counts(texts).tolist() == punctuation


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0),
        ("no end", 1),
        ("One. Two! Three?", 3),
        ("Wait... what?!", 2),
        ("It is 3.14 or 2.71.", 1),
        ("?!", 1),
        ("他来了。我走了！", 2),
        ("…and so on. ", 1),
    ],
)
def test_sentences_by_hand(text, n):
    assert sentence_counts([text]).tolist() == [n]
