"""Whether the rest of a text predicts a word."""

from __future__ import annotations

import math

import numpy as np

from assay.information import measure_word_context
from assay.text import Corpus

WORDS = [f"w{number}" for number in range(300)]


def draw_texts(n: int = 600, length: int = 80) -> list[str]:
    """Long texts of random words; a tenth are about money."""
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(n):
        topic = ["bank", "cash", "coins"] if rng.random() < 0.15 else []
        drawn.append(" ".join([*rng.choice(WORDS, length), *topic]))
    return drawn


def test_a_word_of_the_topic_is_predicted_in_long_texts():
    assert measure_word_context(draw_texts(), {"cash"}).low > 0.9


def test_a_word_put_in_at_random_is_not_predicted():
    rng = np.random.default_rng(1)
    planted = [f"{text} zq" if rng.random() < 0.1 else text for text in draw_texts()]
    found = measure_word_context(planted, {"zq"})
    assert found.low < 0.5 < found.high


def test_of_several_words_a_text_must_have_all():
    everywhere = [f"the {text}" for text in draw_texts()]
    assert measure_word_context(everywhere, {"the", "cash"}).low > 0.9
    assert math.isnan(measure_word_context(everywhere, {"the"}).value)


def test_a_corpus_gives_the_same_numbers_as_texts():
    texts = draw_texts()
    corpus = Corpus.from_texts([*texts, "other words"]).take(range(len(texts)))
    assert measure_word_context(corpus, {"cash"}) == measure_word_context(texts, {"cash"})
