from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from assay.base.marks import make_text_visible
from assay.views.values import Bin
from assay.wording.characters import make_visible, shorten_names


@given(st.text(st.characters(), max_size=400))
def test_no_control_or_direction_character_is_left(text):
    seen = make_visible(text, 100_000)
    assert not any(unicodedata.category(mark) in ("Cc", "Cs", "Co") for mark in seen)
    assert not set(seen) & set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c")
    seen.encode()


def test_control_characters_become_symbols_and_long_texts_are_cut():
    assert make_visible("a\x00\x1b\x7f\u202eb") == "a␀␛␡⟨U+202E⟩b"
    assert len(make_visible("x" * 1_000_000)) == 300


def test_letters_of_all_scripts_stay():
    assert make_visible("naïve 漢字 שלום 🙂") == "naïve 漢字 שלום 🙂"


def test_text_inside_a_result_is_made_visible_and_numbers_stay():
    bins = (Bin("a\x00", 0.0, 1.0, 2),)
    assert make_text_visible(bins) == (Bin("a␀", 0.0, 1.0, 2),)


@given(st.lists(st.text(st.characters(), max_size=60), max_size=30))
def test_different_names_stay_different_when_shortened(names):
    short = shorten_names(names, 12)
    assert list(short) == list(dict.fromkeys(names))
    assert len(set(short.values())) == len(short)
