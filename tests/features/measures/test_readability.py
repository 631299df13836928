import math

import numpy as np
import pytest

from assay.features import LabelledTexts
from assay.features.measures.readability import count_syllables, flesch, flesch_hard, score_reading_ease

EASY = "The cat sat on the mat."  # 6 words, 1 sentence, 6 syllables
HARD = "The university is considering an international examination. It is necessary."
# 7 + 3 words, 2 sentences; 1 5 1 4 1 5 5 and 1 1 4 syllables


def test_flesch_equals_a_case_worked_by_hand():
    easy = 206.835 - 1.015 * 6 / 1 - 84.6 * 6 / 6
    hard = 206.835 - 1.015 * 10 / 2 - 84.6 * 28 / 10
    data = LabelledTexts.from_texts([EASY, HARD])
    assert data.reading_ease == pytest.approx([easy, hard], abs=1e-9)
    assert flesch(data).value == pytest.approx((easy + hard) / 2, abs=1e-9)
    assert flesch_hard(data).value == 0.5


def test_a_text_without_words_has_no_reading_ease():
    texts = ["", "...", "It is."]
    scores = score_reading_ease(LabelledTexts.from_texts(texts))
    assert np.isnan(scores).tolist() == [True, True, False]
    assert not math.isnan(flesch(LabelledTexts.from_texts(texts)).value)


def test_contractions_are_one_word():
    short, plain = (LabelledTexts.from_texts([text]).reading_ease for text in ("I don't know it.", "I do know it."))
    assert short == pytest.approx(plain)


COUNTS = """a 1, the 1, make 1, little 2, jumped 1, wanted 2, churches 2, makes 1, area 3, idea 3, reading 2, being 2,
radio 3, café 2, 1998 1, rhythm 1, people 2, whole 1, rule 1, apple 2, university 5, bcd 1"""


@pytest.mark.parametrize(("word", "count"), [pair.split() for pair in COUNTS.split(",")])
def test_syllables_of_common_words(word, count):
    assert count_syllables(word) == int(count)
