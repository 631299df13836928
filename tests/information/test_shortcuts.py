"""Shortcut features."""

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.information.item_texts import ItemTexts
from assay.information.shortcuts import SHORTCUTS, abbreviate, build_shortcut_table
from assay.information.shortcuts.stop_words import measure_stop_words, read_stop_words
from assay.information.shortcuts.table import to_columns
from assay.text import Corpus
from assay.text.languages import load_english_stop_words

PAIR = ItemTexts([["You have access to the facts ."], ["The facts are accessible to you."]])


def test_the_examples_of_the_paper_come_out():
    # Zhu et al. (2021), section 4.2: 2 marks and 8 stop words among 14 tokens.
    assert SHORTCUTS["punctuation"](PAIR)[0, 0] == pytest.approx(2 / 14)
    assert SHORTCUTS["stop-words"](PAIR)[0, 0] == pytest.approx(8 / 14)


def test_overlap_is_relative_to_each_side():
    assert SHORTCUTS["overlap"](ItemTexts([["a b c d"], ["a b"]])).tolist() == [[0.5, 1.0]]
    assert SHORTCUTS["overlap"](ItemTexts([[""], ["a"]])).tolist() == [[0.0, 0.0]]


def test_overlap_needs_pairs():
    with pytest.raises(UsageError, match="compares the two sides of a pair"):
        SHORTCUTS["overlap"](ItemTexts([["a"]]))


def test_negations_are_not_stop_words():
    assert load_english_stop_words().isdisjoint(
        {"no", "not", "nor", "never", "none", "nothing", "cannot", "without", "don"}
    )


def test_another_language_has_its_own_list(tmp_path):
    (tmp_path / "de.txt").write_text("der\ndie\ndas\n", encoding="utf-8")
    words = read_stop_words(tmp_path / "de.txt")
    assert measure_stop_words(ItemTexts([["der Hund und die Katze"]]), words)[0, 0] == pytest.approx(2 / 5)
    with pytest.raises(AssayError, match=r"fr.txt: the list of stop words cannot be read"):
        read_stop_words(tmp_path / "fr.txt")


@pytest.mark.parametrize("name", SHORTCUTS)
def test_every_shortcut_has_a_finite_row_for_every_item(name):
    table = SHORTCUTS[name](ItemTexts([["one two", "", "?!"], ["two", "", "x"]]))
    assert table.ndim == 2
    assert len(table) == 3
    assert np.isfinite(table).all()


@pytest.mark.parametrize("name", SHORTCUTS)
def test_ready_made_words_change_no_number_and_are_not_counted_again(name, monkeypatch):
    sides = [["One two, two!", "", "Three"], ["two", "four four", "three three three"]]
    expected = SHORTCUTS[name](ItemTexts(sides))
    corpora = Corpus.from_sides(*sides)
    monkeypatch.setattr(Corpus, "from_sides", None)
    assert np.array_equal(SHORTCUTS[name](ItemTexts(sides, corpora)), expected)


def test_words_alone_serve_where_no_text_is_needed():
    items = ItemTexts([Corpus.from_texts(["one two", "three"])])
    assert SHORTCUTS["length"](items).round(3).tolist() == [[1.099], [0.693]]
    with pytest.raises(AssayError, match="The texts themselves are needed here"):
        SHORTCUTS["punctuation"](items)


def test_words_that_do_not_fit_the_texts_are_refused():
    with pytest.raises(UsageError, match="must share one vocabulary"):
        ItemTexts([["a"], ["b"]], [Corpus.from_texts(["a"]), Corpus.from_texts(["b"])])
    with pytest.raises(UsageError, match=r"Words of \[1\] texts for sides of \[2\]"):
        ItemTexts([["a", "b"]], [Corpus.from_texts(["a"])])


def test_own_columns_are_numbers_or_indicators():
    assert to_columns([1, 2, 3]).tolist() == [[1], [2], [3]]
    assert to_columns(["1", "2.5"]).tolist() == [[1.0], [2.5]]
    assert to_columns(["x", "y", "x"]).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert build_shortcut_table([["a"]], ("author",), {"author": ["me"]})["author"].tolist() == [[1.0]]
    assert abbreviate(("punctuation", "author")) == "P+author"
