"""LinearClassifier is a scikit-learn classifier: its checks on matrices, and the same conventions on texts."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.base.errors import AssayError
from assay.models import MODELS, CountedTexts, LinearClassifier

TEXTS = ["a good film", "good fun", "a bad film", "bad plot", "so good", "so bad", "dull", "dull film"]
TWO = ["pos", "pos", "neg", "neg", "pos", "neg", "neg", "neg"]
KINDS = [np.asarray, sp.csr_matrix, sp.csc_array, pd.DataFrame, list]
THREE = ["pos", "pos", "neg", "neg", "pos", "neg", "dull", "dull"]
every_number_of_classes = pytest.mark.parametrize("labels", [TWO, THREE], ids=["two classes", "three classes"])


@parametrize_with_checks([LinearClassifier(), LinearClassifier(C=0.5, class_weight="balanced", char_ngrams=None)])
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


def make_matrix(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 5))
    return X, (X @ rng.normal(size=(5, n_classes))).argmax(axis=1)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
def test_a_matrix_of_any_type_gives_the_model_of_scikit_learn(n_classes, make):
    X, y = make_matrix(n_classes)
    expected = LogisticRegression().fit(X, y)
    model = LinearClassifier().fit(make(X), y)
    np.testing.assert_allclose(model.coef_, expected.coef_, atol=1e-4)
    np.testing.assert_allclose(model.decision_function(make(X)), expected.decision_function(X), atol=1e-3)
    assert model.n_features_in_ == 5


@every_number_of_classes
@pytest.mark.parametrize("wrap", [list, np.array, pd.Series, CountedTexts], ids=lambda wrap: wrap.__name__)
def test_decision_and_probabilities_of_texts_agree(labels, wrap):
    model = LinearClassifier().fit(wrap(TEXTS), labels)
    scores, probabilities = model.decision_function(wrap(TEXTS)), model.predict_proba(wrap(TEXTS))
    if len(model.classes_) == 2:
        assert scores.shape == (8,)
        np.testing.assert_allclose(1 / (1 + np.exp(-scores)), probabilities[:, 1])
        assert model.predict(TEXTS).tolist() == model.classes_[(scores > 0).astype(int)].tolist()
    else:
        assert scores.shape == (8, 3)
        odds = np.exp(scores)
        np.testing.assert_allclose(odds / odds.sum(axis=1, keepdims=True), probabilities)
        assert model.predict(TEXTS).tolist() == model.classes_[scores.argmax(axis=1)].tolist()


@every_number_of_classes
@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_texts_of_weight_zero_are_left_out(labels, pairs):
    X = [(text, text[::-1]) for text in TEXTS] if pairs else TEXTS
    extra = X[0][::-1] if pairs else "never seen"
    expected = LinearClassifier().fit(X, labels)
    model = LinearClassifier().fit([extra, *X], ["other", *labels], sample_weight=[0.0] + [1.0] * 8)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert model.vocabularies_ == expected.vocabularies_
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


def test_weights_of_texts_are_those_of_the_loss():
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 1.0, 1.0])
    model = LinearClassifier().fit(TEXTS, TWO, sample_weight=weights)
    by_class = LinearClassifier(class_weight={"pos": 2.0, "neg": 1.0}).fit(TEXTS, TWO)
    as_weights = LinearClassifier().fit(TEXTS, TWO, sample_weight=[2.0 if label == "pos" else 1.0 for label in TWO])
    assert not np.allclose(model.coef_, LinearClassifier().fit(TEXTS, TWO).coef_)
    np.testing.assert_array_equal(by_class.coef_, as_weights.coef_)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"8 items but sample_weight of shape \(1,\)"),
        ([-1.0] + [1.0] * 7, "a weight in sample_weight is negative or not finite"),
        ([float("nan")] + [1.0] * 7, "a weight in sample_weight is negative or not finite"),
        ([0.0] * 8, "all weights in sample_weight are zero"),
        ([1.0, 1.0] + [0.0] * 6, r"only one class \('pos'\) among 2 training items"),
    ],
)
def test_bad_weights_are_errors(weights, message):
    with pytest.raises(AssayError, match=message):
        LinearClassifier().fit(TEXTS, TWO, sample_weight=weights)


def test_a_pickled_model_of_texts_predicts_the_same():
    model = LinearClassifier().fit(TEXTS, TWO)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(TEXTS), model.predict_proba(TEXTS))


def test_a_saved_model_of_a_matrix_keeps_its_columns(tmp_path):
    X, y = make_matrix(3)
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = LinearClassifier().fit(frame, y)
    model.save(tmp_path)
    loaded = LinearClassifier.load(tmp_path)
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert loaded.feature_names_in_.tolist() == list("abcde")
    assert (loaded.n_features_in_, loaded.n_iter_) == (5, model.n_iter_)
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(frame[list("edcba")])


def test_a_second_fit_forgets_the_first():
    X, y = make_matrix(2)
    model = LinearClassifier().fit(X, y)
    with pytest.raises(ValueError, match="could not convert string to float"):
        model.predict(np.array(TEXTS))
    model.fit(TEXTS, TWO)
    assert not hasattr(model, "n_features_in_")
    with pytest.raises(AssayError, match="X holds texts, or pairs of two texts each"):
        model.predict(X)
    assert model.predict(["good"]).tolist() == ["pos"]


def test_a_failed_fit_leaves_the_model_unfitted():
    model = LinearClassifier()
    with pytest.raises(AssayError, match="two classes are needed"):
        model.fit(TEXTS, ["pos"] * 8)
    with pytest.raises(NotFittedError, match="is not fitted yet"):
        model.decision_function(TEXTS)


def test_scikit_learn_can_search_its_settings_and_score_its_decisions_on_texts():
    X, y = np.array(TEXTS * 3), np.array(TWO * 3)
    search = GridSearchCV(LinearClassifier(), {"C": [0.1, 5.0], "char_ngrams": [None, (2, 3)]}, cv=2).fit(X, y)
    assert set(search.best_params_) == {"C", "char_ngrams"}
    assert cross_val_score(LinearClassifier(), X, y, scoring="roc_auc", cv=2).mean() == 1.0


@pytest.mark.parametrize("name", list(MODELS))
def test_every_classifier_tells_scikit_learn_what_it_takes(name):
    tags = get_tags(MODELS[name]())
    assert (tags.estimator_type, tags.input_tags.string, tags.target_tags.required) == ("classifier", True, True)
    assert tags.input_tags.two_d_array == tags.input_tags.sparse == (name == "linear")
    assert clone(MODELS[name]()).get_params() == MODELS[name]().get_params()
