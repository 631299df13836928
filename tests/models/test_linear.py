"""LinearClassifier: words, characters, pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.models import LinearClassifier

TEXTS = ["a good film", "good fun", "a bad film", "bad plot", "so good", "so bad"]
LABELS = ["pos", "pos", "neg", "neg", "pos", "neg"]


def test_it_learns_the_word_that_decides():
    model = LinearClassifier().fit(TEXTS, LABELS)
    assert model.predict(["good plot", "bad fun"]).tolist() == ["pos", "neg"]
    assert model.classes_.tolist() == ["neg", "pos"]


def test_probabilities_sum_to_one_and_score_is_accuracy():
    model = LinearClassifier().fit(TEXTS, LABELS)
    assert np.allclose(model.predict_proba(TEXTS).sum(axis=1), 1)
    assert model.score(TEXTS, LABELS) == 1.0


def test_it_equals_the_pipeline_written_by_hand():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline, make_union

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"(?u)\b\w+\b")
    characters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=2)
    by_hand = make_pipeline(make_union(words, characters), LogisticRegression(C=5.0, max_iter=1000))
    by_hand.fit(TEXTS, LABELS)
    ours = LinearClassifier().fit(TEXTS, LABELS)
    assert np.allclose(ours.predict_proba(["good plot"]), by_hand.predict_proba(["good plot"]), atol=1e-6)


def test_on_pairs_the_overlap_decides_though_no_word_does():
    words = [f"word{number}" for number in range(30)]
    same = [(f"{a} {b}", f"{b} {a}") for a, b in itertools.pairwise(words)]
    other = [(f"{a} {b}", f"{c} {d}") for a, b, c, d in zip(words, words[1:], words[7:], words[9:], strict=False)]
    model = LinearClassifier().fit(same[5:] + other[5:], ["same"] * len(same[5:]) + ["other"] * len(other[5:]))
    assert model.predict(same[:5] + other[:5]).tolist() == ["same"] * 5 + ["other"] * 5


def test_three_classes_and_whole_numbers_as_labels():
    model = LinearClassifier().fit(["a", "b", "c", "a a", "b b", "c c"], [2, 5, 9, 2, 5, 9])
    assert model.predict(["a", "b", "c"]).tolist() == [2, 5, 9]


def test_texts_without_a_word_are_said():
    with pytest.raises(AssayError, match="none of 2 training texts holds a word"):
        LinearClassifier().fit(["", " ! "], [0, 1])


def test_rare_words_can_be_left_out_unless_all_are_rare():
    texts, labels = ["good film", "good fun", "bad film", "bad plot"], [1, 1, 0, 0]
    model = LinearClassifier(char_ngrams=None, word_ngrams=(1, 1), min_word_count=2).fit(texts, labels)
    assert sorted(model.vectorizers_[0].vocabulary_) == ["bad", "film", "good"]
    model = LinearClassifier(char_ngrams=None, min_word_count=2).fit(["one", "two"], [0, 1])
    assert sorted(model.vectorizers_[0].vocabulary_) == ["one", "two"]
