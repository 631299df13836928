"""Lexical features of 100,000 texts against the same formulas, text by text, as the usual libraries compute them."""

from __future__ import annotations

import math
import re
import time
from collections import Counter

import numpy as np
import polars as pl

from assay.features import FEATURES, LabelledTexts, load_basic_words
from assay.features.measures.readability import FRAGMENTS, count_syllables
from benchmarks._bars import print_bar
from benchmarks.texts import made_texts

LEXICAL = ["average_length", "basic_words", "type_token_ratio", "pmi", "flesch", "flesch_hard"]


def per_text(texts: list[str], labels: list[str]) -> dict[str, float]:
    """Compute the lexical features one text at a time, as textstat and lexicalrichness do."""
    ratios, scores, lengths, basic, total = [], [], [], 0, 0
    pairs, words, classes = Counter(), Counter(), Counter()
    for text, label in zip(texts, labels, strict=True):
        tokens = re.findall(r"\w+", text.lower())
        lengths.append(len(tokens))
        total += len(tokens)
        basic += sum(token in load_basic_words() for token in tokens)
        ratios.append(len(set(tokens)) / len(tokens))
        spoken = [token for token in tokens if token not in FRAGMENTS]
        sentences = max(1, len(re.findall(r"[.!?]+(?=\s|$)", text)))
        n_syllables = sum(count_syllables(token) for token in spoken)
        scores.append(206.835 - 1.015 * len(spoken) / sentences - 84.6 * n_syllables / len(spoken))
        for token in tokens:
            pairs[label, token] += 1
            words[token] += 1
            classes[label] += 1
    positive = [
        max(0.0, math.log(count * total / (words[word] * classes[label]))) for (label, word), count in pairs.items()
    ]
    return {
        "average_length": np.mean(lengths),
        "basic_words": basic / total,
        "type_token_ratio": np.mean(ratios),
        "pmi": math.fsum(positive) / len(positive),
        "flesch": np.mean(scores),
        "flesch_hard": np.mean(np.array(scores) < 60),
    }


def main() -> None:
    texts = made_texts(100_000, n_words=20)
    labels = [str(number % 4) for number in range(len(texts))]
    LabelledTexts.from_texts(texts[:10], labels[:10]).reading_ease  # noqa: B018, compiles the kernels
    start = time.process_time()
    expected = per_text(texts, labels)
    slow = time.process_time() - start
    column = pl.Series(texts)  # as `assay.read` has it
    start = time.process_time()
    part = LabelledTexts.from_texts(column, labels)
    found = {name: FEATURES[name](part).value for name in LEXICAL}
    fast = time.process_time() - start
    worst = max(abs(found[name] - expected[name]) / abs(expected[name]) for name in LEXICAL)
    line = f"lexical features of {len(texts):,} texts: {slow / fast:.1f}x per-text code, largest difference {worst:.1e}"
    print_bar(line, is_held=fast <= slow and worst < 1e-6)


if __name__ == "__main__":
    main()
