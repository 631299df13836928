"""How labels share out over the words of a place."""

from __future__ import annotations

from assay.audits.word_places import label_shares_of_words
from assay.kinds import read


def test_pairs_of_few_shared_words_own_most_of_the_words_of_one_side():
    rows = {"text_a": ["one two three four", "one two"], "text_b": ["one five", "one two two"], "label": ["no", "yes"]}
    told = label_shares_of_words(read(rows))
    assert told["word in a"] == {"no": 4 / 6, "yes": 2 / 6}
    assert told["word in b"] == {"no": 0.5, "yes": 0.5}  # a word counts once
    assert told["word in a but not in b"] == {"no": 1.0, "yes": 0.0}
    assert told["word in b but not in a"] == {"no": 1.0, "yes": 0.0}


def test_rows_without_a_label_or_a_word_do_not_count():
    told = label_shares_of_words(read({"text": ["one two", "three", "four five"], "label": ["a", "b", ""]}))
    assert told == {"word in text": {"a": 2 / 3, "b": 1 / 3}}
    assert label_shares_of_words(read({"text": ["one", "two"]})) == {}
    assert label_shares_of_words(read({"text": ["!", "?"], "label": ["a", "b"]})) == {}
