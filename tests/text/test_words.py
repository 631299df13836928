"""The scanner finds the words that the regular expression finds."""

from __future__ import annotations

import random
import re
import unicodedata

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text import Corpus
from assay.text.characters import UNSPACED
from assay.text.tokenizers import TOKENIZERS

UNSPACED_CHARACTERS = re.compile("[" + "".join(f"{chr(a)}-{chr(b)}" for _, a, b in UNSPACED) + "]")


def spelled(texts, tokenizer="words"):
    corpus = Corpus.from_texts(texts, tokenizer)
    return [corpus[row] for row in range(len(corpus))]


def random_texts(n, seed=1):
    rng = random.Random(seed)
    ranges = [(32, 126), (160, 0x52F), (0x370, 0x3FF), (0, 0xD7FF), (0xE000, 0x10FFFF)]
    return ["".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(0, 25))) for _ in range(n)]


@pytest.mark.parametrize("name", ["words", "cased-words"])
def test_the_scanner_agrees_with_the_python_tokenizer_on_random_texts(name):
    texts = random_texts(20_000)
    assert spelled(texts, name) == [TOKENIZERS[name](text) for text in texts]


def cut_by_hand(text):
    """Cut a text at what is neither letter, digit, underscore nor combining mark; a word does not begin with a mark."""
    words, current = [], ""
    for character in text.lower():
        is_mark = unicodedata.category(character)[0] == "M"
        if character.isalnum() or character == "_" or (is_mark and current):
            current += character
        elif not is_mark:
            words.append(current)
            current = ""
    return [word for word in [*words, current] if word]


def test_words_are_runs_of_letters_digits_and_marks_in_scripts_with_spaces():
    texts = [UNSPACED_CHARACTERS.sub("", text) for text in random_texts(20_000, seed=2)]
    assert spelled(texts) == [cut_by_hand(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("हिन्दी में समीक्षा छोटी है", ["हिन्दी", "में", "समीक्षा", "छोटी", "है"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("עִבְרִית", ["עִבְרִית"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
        ("Cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("I \u2764\ufe0f it", ["i", "it"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("か\u3099く", ["か\u3099", "く"]),
    ],
    ids=["Hindi", "Tamil", "Hebrew", "Arabic", "decomposed accent", "emoji", "Thai", "Japanese"],
)
def test_combining_marks_stay_with_their_letter(text, words):
    assert spelled([text]) == [words]
    assert TOKENIZERS["words"](text) == words


@given(st.lists(st.text(st.characters(exclude_categories=[])), max_size=5))
@settings(max_examples=200, deadline=None)
def test_any_python_string_is_scanned_even_half_a_surrogate_pair(texts):
    assert spelled(texts) == [TOKENIZERS["words"](text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ. ΑΣ\u0301Α",  # sigma at the end of words
        "İstanbul İİ aİ",  # lower case of two characters
        "Ǆ ǅ ǈ K Å Ⱥ Ⱦ ẞ",  # titlecase digraphs, Kelvin and Ångström signs, letters whose lower case is longer
        "cafe\u0301 na\u0308ive हिन्दी",  # combining marks
        "a_b __ 1st ² ½ Ⅷ ⓐ 𝐀𝟘 ª",
        "\x00\x1c\x85\u2028\ufeff",
        "x" * 5000 + "É" * 5000 + " y",
    ],
)
def test_unusual_letters_are_lower_cased_as_in_python(text):
    assert spelled([text]) == [cut_by_hand(text)]


def test_scripts_without_spaces_are_cut_into_characters():
    assert spelled(["日本語のテキスト abc漢字9", "ภาษาไทย", "한국어 단어"]) == [
        [*"日本語のテキスト", "abc", "漢", "字", "9"],
        list("ภาษาไทย"),
        ["한국어", "단어"],
    ]


def test_invalid_utf8_is_read_within_its_text():
    data = b"ab\xf0\x9f" + b"c\xe2\x82" + b"\x80d\xff\xfee"
    broken = pa.LargeStringArray.from_buffers(3, pa.py_buffer(np.array([0, 4, 7, 12])), pa.py_buffer(data))
    assert spelled(broken) == [["ab"], ["c"], ["d", "e"]]


@pytest.mark.parametrize("size", [1, 50, 1 << 20])
def test_words_are_numbered_by_first_occurrence_whatever_the_blocks(monkeypatch, size):
    from assay.text import tokenization
    from assay.text.columns import cut_blocks, to_column

    texts = [f"w{i * 7 % 101} W{i % 13} λ{i % 5}" for i in range(500)]
    monkeypatch.setattr(tokenization, "cut_texts", lambda column: cut_blocks(to_column(column), size))
    expected = dict.fromkeys(word for text in texts for word in text.lower().split())
    assert Corpus.from_texts(texts).vocabulary == list(expected)


def test_a_long_column_is_read_in_slices(monkeypatch):
    texts = pl.Series([f"w{i * 7 % 101} W{i % 13}" if i % 9 else None for i in range(500)])
    expected = Corpus.from_texts(texts)
    monkeypatch.setattr("assay.text.columns.SLICE_ROWS", 33)
    sliced = Corpus.from_texts(texts)
    assert sliced.vocabulary == expected.vocabulary
    np.testing.assert_array_equal(sliced.ids, expected.ids)
    np.testing.assert_array_equal(sliced.offsets, expected.offsets)


def test_a_large_vocabulary_grows_the_table():
    texts = [" ".join(f"word{i}" for i in range(start, start + 1000)) for start in range(0, 100_000, 1000)]
    corpus = Corpus.from_texts(texts)
    assert len(corpus.vocabulary) == 100_000
    np.testing.assert_array_equal(corpus.ids, np.arange(100_000))
