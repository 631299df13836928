"""The label shares of words by place."""

from __future__ import annotations

import pytest

from assay.base.errors import UsageError
from assay.features import label_shares_by_place
from assay.text import Corpus

A, B, LABELS = ["one two three four", "one two"], ["one five", "one two two"], ["no", "yes"]


def by_place(sides, labels):
    return {row.place: row.shares for row in label_shares_by_place(sides, labels)}


def test_pairs_with_few_shared_words_have_most_of_the_words_of_one_side():
    shares = by_place([A, B], LABELS)
    assert shares["word in a"] == {"no": 4 / 6, "yes": 2 / 6}
    assert shares["word in b"] == {"no": 0.5, "yes": 0.5}  # a word counts once
    assert shares["word in a but not in b"] == {"no": 1.0, "yes": 0.0}
    assert shares["word in b but not in a"] == {"no": 1.0, "yes": 0.0}


def test_rows_without_a_label_or_a_word_do_not_count():
    assert by_place([["one two", "three", "four five"]], ["a", "b", None]) == {"word in text": {"a": 2 / 3, "b": 1 / 3}}
    assert by_place([["one", "two"]], None) == {}
    assert by_place([["!", "?"]], ["a", "b"]) == {}


def test_corpora_are_used_as_they_are():
    assert by_place(Corpus.from_sides(A, B), LABELS) == by_place([A, B], LABELS)
    assert by_place([Corpus.from_texts(A)], LABELS) == by_place([A], LABELS)
    with pytest.raises(UsageError, match="must share one vocabulary"):
        by_place([Corpus.from_texts(A), Corpus.from_texts(B)], LABELS)
