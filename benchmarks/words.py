"""Words from Arrow against `re.findall` text by text, and proof that both find the same.

The expression is that of the documentation, a word character and what follows of these and combining marks, with the
marks of Python's Unicode database.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import time
import unicodedata
from functools import cache

import numpy as np
import pyarrow as pa

from assay.text import Corpus, exact_duplicates, near_duplicates
from assay.text.characters import UNSPACED
from benchmarks._bars import print_bar


def sentences(n_texts: int = 100_000, n_words: int = 20, seed: int = 0) -> list[str]:
    """Texts like real ones: words by Zipf's law, capitals, commas and full stops."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    vocabulary = ["".join(rng.choice(letters, size)) for size in rng.integers(1, 10, 30_000)]
    ranks = np.minimum(rng.zipf(1.2, (n_texts, n_words)), len(vocabulary)) - 1
    return [_sentence([vocabulary[rank] for rank in row]) for row in ranks]


def _sentence(words: list[str]) -> str:
    return f"{' '.join(words[:8]).capitalize()}, {' '.join(words[8:])}."


@cache
def compile_word() -> re.Pattern[str]:
    """Return the expression of a word in scripts with spaces."""
    marks = "".join(c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c).startswith("M"))
    return re.compile(rf"\w[\w{marks}]*")


def by_regular_expression(texts: list[str]) -> list[list[str]]:
    word = compile_word()
    return [word.findall(text.lower()) for text in texts]


def random_unicode(n_texts: int = 100_000, seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    unspaced = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for _, first, last in UNSPACED) + "]")
    ranges = [(32, 126), (160, 0x52F), (0x370, 0x3FF), (0, 0xD7FF), (0xE000, 0x10FFFF)]
    texts = ("".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(0, 25))) for _ in range(n_texts))
    return [unspaced.sub("", text) for text in texts]


def seconds(function, *arguments) -> float:
    start = time.process_time()
    function(*arguments)
    return time.process_time() - start


def main() -> None:
    odd = random_unicode()
    corpus = Corpus.from_texts(odd)
    n_equal = sum(corpus[row] == words for row, words in enumerate(by_regular_expression(odd)))
    line = f"equal to re.findall on {n_equal:,} of {len(odd):,} random Unicode strings"
    print_bar(line, is_held=n_equal == len(odd))
    texts = sentences()
    arrow = pa.array(texts)
    pairs = [(seconds(Corpus.from_texts, arrow), seconds(by_regular_expression, texts)) for _ in range(7)]
    ratio = statistics.median(slow / fast for fast, slow in pairs)
    n_bytes = sum(map(len, texts))
    fast, slow = (min(column) for column in zip(*pairs, strict=True))
    print(f"words of {len(texts):,} texts: {fast:.3f} s ({n_bytes / fast / 1e6:.0f} MB/s), re.findall {slow:.3f} s")
    print(f"  {ratio:.1f} × re.findall (median of {len(pairs)} runs side by side)")
    for search in (exact_duplicates, near_duplicates):
        search(texts[:10])
        print(f"{search.__name__} of {len(texts):,} texts: {seconds(search, arrow):.2f} s")


if __name__ == "__main__":
    main()
