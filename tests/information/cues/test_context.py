"""Whether the rest of a text predicts a word."""

from __future__ import annotations

import math

import numpy as np

from assay.information import Cue, measure_cue_contexts, measure_word_context
from assay.information.cues.context import measure_unexplained_label
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


def test_only_content_words_that_nearly_always_go_with_a_label_are_measured():
    texts = draw_texts()
    labels = ["a"] * 500 + ["b"] * 100

    def cue(token: str, precision: float = 0.95, kind: str = "word in text") -> Cue:
        return Cue(token, kind, "a", 0.1, 0.001, precision, 0.1, 60)

    cues = [cue("cash"), cue("cash", precision=0.8), cue("the"), cue("length", kind="number")]
    contexts = measure_cue_contexts(cues, texts, labels)
    assert contexts == [measure_word_context(texts[:500], {"cash"}), None, None, None]


def draw_topics(clear: float, seed: int = 0) -> tuple[Corpus, np.ndarray]:
    """Return texts of two topics, of which a share has words of its topic, and "zq" in half of the first topic."""
    rng = np.random.default_rng(seed)
    is_first = np.arange(600) % 2 == 0
    texts = []
    for first in is_first:
        topic = "abcdef" if first else "uvwxyz"
        letters = topic if rng.random() < clear else "mnopq"
        words = [letter * 3 for letter in rng.choice(list(letters), 5)]
        texts.append(" ".join([*words, "zq"] if first and rng.random() < 0.5 else words))
    return Corpus.from_texts(texts), is_first


def test_a_word_next_to_other_words_of_its_label_explains_nothing_more():
    corpus, is_first = draw_topics(clear=1.0)
    assert measure_unexplained_label(corpus, {"zq"}, is_first).value == 0


def test_a_word_that_alone_gives_the_label_leaves_the_others_unexplained():
    corpus, is_first = draw_topics(clear=0.2)
    rest = measure_unexplained_label(corpus, {"zq"}, is_first)
    assert rest.low > 0.2  # 80% of the texts have nothing else, and half of these are guessed


def test_no_text_with_the_word_says_nothing():
    corpus, is_first = draw_topics(clear=1.0)
    assert math.isnan(measure_unexplained_label(corpus, {"absent"}, is_first).value)
