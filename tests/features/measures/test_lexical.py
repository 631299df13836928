import pytest

from assay.features import LabelledTexts, load_basic_words
from assay.features.measures.lexical import average_length, basic_words, type_token_ratio


def test_average_length_counts_words_and_not_punctuation():
    assert average_length(LabelledTexts.from_texts(["one, two; three!", "one", ""])).value == 4 / 3


def test_basic_words_count_every_occurrence():
    value = basic_words(LabelledTexts.from_texts(["The cat is the king", "It was the serfdom of kings"]))
    known = ["the", "cat", "is", "the", "king", "it", "was", "the", "of"]
    assert all(word in load_basic_words() for word in set(known) - {"was"})
    expected = sum(word in load_basic_words() for word in [*known, "serfdom", "kings"]) / 11
    assert value.value == pytest.approx(expected)
    assert value.n == 11


def test_the_shipped_list_has_about_a_thousand_words():
    assert 950 < len(load_basic_words()) <= 1000


def test_the_type_token_ratio_is_the_mean_over_texts():
    # "The cat saw the dog": 4 of 5 words differ; "no no no no": 1 of 4; the empty text is left out.
    value = type_token_ratio(LabelledTexts.from_texts(["The cat saw the dog", "no no no no", ""]))
    assert value.value == pytest.approx((4 / 5 + 1 / 4) / 2, abs=1e-12)
    assert value.n == 2
