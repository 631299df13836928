"""The rows that splitters see."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from assay.base.errors import AssayError
from assay.splits.items import SplitItems, convert_rows
from assay.text import Corpus

TEXTS = ["one two two", "", "three", "two one"]


def test_texts_become_an_array_from_any_container():
    for texts in (["a", None], ("a", None), np.array(["a", None], dtype=object), pl.Series(["a", None])):
        assert convert_rows(texts).tolist() == ["a", ""]
    assert convert_rows(np.array([["a"], ["b"]])).tolist() == ["a", "b"]


def test_a_frame_of_numbers_is_a_matrix():
    assert convert_rows(pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})).shape == (2, 2)


def test_texts_a_corpus_and_counts_give_the_same_lengths():
    counts = SplitItems.from_input(TEXTS).count_words("words", "length")
    for X in (TEXTS, Corpus.from_texts(TEXTS), counts):
        assert SplitItems.from_input(X).measure_lengths("words", "length").tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 3, 0, 1]])
def test_a_ready_corpus_gives_the_counts_of_texts_cut_in_this_order(order):
    corpus = Corpus.from_texts(["unused words", *TEXTS]).take([1, 2, 3, 4])
    ready = SplitItems.from_input(TEXTS, corpus).take(np.array(order)).count_words("words", "rare-words")
    fresh = SplitItems.from_input([TEXTS[row] for row in order]).count_words("words", "rare-words")
    assert ready.toarray().tolist() == fresh.toarray().tolist()


def test_a_ready_corpus_is_encoded_as_counts_of_the_texts_are():
    ready = SplitItems.from_input(TEXTS, Corpus.from_texts(TEXTS[::-1]).take([3, 2, 1, 0])).encode("counts", 0)
    assert ready.toarray().tolist() == SplitItems.from_input(TEXTS).encode("counts", 0).toarray().tolist()


def test_ready_vectors_are_used_as_they_are():
    vectors = np.arange(8.0).reshape(4, 2)
    items = SplitItems.from_input(TEXTS, vectors=vectors).take(np.array([3, 0]))
    assert items.encode("tfidf", 0).tolist() == [[6, 7], [0, 1]]


def test_a_matrix_is_its_own_vectors():
    X = sparse.csr_matrix(np.eye(3))
    assert (SplitItems.from_input(X).encode("tfidf", 0) != X).nnz == 0


def test_numbers_that_are_not_a_matrix_are_refused():
    with pytest.raises(AssayError, match="X must be texts, or a matrix of numbers with one row per item"):
        SplitItems.from_input([1.0, 2.0]).encode("tfidf", 0)


@pytest.mark.parametrize("X", [np.array([[0.5, 1.0]]), sparse.csr_matrix(np.array([[-1.0]])), np.array([1, 2])])
def test_a_matrix_without_counts_is_refused(X):
    with pytest.raises(
        AssayError, match="The rare-words split counts words: X must be texts or a matrix of word counts"
    ):
        SplitItems.from_input(X).count_words("words", "rare-words")


def test_a_corpus_and_vectors_must_fit_the_rows():
    with pytest.raises(AssayError, match=r"4 rows, but 1 texts in the corpus\."):
        SplitItems.from_input(TEXTS, Corpus.from_texts(["a"]))
    with pytest.raises(AssayError, match=r"4 rows, but 2 vectors\."):
        SplitItems.from_input(TEXTS, vectors=np.eye(2))
