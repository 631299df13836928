import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.information.shortcuts import SHORTCUTS, as_columns, code, shortcut_table
from assay.information.shortcuts.stop_words import english_stop_words, read_stop_words, stop_words

PAIR = (["You have access to the facts ."], ["The facts are accessible to you."])


def test_the_examples_of_the_paper_come_out():
    # Paper 003, section 4.2: 2 marks and 8 stop words among 14 tokens.
    assert SHORTCUTS["punctuation"](*PAIR)[0, 0] == pytest.approx(2 / 14)
    assert SHORTCUTS["stop-words"](*PAIR)[0, 0] == pytest.approx(8 / 14)


def test_overlap_is_relative_to_each_side():
    assert SHORTCUTS["overlap"](["a b c d"], ["a b"]).tolist() == [[0.5, 1.0]]
    assert SHORTCUTS["overlap"]([""], ["a"]).tolist() == [[0.0, 0.0]]


def test_overlap_needs_pairs():
    with pytest.raises(UsageError, match="compares the two sides of a pair"):
        SHORTCUTS["overlap"](["a"])


def test_negations_are_no_stop_words():
    assert english_stop_words().isdisjoint({"no", "not", "nor", "never", "none", "nothing", "cannot", "without", "don"})


def test_another_language_brings_its_own_list(tmp_path):
    (tmp_path / "de.txt").write_text("der\ndie\ndas\n", encoding="utf-8")
    words = read_stop_words(tmp_path / "de.txt")
    assert stop_words(["der Hund und die Katze"], words=words)[0, 0] == pytest.approx(2 / 5)
    with pytest.raises(AssayError, match="cannot be read"):
        read_stop_words(tmp_path / "fr.txt")


@pytest.mark.parametrize("name", SHORTCUTS)
def test_every_shortcut_has_a_finite_row_for_every_item(name):
    sides = (["one two", "", "?!"], ["two", "", "x"])
    table = SHORTCUTS[name](*sides)
    assert table.ndim == 2
    assert len(table) == 3
    assert np.isfinite(table).all()


def test_own_columns_are_numbers_or_indicators():
    assert as_columns([1, 2, 3]).tolist() == [[1], [2], [3]]
    assert as_columns(["1", "2.5"]).tolist() == [[1.0], [2.5]]
    assert as_columns(["x", "y", "x"]).tolist() == [[1, 0], [0, 1], [1, 0]]
    assert shortcut_table((["a"],), ("author",), {"author": ["me"]})["author"].tolist() == [[1.0]]
    assert code(("punctuation", "author")) == "P+author"
