import pytest

from assay.features.basic_words import basic_word_list, basic_words
from assay.features.part import Part


def test_it_counts_every_occurrence():
    found = basic_words(Part.of(["The cat is the king", "It was the serfdom of kings"]))
    known = ["the", "cat", "is", "the", "king", "it", "was", "the", "of"]
    assert all(word in basic_word_list() for word in set(known) - {"was"})
    expected = sum(word in basic_word_list() for word in [*known, "serfdom", "kings"]) / 11
    assert found.value == pytest.approx(expected)
    assert found.n == 11


def test_the_shipped_list_has_about_a_thousand_words():
    assert 950 < len(basic_word_list()) <= 1000
