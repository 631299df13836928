"""Texts that are counted once for all models."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest

from assay.models import CountedTexts, LinearClassifier
from assay.models.fitting import FitTask, run_fits
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.text.tokenization import TOKENIZATIONS

TEXTS = ["a good film", "good fun", "a bad film", "bad plot", "so good", "so bad"] * 4
LABELS = ["pos", "pos", "neg", "neg", "pos", "neg"] * 4
PAIRS = [(text, text.upper()) for text in TEXTS]


def folds():
    rows = np.arange(len(TEXTS))
    return [RowSplit(rows[rows % 3 != fold], NO_ROWS, rows[rows % 3 == fold]) for fold in range(3)]


@pytest.mark.parametrize("X", [TEXTS, PAIRS], ids=["texts", "pairs"])
def test_it_is_a_sequence_of_the_items(X):
    counted = CountedTexts(X)
    assert list(counted) == X
    assert counted[-1] == X[-1]
    assert list(counted[1:3]) == X[1:3]
    assert list(counted.take([3, 1]).take([1])) == [X[1]]
    assert list(counted.take(np.arange(len(X)) < 2)) == X[:2]


@pytest.mark.parametrize("X", [TEXTS, PAIRS], ids=["texts", "pairs"])
def test_all_fits_tokenize_the_texts_once(X):
    n_calls, n_texts = TOKENIZATIONS.calls, TOKENIZATIONS.texts
    fits = [FitTask("linear", rows, settings) for rows in folds() for settings in ({}, {"word_ngrams": (1, 1)})]
    run_fits(fits, X, LABELS)
    assert TOKENIZATIONS.calls == n_calls + 1
    assert TOKENIZATIONS.texts == n_texts + len(np.ravel(X))


def test_several_calls_share_the_counts():
    counted = CountedTexts(TEXTS)
    n_calls = TOKENIZATIONS.calls
    for rows in folds():
        run_fits([FitTask("linear", rows)], counted, LABELS)
    assert TOKENIZATIONS.calls == n_calls + 1


@pytest.mark.parametrize("backend", [None, "threads", "processes"])
def test_the_bytes_do_not_depend_on_jobs_or_back_end(backend):
    fits = [FitTask("linear", rows) for rows in folds()]
    alone = run_fits(fits, TEXTS, LABELS)
    together = run_fits(fits, TEXTS, LABELS, n_jobs=2, backend=backend)
    for one, other in zip(alone, together, strict=True):
        assert one.probabilities.tobytes() == other.probabilities.tobytes()


def test_hash_and_pickle_depend_on_the_texts_alone():
    counted = CountedTexts(TEXTS)
    before = joblib.hash(counted.take([0, 1, 2]))
    LinearClassifier().fit(counted, LABELS)
    assert joblib.hash(counted.take([0, 1, 2])) == before == joblib.hash(CountedTexts(TEXTS[:3]))
    assert list(pickle.loads(pickle.dumps(counted.take([4, 2])))) == [TEXTS[4], TEXTS[2]]
