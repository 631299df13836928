"""Scores by the age of the training data (Søgaard et al. 2021, A.5)."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.kinds import read
from assay.models.split_studies.training_age import study_training_age


def make_data(n=400):
    """Texts whose deciding words turn over year by year, so that old training is useless."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(n):
        label = int(rng.integers(2))
        age = number * 8 // n
        letter = 2 * (age if rng.random() < 0.7 else min(7, age + 1)) + label
        word = "abcdefghijklmnop"[letter] * 3
        rows.append({"text": f"the {word} thing", "label": "ab"[label], "date": f"{2000 + number * 8 // n}-01-01"})
    return read(rows, time="date")


def test_older_training_scores_lower_and_the_correlation_is_negative():
    found = study_training_age(make_data(), n_slices=6)
    scores = [row.score for row in found.slices]
    assert scores[0] > scores[-1]
    assert found.correlations[0].spearman.value < -0.5
    assert found.correlations[0].pearson < 0
    halves = {row.slice: row.score for row in found.halves}
    assert halves["recent half"] > halves["old half"]


def test_slices_have_one_size_and_gaps_grow():
    found = study_training_age(make_data(), n_slices=6)
    assert len({row.n_train for row in found.slices}) == 1
    gaps = [row.gap_days for row in found.slices]
    assert gaps == sorted(gaps)
    assert found.n_test == 40


def test_words_that_changed_are_listed():
    words = {change.word: change for change in study_training_age(make_data(), n_slices=3).words}
    assert words["aaa"].share_before > words["aaa"].share_after
    assert "the" not in words


def test_a_slice_with_one_class_is_left_out_with_a_note():
    data = make_data(200)
    labels = ["a"] * 40 + data.labels.to_list()[40:]
    found = study_training_age(read({"text": data.texts, "label": labels, "date": data.times}, time="date"), n_slices=6)
    assert found.notes == ["Left out because they hold one class only: slice 6."]
    assert len(found.slices) == 5


def test_missing_dates_and_too_few_rows_are_errors(texts):
    with pytest.raises(AssayError, match="there is no column with dates"):
        study_training_age(read({"text": texts[0], "label": texts[1]}))
    with pytest.raises(AssayError, match="10 rows with a date are too few for 8 training slices"):
        study_training_age(make_data(10))


def test_the_command_shows_tables(run, tmp_path):
    path = tmp_path / "data.tsv"
    data = make_data(200)
    lines = [
        f"{text}\t{label}\t{time}\n" for text, label, time in zip(data.texts, data.labels, data.times, strict=True)
    ]
    path.write_text("text\tlabel\tdate\n" + "".join(lines), encoding="utf-8")
    done = run("train", path, "--study", "drift", "--time", "date", "--slices", "4", "--no-cache")
    assert done.returncode == 0, done.stderr
    assert "Gap and score" in done.stdout
    done = run("train", path, "--splits", "standard,random,temporal", "--time", "date", "--repeats", "2", "--no-cache")
    assert done.returncode == 0, done.stderr
    assert "Scores by split family" in done.stdout
    assert "The standard split is left out" in done.stderr
