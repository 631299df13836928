"""The drift study of paper 004, A.5."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.kinds import read
from assay.models.studies.drift import drift


def dated(n=400):
    """Texts whose deciding words turn over year by year, so that old training is of no use."""
    draw = np.random.default_rng(0)
    rows = []
    for number in range(n):
        label = int(draw.integers(2))
        age = number * 8 // n
        letter = 2 * (age if draw.random() < 0.7 else min(7, age + 1)) + label
        word = "abcdefghijklmnop"[letter] * 3
        rows.append({"text": f"the {word} thing", "label": "ab"[label], "date": f"{2000 + number * 8 // n}-01-01"})
    return read(rows, time="date")


def test_older_training_scores_lower_and_the_correlation_says_so():
    found = drift(dated(), n_slices=6)
    scores = [row.score for row in found.slices]
    assert scores[0] > scores[-1]
    assert found.correlations[0].spearman.value < -0.5
    assert found.correlations[0].pearson < 0
    halves = {row.slice: row.score for row in found.halves}
    assert halves["recent half"] > halves["old half"]


def test_slices_have_one_size_and_gaps_grow():
    found = drift(dated(), n_slices=6)
    assert len({row.n_train for row in found.slices}) == 1
    gaps = [row.gap_days for row in found.slices]
    assert gaps == sorted(gaps)
    assert found.n_test == 40


def test_words_that_changed_are_named():
    words = {change.word: change for change in drift(dated(), n_slices=3).words}
    assert words["aaa"].share_before > words["aaa"].share_after
    assert "the" not in words


def test_a_slice_with_one_class_is_left_out_and_said():
    data = dated(200)
    labels = ["a"] * 40 + data.labels.to_list()[40:]
    found = drift(read({"text": data.texts, "label": labels, "date": data.times}, time="date"), n_slices=6)
    assert found.notes == ["Left out, for they hold one class only: slice 6."]
    assert len(found.slices) == 5


def test_without_dates_or_with_too_few_rows_it_is_said(texts):
    with pytest.raises(AssayError, match="no column with dates; name one with --time"):
        drift(read({"text": texts[0], "label": texts[1]}))
    with pytest.raises(AssayError, match="10 rows with a date are too few for 8 training slices"):
        drift(dated(10))


def test_the_commands_show_tables(run, tmp_path):
    path = tmp_path / "data.tsv"
    data = dated(200)
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
