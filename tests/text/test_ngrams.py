"""N-gram counts equal those of scikit-learn's vectorizers."""

from __future__ import annotations

import gzip
import random
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from assay.base.errors import UsageError
from assay.text import Corpus, count_character_ngrams, count_word_ngrams
from assay.text.ngram_vocabulary import NgramVocabulary
from assay.text.ngrams import split_at_spaces, split_into_plain_words
from assay.text.tokenization import TOKENIZATIONS

MARKS = "".join(chr(code) for code in range(0x110000) if unicodedata.category(chr(code))[0] == "M")
WORD = rf"\w(?:\w|[{MARKS}])*"


def random_texts(n: int) -> list[str]:
    rng = random.Random(1)
    ranges = [(32, 126), (160, 0x52F), (0x370, 0x3FF), (1, 0xD7FF), (0xE000, 0x10FFFF)]
    texts = ["".join(chr(rng.randint(*rng.choice(ranges))) for _ in range(rng.randint(0, 25))) for _ in range(n)]
    return [
        *texts,
        "ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ. ΑΣ\u0301Α",
        "İstanbul İİ aİ",
        "日本語のテキスト abc漢字9",
        "a",
        "",
        " \t",
        "x\x85y\xa0z\x1c",
    ]


def assert_equal(counts, vectorizer, texts):
    expected = vectorizer.fit_transform(texts)
    ngrams = counts.vocabulary.spell()
    assert sorted(ngrams) == vectorizer.get_feature_names_out().tolist()
    order = [vectorizer.vocabulary_[ngram] for ngram in ngrams]
    assert (counts.matrix != expected.tocsc()[:, order]).nnz == 0
    assert counts.matrix.has_sorted_indices


@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (2, 3), (3, 3)])
def test_word_ngrams_equal_scikit_learn(ngrams):
    texts = random_texts(3_000)
    counts = count_word_ngrams(split_into_plain_words(split_at_spaces(texts)), ngrams)
    assert_equal(counts, CountVectorizer(ngram_range=ngrams, token_pattern=WORD), texts)


@pytest.mark.parametrize("ngrams", [(1, 1), (2, 4), (3, 3), (4, 6)])  # from 4 on, short words count as a whole
def test_character_ngrams_equal_scikit_learn(ngrams):
    texts = random_texts(3_000)
    assert_equal(count_character_ngrams(texts, ngrams), CountVectorizer(analyzer="char_wb", ngram_range=ngrams), texts)


@given(st.lists(st.text(st.sampled_from("ab c.É\u0130\u03a3\n")), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_short_texts_of_few_letters_equal_scikit_learn(texts):
    counts = count_character_ngrams([*texts, "a"])
    assert_equal(counts, CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)), [*texts, "a"])


@pytest.mark.parametrize("name", ["trec/trec.tsv.gz", "waimai_zh/waimai.tsv.gz"])
def test_real_texts_equal_scikit_learn(shared, name):
    with gzip.open(shared(name), "rt", encoding="utf-8") as file:
        column = next(file).rstrip("\n").split("\t").index("text")
        texts = [line.rstrip("\n").split("\t")[column] for line in file][:3_000]
    words = count_word_ngrams(split_into_plain_words(split_at_spaces(texts)))
    assert_equal(words, CountVectorizer(ngram_range=(1, 2), token_pattern=WORD), texts)
    assert_equal(count_character_ngrams(texts), CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)), texts)


def test_words_of_chunks_are_those_of_the_texts_and_cost_one_tokenization():
    texts = [text.replace("\x00", "") for text in random_texts(500)]
    n_calls = TOKENIZATIONS.calls
    corpus = split_into_plain_words(split_at_spaces(texts))
    assert TOKENIZATIONS.calls == n_calls + 1
    latin = [text for text in texts if text.isascii()]
    assert len(corpus) == len(texts)
    again = split_into_plain_words(split_at_spaces(latin))
    expected = Corpus.from_texts(latin)
    assert again.vocabulary == expected.vocabulary
    np.testing.assert_array_equal(again.ids, expected.ids)
    np.testing.assert_array_equal(again.offsets, expected.offsets)


def test_words_that_do_not_occur_in_some_rows_have_no_column():
    counts = count_word_ngrams(Corpus.from_texts(["a b", "c d"]).take([1]))
    assert counts.vocabulary.spell() == ["c", "d", "c d"]
    assert counts.matrix.toarray().tolist() == [[1, 1, 1]]


def test_counts_of_another_vocabulary_leave_out_what_it_lacks():
    known = count_word_ngrams(["a b c", "c d"], (1, 2)).vocabulary
    other = count_word_ngrams(["d c d x", "a b a b", "b c"], (1, 3)).match(known)
    assert known.spell() == ["a", "b", "c", "d", "a b", "b c", "c d"]
    assert other.matrix.toarray().tolist() == [[0, 0, 1, 2, 0, 0, 1], [2, 2, 0, 0, 2, 0, 0], [0, 1, 1, 0, 0, 1, 0]]


def test_the_order_of_columns_depends_on_the_ngrams_alone():
    texts = ["the cat sat", "a cat sat on the mat", "a mat"]
    ngrams = [count_word_ngrams(rows).vocabulary for rows in (texts, texts[::-1])]
    assert ngrams[0].spell() == ngrams[1].spell()
    assert ngrams[0].spell()[:8] == ["a", "cat", "mat", "on", "sat", "the", "a cat", "a mat"]
    longer = count_character_ngrams([*texts, "at ta"]).vocabulary.spell()
    known = set(count_character_ngrams(texts).vocabulary.spell())
    assert [ngram for ngram in longer if ngram in known] == count_character_ngrams(texts).vocabulary.spell()


@pytest.mark.parametrize("separator", [" ", ""])
def test_a_vocabulary_read_from_strings_finds_the_same_ngrams(separator):
    texts = ["the cat sat", "a cat sat on the mat", "mat"]
    counts = count_word_ngrams(texts, (1, 3)) if separator else count_character_ngrams(texts, (2, 4))
    strings = counts.vocabulary.spell()[::-1]
    vocabulary = NgramVocabulary.from_strings(strings, separator)
    assert vocabulary.spell() == strings
    assert (counts.match(vocabulary).matrix != counts.matrix[:, ::-1]).nnz == 0


def test_no_texts_have_no_ngrams():
    assert count_word_ngrams([]).matrix.shape == (0, 0)
    assert count_character_ngrams(["", " "]).matrix.shape == (2, 0)


def test_an_impossible_range_is_an_error():
    with pytest.raises(UsageError, match="There are no n-grams from 2 to 1 units"):
        count_word_ngrams(["a"], (2, 1))
