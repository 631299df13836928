import math

import pytest

from assay.features import LabelledTexts
from assay.features.measures.associations import find_top_words, pmi, pmi_top_words

TEXTS = ["good good film", "bad film", "bad"]
LABELS = ["+", "-", "-"]


def test_pmi_equals_a_case_worked_by_hand():
    # 6 tokens: 3 under +, 3 under -. Pairs: (+, good) 2, (+, film) 1, (-, bad) 2, (-, film) 1.
    # good and bad: log((2/6) / (3/6 * 2/6)) = log 2. film: log((1/6) / (3/6 * 2/6)) = 0.
    assert pmi(LabelledTexts.from_texts(TEXTS, LABELS)).value == pytest.approx(2 * math.log(2) / 4, abs=1e-12)


def test_negative_values_count_in_the_denominator_only():
    # good: 3 tokens under +, 1 under -; bad: 1 under -. Totals: + 3, - 2 of 5.
    values = [math.log((3 / 5) / (3 / 5 * 4 / 5)), math.log((1 / 5) / (2 / 5 * 4 / 5)), math.log((1 / 5) / (2 / 5 / 5))]
    expected = sum(value for value in values if value > 0) / 3
    assert pmi(LabelledTexts.from_texts(["good good good", "good bad"], ["+", "-"])).value == pytest.approx(
        expected, abs=1e-12
    )


def test_top_words_prefer_frequent_ones_among_equals_and_then_the_alphabet():
    data = LabelledTexts.from_texts(["b b a film", "c c film"], ["+", "-"])
    # c occurs under the rarer label only and so has the highest PMI; b beats a by its count.
    assert [data.corpus.vocabulary[word] for word in find_top_words(data, 3)] == ["c", "b", "a"]


def test_the_share_of_texts_with_a_top_word():
    texts = [f"cue{number} filler" for number in range(10)] + ["filler filler"] * 10
    labels = ["+"] * 10 + ["-"] * 10
    assert pmi_top_words(LabelledTexts.from_texts(texts, labels)).value == 0.5
