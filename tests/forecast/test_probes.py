"""Probes of a dataset."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import MultinomialNB

from assay.features import LabelledTexts
from assay.forecast.features import COLUMNS, describe_dataset
from assay.forecast.probes import compute_similarities, score_naive_bayes, score_ridge

WORDS = [f"word{number}" for number in range(60)]


def draw_dataset(n=400, seed=0, signal=True):
    """Texts whose label shows in which half of the words they draw from."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    texts = []
    for label in labels:
        weights = np.ones(60)
        weights[30 * label : 30 * label + 30] = 4 if signal else 1
        texts.append(" ".join(rng.choice(WORDS, 12, p=weights / weights.sum())))
    return texts, [str(label) for label in labels]


def measure(signal=True):
    texts, labels = draw_dataset(signal=signal)
    return describe_dataset(texts, labels, np.arange(300), np.arange(300, 400))


def test_all_columns_are_there_and_probes_are_measured():
    values = measure()
    assert list(values) == COLUMNS
    assert all(np.isfinite(value) for name, value in values.items() if name.startswith("probe."))
    assert np.isnan(values["train.grammar_errors"])


def test_probes_see_a_signal_and_none_if_there_is_none():
    clear, noise = measure(), measure(signal=False)
    for name in ("probe.nb", "probe.ridge", "probe.neighbours", "probe.letters"):
        assert clear[name] > 85
        assert noise[name] < 65


def test_naive_bayes_agrees_with_scikit_learn():
    texts, labels = draw_dataset()
    part = LabelledTexts.from_texts(texts, labels)
    counts = part.corpus.counts()
    found, _ = score_naive_bayes(counts[:300], counts[300:], part.labels[:300], part.labels[300:], 2)
    binary = (counts > 0).astype(float)
    model = MultinomialNB(class_prior=(np.bincount(part.labels[:300]) + 1) / 302)
    expected = model.fit(binary[:300], part.labels[:300]).score(binary[300:], part.labels[300:])
    assert found == pytest.approx(100 * expected)


def test_similarities_and_ridge_agree_with_scikit_learn():
    texts, labels = draw_dataset()
    part = LabelledTexts.from_texts(texts, labels)
    counts = part.corpus.counts()
    vectors = TfidfVectorizer(sublinear_tf=True).fit(texts[:300])
    train, test = vectors.transform(texts[:300]), vectors.transform(texts[300:])
    kernels = compute_similarities(counts[:300], counts[300:])
    assert np.allclose(kernels[1], (test @ train.T).toarray())
    wishes = 2.0 * (part.labels[:300, None] == np.arange(2)) - 1
    model = Ridge(alpha=1.0, fit_intercept=False).fit(train, wishes - wishes.mean(axis=0))
    expected = (model.predict(test) + wishes.mean(axis=0)).argmax(axis=1) == part.labels[300:]
    assert score_ridge(kernels, part.labels[:300], part.labels[300:], 2) == pytest.approx(100 * expected.mean())


def test_pairs_tell_how_far_overlap_alone_gets():
    rng = np.random.default_rng(0)
    left = [" ".join(rng.choice(WORDS, 8, replace=False)) for _ in range(400)]
    same = rng.integers(0, 2, 400)
    right = [a if s else " ".join(rng.choice(WORDS, 8, replace=False)) for a, s in zip(left, same, strict=True)]
    joined = [f"{a}\n{b}" for a, b in zip(left, right, strict=True)]
    labels = [str(s) for s in same]
    values = describe_dataset(joined, labels, np.arange(300), np.arange(300, 400), sides=(left, right))
    assert values["probe.pair"] == 1
    assert values["probe.overlap_gain"] > 40


def test_words_beyond_the_first_64_do_not_matter_to_probes():
    texts, labels = draw_dataset()
    longer = [text + " filler" * 60 + " tail" * 9 for text in texts]
    rows = (np.arange(300), np.arange(300, 400))
    cut = [" ".join(text.split()[:64]) for text in longer]
    one, two = (describe_dataset(some, labels, *rows) for some in (longer, cut))
    assert {k: v for k, v in one.items() if "probe" in k} == {k: v for k, v in two.items() if "probe" in k}
