from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from assay.report.characters import cleaned, visible


@given(st.text(st.characters(), max_size=400))
def test_no_control_or_turning_character_is_left(text):
    seen = visible(text, 100_000)
    assert not any(unicodedata.category(mark) in ("Cc", "Cs", "Co") for mark in seen)
    assert not set(seen) & set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c")
    seen.encode()


def test_control_characters_become_symbols_and_long_texts_are_cut():
    assert visible("a\x00\x1b\x7f\u202eb") == "a␀␛␡⟨U+202E⟩b"
    assert len(visible("x" * 1_000_000)) == 300


def test_letters_of_all_scripts_stay():
    assert visible("naïve 漢字 שלום 🙂") == "naïve 漢字 שלום 🙂"


def test_text_inside_lists_and_dicts_is_cleaned_and_numbers_stay():
    assert cleaned({"a\x00": ["\x01", 2, None, 1.5]}) == {"a␀": ["␁", 2, None, 1.5]}
