"""Predictions for rows that were not learnt, under several splits."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.kinds import read
from assay.models import LinearClassifier, cross_validate, predict_with_quick_systems
from assay.models.cross_validation import HeldOutPredictions, OutOfFoldPredictions, select_trainable
from assay.models.split_drawing import RANDOM, STANDARD

SETTINGS = {"char_ngrams": None}


@pytest.fixture(scope="module")
def data(texts):
    return read({"text": texts[0], "label": texts[1], "split": ["train"] * 60 + ["test"] * 20})


@pytest.fixture(scope="module")
def predictions(data):
    return cross_validate(data, {"linear": SETTINGS}, splits=("length", "temporal"))


def test_random_folds_hold_every_item_out_once(predictions):
    rows = np.concatenate([fold.rows for fold in predictions.select(RANDOM)])
    assert sorted(rows.tolist()) == list(range(80))
    assert sorted(set(predictions.folds[RANDOM].tolist())) == [1, 2, 3, 4, 5]
    assert np.allclose(predictions.average_probabilities().sum(axis=1), 1)


def test_probabilities_match_a_model_fitted_without_the_fold(predictions, data):
    fold = predictions.select(RANDOM)[0]
    texts, labels = data.texts.to_list(), data.labels.to_list()
    train = [row for row in range(80) if row not in set(fold.rows.tolist())]
    model = LinearClassifier(**SETTINGS).fit([texts[row] for row in train], [labels[row] for row in train])
    assert np.array_equal(model.predict_proba([texts[row] for row in fold.rows]), fold.probabilities)


def test_own_parts_and_challenging_splits_are_scored_and_missing_ones_are_noted(predictions):
    assert predictions.splits == [RANDOM, STANDARD, "length"]
    assert predictions.notes == ["The temporal split is left out: there is no column with dates."]
    rows, right = predictions.score_items(STANDARD)
    assert rows.tolist() == list(range(60, 80))
    frame = predictions.to_frame()
    assert dict(zip(frame["split"], frame["n"], strict=True)) == {RANDOM: 80, STANDARD: 20, "length": 16}
    assert frame.filter(split=STANDARD)["accuracy"].item() == right.mean()
    assert "80 items, 2 labels: random" in repr(predictions)


def test_the_average_over_models_is_geometric():
    tables = {"a": np.array([[0.8, 0.2]]), "b": np.array([[0.2, 0.8]]), "c": np.array([[0.8, 0.2]])}
    parts = [
        HeldOutPredictions(RANDOM, name, 1, np.array([0]), table, table.argmax(axis=1))
        for name, table in tables.items()
    ]
    found = OutOfFoldPredictions(None, ["x", "y"], np.array([0]), parts, {}, [])
    odds = (0.8 * 0.2 * 0.8 / (0.2 * 0.8 * 0.2)) ** (1 / 3)
    assert found.average_probabilities()[0] == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])


def test_rare_labels_are_left_out_and_too_few_items_are_an_error(texts):
    data = read({"text": [*texts[0], "one", "two"], "label": [*texts[1], "rare", "rare"]})
    assert select_trainable(data).label_names == ["neg", "pos"]
    with pytest.raises(AssayError, match="40 labelled items are too few to train on; at least 50 are needed"):
        select_trainable(data.take(range(40)))


def test_quick_systems_predict_the_test_part(data):
    predictions = predict_with_quick_systems(data)
    assert predictions.names == [
        "linear (words)",
        "linear (words, cautious)",
        "linear (word pairs)",
        "linear (words and characters)",
    ]
    assert list(predictions.ids) == [str(number) for number in range(60, 80)]
    assert np.nanmean(predictions.outcomes()) > 0.9
