"""Labels and ids of predictions are compared as the data means them."""

from __future__ import annotations

import pytest

import assay
from assay.base.errors import AssayError
from assay.evaluation import Predictions, read_predictions
from assay.kinds import read


def make_data(labels, **columns):
    return read(
        {"id": [str(n) for n in range(len(labels))], "text": [f"t {n}" for n in labels], "label": labels, **columns}
    )


def test_predicted_numbers_are_compared_by_value():
    data = make_data(["1", "0", "1", "0"])
    rows = [
        {"id": str(n), "gold": gold, "x": label}
        for n, (gold, label) in enumerate(zip(["1.0", "0.0", "1.0", "0.0"], ["1.0", "0.00", "0", "0"], strict=True))
    ]
    assert read_predictions(rows, data).outcomes().tolist() == [[1, 1, 0, 1]]
    assert read_predictions(rows).outcomes().tolist() == [[1, 1, 0, 1]]


def test_arrays_of_numbers_are_compared_by_value():
    predictions = Predictions.from_arrays(
        [1, 0, 1], {"x": [1.0, 0.0, 0.0]}, probabilities={"x": {"1.0": [0.9, 0.2, 0.3]}}
    )
    assert predictions.outcomes().tolist() == [[1, 1, 0]]
    assert list(predictions.systems["x"].probabilities) == ["1"]


def test_probability_columns_are_matched_by_value():
    rows = [
        {"id": "0", "gold": "1", "system": "x", "predicted": "1.0", "prob:1.0": 0.9, "prob:0.0": 0.1},
        {"id": "1", "gold": "0", "system": "x", "predicted": "0.0", "prob:1.0": 0.2, "prob:0.0": 0.8},
    ]
    assert set(read_predictions(rows).systems["x"].probabilities) == {"0", "1"}


def test_a_rare_minus_one_is_a_label_where_a_system_predicts_it():
    labels = ["-1", *["0", "1"] * 20]
    data = make_data(labels)
    assert data.labels.null_count() == 1
    rows = [{"id": str(n), "x": label, "y": "0"} for n, label in enumerate(labels)]
    predictions = read_predictions(rows, data)
    assert len(predictions) == 41
    assert predictions.outcomes()[0].all()
    assert "-1 is a label: systems predict it (1 items have it)." in predictions.notes
    without = read_predictions([{"id": row["id"], "y": "0"} for row in rows], data)
    assert len(without) == 40


@pytest.mark.parametrize("part", ["train", "test"])
def test_ids_that_restart_are_matched_with_the_part_that_has_them(part):
    rows = {"id": [*map(str, range(6)), *map(str, range(4))], "text": list("abcdefghij"), "label": ["p", "n"] * 5}
    data = read(rows | {"split": ["train"] * 6 + ["test"] * 4})
    n = {"train": 6, "test": 4}[part]
    predictions = read_predictions([{"id": str(number), "x": "p"} for number in range(n)], data)
    assert predictions.ids.tolist() == [f"{part}-{number}" for number in range(n)]
    assert f"Ids restart in each part of the data; predictions are matched with {part}." in predictions.notes


def test_many_unknown_ids_next_to_items_without_predictions_are_an_error():
    ids = [str(number) for number in range(1, 41)]
    data = assay.read({"id": ids, "text": [f"text {name}" for name in ids], "label": ["a", "b"] * 20})
    shifted = {"id": [str(2 * number) for number in range(1, 41)], "x": ["a", "b"] * 20}
    with pytest.raises(
        AssayError, match=r"20 of its 40 ids are not in the data .* 20 items of the data have no predic"
    ):
        assay.evaluate(data, shifted)
    more = {"id": [str(number) for number in range(1, 81)], "x": ["a", "b"] * 40}
    assert any("40 predicted ids are not in the data" in note for note in assay.evaluate(data, more).notes)
    sampled = assay.read(data.frame, sample=10)
    predicted = {"id": ids[:30], "x": ["a", "b"] * 15}
    assert any("predicted ids are not in the data" in note for note in assay.evaluate(sampled, predicted).notes)


def test_draws_that_are_coded_as_0_are_pointed_out():
    ids = [str(number) for number in range(6)]
    preferences = {"id": ids, "x": ["1", "2", "0", "1", "2", "0"]}
    assert any("2 are 0. If these are preferences" in note for note in read_predictions(preferences).notes)
    shares = {"id": ids, "x": ["1", "0.5", "0", "1", "1", "0"]}
    assert not any("preferences" in note for note in read_predictions(shares).notes)
