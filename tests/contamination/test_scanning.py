"""Words are cut as a regular expression cuts them, wherever they lie in a block of the scanner."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from assay.contamination.documents import pack_texts
from assay.contamination.scanning import SEGMENT_BYTES, hash_texts
from assay.text.characters import word_letters

PIECES = [
    "a",
    "The",
    "don't",
    "’tis",
    "o'clock",
    "snake_case",
    "x86_64",
    "Émile",
    "straße",
    "naïve",
    "Ω",
    "_",
    "'",
    "''",
]
GAPS = [" ", "  ", "\n", ", ", ".", "—", "-", "\t", "/", "@", "[", "`", "{", "^"]


def hash_words_of(texts):
    """Return the hashes of the words of each text."""
    words = []
    for block in pack_texts(texts):
        hashes, bounds = hash_texts(*block, word_letters(lower=True))
        words += [hashes[first:last].tolist() for first, last in pairwise(bounds)]
    return words


def cut_words(text):
    """Return the lower-cased words without apostrophes, by regular expression."""
    return re.findall(r"\w+", re.sub("['’]", "", text).lower())


def test_words_match_a_regular_expression():
    rng = np.random.default_rng(0)
    long_words = ["y" * size for size in (7, 8, 9, 15, 16, 17, 63, 64, 65, SEGMENT_BYTES - 1, SEGMENT_BYTES + 1, 5000)]
    pieces = np.array(PIECES + long_words, dtype=object)
    weights = np.array([10.0] * len(PIECES) + [1.0] * len(long_words))
    texts = []
    for size in rng.integers(1, 300, size=200):
        words, gaps = rng.choice(pieces, size, p=weights / weights.sum()), rng.choice(GAPS, size)
        texts.append("".join(word + gap for word, gap in zip(words, gaps, strict=True)).removesuffix(gaps[-1]))
    words, hashes = [cut_words(text) for text in texts], hash_words_of(texts)
    assert [len(each) for each in words] == [len(each) for each in hashes]
    pairs = {pair for one, other in zip(words, hashes, strict=True) for pair in zip(one, other, strict=True)}
    assert len(pairs) == len({word for word, _ in pairs}) == len({number for _, number in pairs})


def test_case_does_not_matter_and_other_bytes_do():
    texts = ["HELLO_9", "hello_9", "hello\x7f9", "hello 9", "HELLO?9"]
    first, same, *others = hash_words_of(texts)
    assert first == same
    assert [len(other) for other in others] == [2, 2, 2]


def test_a_text_may_end_anywhere():
    for size in range(1, 130):
        assert hash_words_of(["b" * size]) == hash_words_of(["b" * size + " "])
        assert len(hash_words_of(["b " * size])[0]) == size
