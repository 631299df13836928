"""The stress table of Søgaard et al. (2021)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.kinds import read
from assay.models.drops import compute_error_reduction
from assay.models.split_studies.new_sample import expected_accuracy
from assay.models.split_studies.stress_table import FamilyScore, StressTable, build_stress_table, find_flips


@pytest.fixture
def data(texts):
    parts = ["train"] * 60 + ["test"] * 20
    return read({"text": texts[0], "label": texts[1], "split": parts}, label="label", text=["text"])


def test_every_family_has_a_row_with_its_draws(data):
    table = build_stress_table(data, splits=["standard", "random", "length"], n_repeats=3)
    assert [(row.split, row.n_draws) for row in table.rows] == [("standard", 1), ("random", 3), ("length", 1)]
    assert table.rows[0].n_test == 20
    assert table.rows[1].score == pytest.approx(np.mean(table.rows[1].scores))
    assert math.isnan(table.rows[0].score_std)
    assert table.to_frame()["split"].to_list() == ["standard", "random", "length"]
    assert StressTable.from_dict(table.to_dict()).to_dict() == table.to_dict()


def test_a_family_the_data_cannot_give_is_left_out_with_a_note(data):
    table = build_stress_table(data, splits=["random", "temporal"], n_repeats=2)
    assert {row.split for row in table.rows} == {"random"}
    assert "The temporal split is left out: there is no column with dates" in table.notes[0]
    with pytest.raises(AssayError, match="none of the splits temporal can be made"):
        build_stress_table(data, splits=["temporal"])


def test_an_unknown_family_is_an_error(data):
    with pytest.raises(UsageError, match="No split 'lenght'"):
        build_stress_table(data, splits=["lenght"])


def test_error_reduction_counts_what_guessing_gets_wrong():
    train, test = np.array(["a"] * 3 + ["b"]), np.array(["a", "b"])
    assert expected_accuracy(train, test) == 0.5
    assert compute_error_reduction(0.9, 0.5) == pytest.approx(0.8)
    assert math.isnan(compute_error_reduction(1.0, 1.0))


def test_models_that_change_places_are_flips():
    def row(split, model, value):
        return FamilyScore(split, model, value, value, 0.0, 1, 10, [value])

    rows = [row("random", "a", 0.9), row("random", "b", 0.8), row("length", "a", 0.4), row("length", "b", 0.6)]
    (flip,) = find_flips(rows)
    assert (flip.split, flip.other_split, flip.better, flip.better_there) == ("random", "length", "a", "b")


def test_a_new_sample_is_scored_and_checked(data, texts):
    near = read({"text": texts[0][:40], "label": texts[1][:40]})
    table = build_stress_table(data, splits=["random"], n_repeats=2, new_sample=near)
    assert table.new_sample.in_domain
    assert table.new_sample.scores[0].score > 0.9
    expected = (table.rows[0].error_reduction - table.new_sample.scores[0].error_reduction) ** 2
    assert table.errors[0].mse == pytest.approx(expected)
    far = read({"text": [f"zebra zoo {text.split()[-1]}" for text in texts[0][:40]], "label": texts[1][:40]})
    assert not build_stress_table(data, splits=["random"], n_repeats=1, new_sample=far).new_sample.in_domain
    other = read({"text": ["x", "y"], "label": ["1", "2"]})
    with pytest.raises(AssayError, match="shares no label"):
        build_stress_table(data, splits=["random"], n_repeats=1, new_sample=other)
