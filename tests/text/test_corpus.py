"""Texts from any source become the same corpus."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from assay.base.errors import AssayError, UsageError
from assay.text import TOKENIZERS, Corpus, count_word_ngrams, make_encoder, near_duplicates, near_matches
from assay.text.tokenization import TOKENIZATIONS

TEXTS = ["The cat sat", None, "", "the DOG", "cat cat"]


@pytest.mark.parametrize(
    "texts",
    [
        TEXTS,
        tuple(TEXTS),
        iter(TEXTS),
        np.array(TEXTS, object),
        pa.array(TEXTS),
        pa.array(TEXTS, pa.large_string()),
        pa.array(TEXTS, pa.string_view()),
        pa.array(TEXTS).dictionary_encode(),
        pa.array(["before", *TEXTS, "after"]).slice(1, 5),
        pa.chunked_array([TEXTS[:2], [], TEXTS[2:]], pa.string()),
        pl.Series(TEXTS),
        pl.Series(TEXTS, dtype=pl.Categorical),
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype="string"),
    ],
    ids=lambda texts: type(texts).__name__,
)
def test_every_kind_of_column_gives_the_same_corpus(texts):
    corpus = Corpus.from_texts(texts)
    assert corpus.vocabulary == ["the", "cat", "sat", "dog"]
    assert corpus.ids.tolist() == [0, 1, 2, 0, 3, 1, 1]
    assert corpus.ids.dtype == np.int32
    assert corpus.offsets.tolist() == [0, 3, 3, 3, 5, 7]
    assert corpus.offsets.dtype == np.int64


@pytest.mark.parametrize("texts", [[], pa.array([], pa.string()), pl.Series([], dtype=pl.String), [None], [""]])
def test_no_texts_or_no_words_give_an_empty_corpus(texts):
    corpus = Corpus.from_texts(texts)
    assert corpus.vocabulary == []
    assert corpus.ids.tolist() == []
    assert len(corpus) == len(texts)
    assert corpus.counts().shape == (len(texts), 0)


def test_counts_frequencies_and_lengths_by_hand():
    corpus = Corpus.from_texts(TEXTS)
    assert corpus.lengths.tolist() == [3, 0, 0, 2, 2]
    assert corpus.frequencies().tolist() == [2, 3, 1, 1]
    assert corpus.document_frequencies().tolist() == [2, 2, 1, 1]
    assert corpus.counts().toarray().tolist() == [[1, 1, 1, 0], [0] * 4, [0] * 4, [1, 0, 0, 1], [0, 2, 0, 0]]


@pytest.mark.parametrize("rows", [[4, 0], [False, True, False, False, True], [], [-1]])
def test_taking_rows_keeps_their_words_and_the_vocabulary(rows):
    corpus = Corpus.from_texts(TEXTS)
    wanted = np.arange(5)[np.array(rows, bool if rows and isinstance(rows[0], bool) else int)]
    taken = corpus.take(rows)
    assert [taken[row] for row in range(len(taken))] == [corpus[row] for row in wanted]
    assert taken.vocabulary is corpus.vocabulary


def test_two_sides_share_one_vocabulary():
    a, b = Corpus.from_sides(["one two", ""], ["two three", "one"])
    assert a.vocabulary is b.vocabulary
    assert a[0] == ["one", "two"]
    assert b[0] == ["two", "three"]
    assert b[1] == ["one"]


def test_a_callable_is_called_once_per_distinct_text():
    calls = []

    def letters(text):
        calls.append(text)
        return list(text)

    corpus = Corpus.from_texts(["ab", "ba", "ab"], letters)
    assert calls == ["ab", "ba"]
    assert corpus.ids.tolist() == [0, 1, 1, 0, 0, 1]


def test_the_whitespace_tokenizer_keeps_case_and_punctuation():
    assert Corpus.from_texts(["Don't\tpanic! "], "whitespace")[0] == ["Don't", "panic!"]


def test_the_tweet_tokenizer_reads_long_runs_of_links_once():
    assert TOKENIZERS["tweet"]("http://" * 30_000) == ["URL"]
    assert TOKENIZERS["tweet"]("www." * 30_000 + ".png") == ["IMAGE"]
    assert TOKENIZERS["tweet"]("x.me@a.bc http://a/b.JPG?c " * 2) == ["EMAIL", "IMAGE"] * 2
    assert len(TOKENIZERS["tweet"]("<img" * 2_000)) == 4_000


def test_the_tweet_tokenizer_follows_peinelt_et_al():
    text = 'Sooooo COOL @me http://x.org/a.png www.y.com/Q?z a@b.org "it\'s" `this`'
    assert TOKENIZERS["tweet"](text) == ["sooo", "cool", "IMAGE", "URL", "EMAIL", "it's", "this"]


def test_every_tokenizer_has_a_docstring():
    assert all(TOKENIZERS[name].__doc__ for name in TOKENIZERS)


def test_an_unknown_tokenizer_is_an_error_that_lists_them():
    with pytest.raises(UsageError, match=r"No tokenizer 'word'. Did you mean 'words'\? Known: cased-words, char"):
        Corpus.from_texts(["a"], "word")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", r"not one string\. Put it in a list"),
        (["a", 5], r"row 1 is int \(5\)"),
        (pa.array([1, 2]), "this column is of type int64"),
    ],
)
def test_values_that_are_not_texts_are_an_error(texts, message):
    with pytest.raises(AssayError, match=message):
        Corpus.from_texts(texts)


def test_derived_counts_are_computed_once_and_cannot_be_changed_by_a_caller():
    corpus = Corpus.from_texts(TEXTS)
    assert np.shares_memory(corpus.counts().data, corpus.counts().data)
    assert corpus.document_frequencies() is corpus.document_frequencies()
    assert corpus.frequencies() is corpus.frequencies()
    with pytest.raises(ValueError, match="read-only"):
        corpus.counts().data[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        corpus.frequencies()[0] = 5


def test_a_corpus_in_place_of_texts_is_not_tokenized_again():
    corpus = Corpus.from_texts(TEXTS)
    n_calls = TOKENIZATIONS.calls
    assert Corpus.from_texts(corpus) is corpus
    near_duplicates(corpus)
    near_matches(corpus, [0], [3])
    make_encoder("tfidf", n_components=2).fit_transform(corpus)
    make_encoder("counts").fit_transform(corpus.take([0, 3]))
    count_word_ngrams(corpus)
    assert TOKENIZATIONS.calls == n_calls


@pytest.mark.parametrize("tokenizer", ["words", "cased-words", "whitespace"])
def test_every_tokenization_of_a_column_is_counted(tokenizer):
    calls, texts = TOKENIZATIONS.calls, TOKENIZATIONS.texts
    Corpus.from_texts(TEXTS, tokenizer)
    Corpus.from_sides(TEXTS, TEXTS, tokenizer)
    assert (TOKENIZATIONS.calls - calls, TOKENIZATIONS.texts - texts) == (2, 15)


def test_changing_a_matrix_of_counts_does_not_change_the_corpus():
    corpus = Corpus.from_texts(["a a b", "b"])
    counts = corpus.counts()
    counts.data = np.ones_like(counts.data)
    assert corpus.counts().toarray().tolist() == [[2, 1], [0, 1]]
