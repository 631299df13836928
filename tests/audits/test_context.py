"""Whether the rest of a text calls for a word."""

from __future__ import annotations

import math

import numpy as np

from assay.audits.context import foretold

WORDS = [f"w{number}" for number in range(300)]


def texts(n: int = 600, length: int = 80) -> list[str]:
    """Long texts of random words; a tenth are about money."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(n):
        topic = ["bank", "cash", "coins"] if rng.random() < 0.15 else []
        made.append(" ".join([*rng.choice(WORDS, length), *topic]))
    return made


def test_a_word_of_the_topic_is_foretold_in_long_texts():
    assert foretold(texts(), {"cash"}).low > 0.9


def test_a_word_put_in_at_random_is_not_foretold():
    rng = np.random.default_rng(1)
    planted = [f"{text} zq" if rng.random() < 0.1 else text for text in texts()]
    found = foretold(planted, {"zq"})
    assert found.low < 0.5 < found.high


def test_of_several_words_a_text_must_have_all():
    everywhere = [f"the {text}" for text in texts()]
    assert foretold(everywhere, {"the", "cash"}).low > 0.9
    assert math.isnan(foretold(everywhere, {"the"}).value)
