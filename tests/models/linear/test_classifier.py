"""LinearClassifier: words, characters, pairs; the same model as one written with scikit-learn."""

from __future__ import annotations

import gzip
import itertools
import json

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from assay.base.errors import AssayError, UsageError
from assay.models import LinearClassifier
from assay.models.counted_texts import CountedTexts

TEXTS = ["a good film", "good fun", "a bad film", "bad plot", "so good", "so bad"]
LABELS = ["pos", "pos", "neg", "neg", "pos", "neg"]


class ScikitLearnModel:
    """The same features and regression, by scikit-learn and scipy."""

    def __init__(self, C, class_weight=None, min_word_count=1, characters=True):
        words = {"ngram_range": (1, 2), "min_df": min_word_count, "token_pattern": r"(?u)\b\w+\b"}
        self.vectorizers = [TfidfVectorizer(sublinear_tf=True, **words)]
        if characters:
            options = {"analyzer": "char_wb", "ngram_range": (2, 4), "min_df": 2}
            self.vectorizers.append(TfidfVectorizer(sublinear_tf=True, **options))
        self.regression = LogisticRegression(C=C, max_iter=1000, class_weight=class_weight)

    def fit(self, X, y):
        texts = self.stack(X)
        for vectorizer in self.vectorizers:
            vectorizer.fit(texts)
        self.regression.fit(self.features(X), y)
        return self

    def predict_proba(self, X):
        return self.regression.predict_proba(self.features(X))

    def stack(self, X):
        return list(itertools.chain(*zip(*X, strict=True))) if isinstance(X[0], tuple) else list(X)

    def features(self, X):
        blocks = [vectorizer.transform(self.stack(X)) for vectorizer in self.vectorizers]
        if not isinstance(X[0], tuple):
            return sp.hstack(blocks, format="csr")
        parts = []
        for block in blocks:
            left, right = block[: len(X)], block[len(X) :]
            shared = left.multiply(right)
            cosine = sp.csr_matrix(np.asarray(shared.sum(axis=1)).reshape(-1, 1))
            parts += [left, right, shared, abs(left - right), cosine]
        return sp.hstack(parts, format="csr")


def read_rows(path, fields, limit):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        rows = [line.rstrip("\n").split("\t") for line in itertools.islice(file, limit)]
    return [[row[columns.index(field)] for row in rows] for field in fields]


def test_it_learns_the_word_that_decides():
    model = LinearClassifier().fit(TEXTS, LABELS)
    assert model.predict(["good plot", "bad fun"]).tolist() == ["pos", "neg"]
    assert model.classes_.tolist() == ["neg", "pos"]


def test_probabilities_sum_to_one_and_score_is_accuracy():
    model = LinearClassifier().fit(TEXTS, LABELS)
    assert np.allclose(model.predict_proba(TEXTS).sum(axis=1), 1)
    assert model.score(TEXTS, LABELS) == 1.0


@pytest.mark.parametrize("labels", [LABELS, ["x", "x", "y", "y", "z", "z"]], ids=["two classes", "three classes"])
def test_it_equals_the_model_written_with_scikit_learn(labels):
    expected = ScikitLearnModel(C=5.0).fit(TEXTS, labels).predict_proba(["good plot", "", "so Bad!"])
    probabilities = LinearClassifier().fit(TEXTS, labels).predict_proba(["good plot", "", "so Bad!"])
    np.testing.assert_allclose(probabilities, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, {}),
        ({"class_weight": "balanced"}, {"class_weight": "balanced"}),
        ({"char_ngrams": None, "min_word_count": 2}, {"min_word_count": 2, "characters": False}),
    ],
    ids=["default", "balanced", "audit"],
)
def test_real_texts_give_the_probabilities_of_scikit_learn(shared, settings, options):
    texts, labels = read_rows(shared("trec/trec.tsv.gz"), ["text", "label"], 1_200)
    train, test = slice(0, 1_000), slice(1_000, 1_200)
    expected = ScikitLearnModel(C=5.0, **options).fit(texts[train], labels[train]).predict_proba(texts[test])
    model = LinearClassifier(**settings).fit(texts[train], labels[train])
    np.testing.assert_allclose(model.predict_proba(texts[test]), expected, atol=1e-5)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_real_pairs_give_the_probabilities_of_scikit_learn(shared, n_classes):
    first, second, labels = read_rows(shared("msrp/msrp.tsv.gz"), ["text_a", "text_b", "label"], 900)
    pairs = list(zip(first, second, strict=True))
    if n_classes == 3:
        labels = ["longer" if len(a) > len(b) + 20 else label for (a, b), label in zip(pairs, labels, strict=True)]
    expected = ScikitLearnModel(C=1.0).fit(pairs[:700], labels[:700]).predict_proba(pairs[700:])
    probabilities = LinearClassifier().fit(pairs[:700], labels[:700]).predict_proba(pairs[700:])
    np.testing.assert_allclose(probabilities, expected, atol=1e-5)


def test_on_pairs_the_overlap_decides_though_no_word_does():
    words = [f"word{number}" for number in range(30)]
    same = [(f"{a} {b}", f"{b} {a}") for a, b in itertools.pairwise(words)]
    other = [(f"{a} {b}", f"{c} {d}") for a, b, c, d in zip(words, words[1:], words[7:], words[9:], strict=False)]
    model = LinearClassifier().fit(same[5:] + other[5:], ["same"] * len(same[5:]) + ["other"] * len(other[5:]))
    assert model.predict(same[:5] + other[:5]).tolist() == ["same"] * 5 + ["other"] * 5


def test_three_classes_and_whole_numbers_as_labels():
    model = LinearClassifier().fit(["a", "b", "c", "a a", "b b", "c c"], [2, 5, 9, 2, 5, 9])
    assert model.predict(["a", "b", "c"]).tolist() == [2, 5, 9]


def test_texts_without_a_word_are_an_error():
    with pytest.raises(AssayError, match="none of 2 training texts contains a word"):
        LinearClassifier().fit(["", " ! "], [0, 1])
    with pytest.raises(AssayError, match="none of 4 training texts contains a word"):
        LinearClassifier().fit([("", "!"), (" ! ", "")], [0, 1])


def test_rare_words_can_be_left_out_unless_all_are_rare():
    texts, labels = ["good film", "good fun", "bad film", "bad plot"], [1, 1, 0, 0]
    model = LinearClassifier(char_ngrams=None, word_ngrams=(1, 1), min_word_count=2).fit(texts, labels)
    assert sorted(model.vocabularies_[0]) == ["bad", "film", "good"]
    model = LinearClassifier(char_ngrams=None, min_word_count=2).fit(["one", "two"], [0, 1])
    assert sorted(model.vocabularies_[0]) == ["one", "two"]


def test_words_alone_are_used_where_no_character_ngram_is_frequent_enough():
    model = LinearClassifier(min_char_count=3).fit(["one", "two"], [0, 1])
    assert [sorted(vocabulary) for vocabulary in model.vocabularies_] == [["one", "two"]]


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_a_saved_model_predicts_the_same_on_new_texts(tmp_path, pairs):
    X = [(text, text[::-1]) for text in TEXTS] if pairs else TEXTS
    new = [("a good plot", "toolp"), ("Σας", "")] if pairs else ["a good plot", "Σας"]
    model = LinearClassifier().fit(X, LABELS)
    model.save(tmp_path)
    np.testing.assert_array_equal(LinearClassifier.load(tmp_path).predict_proba(new), model.predict_proba(new))


def test_too_few_iterations_are_a_warning():
    with pytest.warns(ConvergenceWarning, match=r"not converged after 1 iterations \(max_iter\)"):
        LinearClassifier(max_iter=1).fit(TEXTS, LABELS)


def test_a_negative_penalty_is_an_error():
    with pytest.raises(UsageError, match="C must be above 0, not -1"):
        LinearClassifier(C=-1).fit(TEXTS, LABELS)


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
@pytest.mark.parametrize(
    "rows", [[0, 1, 2, 3], [3, 0, 5, 1], [2, 0, 1, 0, 0, 3]], ids=["ascending", "shuffled", "repeated"]
)
def test_rows_of_counted_texts_give_the_model_of_their_texts(pairs, rows):
    X = [(text, text[::-1]) for text in TEXTS] if pairs else TEXTS
    y = [LABELS[row] for row in rows]
    counted = CountedTexts(X)
    plain = LinearClassifier().fit([X[row] for row in rows], y)
    shared = LinearClassifier().fit(counted.take(rows), y)
    assert shared.vocabularies_ == plain.vocabularies_
    for test in ([4, 5], [5, 4, 4]):
        expected = plain.predict_proba([X[row] for row in test])
        np.testing.assert_array_equal(shared.predict_proba(counted.take(test)), expected)
        np.testing.assert_array_equal(shared.predict_proba([X[row] for row in test]), expected)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("assay.json", "[]", "a JSON object is expected"),
        ("assay.json", f'{{"model": {"9" * 5_000}}}', "a number has more than 4,300 digits"),
        ("assay.json", '{"model": "LinearClassifier"}', "the saved model is damaged"),
        ("arrays.npz", "cut", "the saved model is damaged .* Train it again"),
    ],
)
def test_a_damaged_saved_model_is_an_error(tmp_path, file, content, message):
    LinearClassifier().fit(TEXTS, LABELS).save(tmp_path)
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(AssayError, match=message):
        LinearClassifier.load(tmp_path)


def test_a_saved_model_without_classes_is_an_error(tmp_path):
    LinearClassifier().fit(TEXTS, LABELS).save(tmp_path)
    header = json.loads((tmp_path / "assay.json").read_text(encoding="utf-8"))
    (tmp_path / "assay.json").write_text(json.dumps({**header, "classes": []}), encoding="utf-8")
    with pytest.raises(AssayError, match="the saved model is damaged"):
        LinearClassifier.load(tmp_path)


def test_a_saved_model_with_a_very_long_term_is_an_error(tmp_path):
    LinearClassifier().fit(TEXTS, LABELS).save(tmp_path)
    header = json.loads((tmp_path / "assay.json").read_text(encoding="utf-8"))
    header["values"]["vocabularies"][1][0] = "x" * 100_000
    (tmp_path / "assay.json").write_text(json.dumps(header), encoding="utf-8")
    with pytest.raises(AssayError, match="its n-grams are too long"):
        LinearClassifier.load(tmp_path)


def test_arrays_that_unpack_to_far_more_than_their_file_are_refused(tmp_path):
    LinearClassifier().fit(TEXTS, LABELS).save(tmp_path)
    np.savez_compressed(tmp_path / "arrays.npz", weights=np.zeros(1 << 24))
    with pytest.raises(AssayError, match="unpacks to more than 250 times its size"):
        LinearClassifier.load(tmp_path)


def test_a_saved_vocabulary_that_does_not_fit_the_weights_is_an_error(tmp_path):
    LinearClassifier().fit(TEXTS, LABELS).save(tmp_path)
    header = json.loads((tmp_path / "assay.json").read_text(encoding="utf-8"))
    for vocabularies in ([], [[]], [header["values"]["vocabularies"][0][:-1]]):
        changed = {**header, "values": {**header["values"], "vocabularies": vocabularies}}
        (tmp_path / "assay.json").write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(AssayError, match="its vocabulary does not fit its weights"):
            LinearClassifier.load(tmp_path)
