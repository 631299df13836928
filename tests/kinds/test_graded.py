"""Grades: baselines with intervals, and splits stratified by tenths."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.kinds import kind_of, read


def make_pairs(n=150, noise=0.1, seed=0):
    """Make pairs whose grade is the share of common words, and some noise."""
    rng = np.random.default_rng(seed)
    rows = {"sentence1": [], "sentence2": [], "score": []}
    for _ in range(n):
        words = [f"w{number}" for number in rng.choice(500, 8, replace=False)]
        shared = int(rng.integers(0, 9))
        others = [f"v{number}" for number in rng.choice(500, 8 - shared, replace=False)]
        rows["sentence1"].append(" ".join(words))
        rows["sentence2"].append(" ".join(words[:shared] + others))
        rows["score"].append(str(round(5 * shared / 8 + noise * rng.normal(), 3)))
    return rows


def test_overlap_is_found_where_it_is_the_grade():
    data = read(make_pairs())
    result = assay.evaluate(data, {"gold": data.labels.to_list()}, compare=False)
    scores = {row.baseline: row for row in result.baselines}
    assert scores["overlap"].low > 0.9
    assert scores["length"].high < 0.5
    assert scores["ridge-words"].value > 0.8
    rng = np.random.default_rng(1)
    shuffled = read(make_pairs() | {"score": rng.permutation(make_pairs()["score"]).tolist()})
    clean = assay.evaluate(shuffled, {"gold": shuffled.labels.to_list()}, compare=False)
    assert all(row.low < 0.2 for row in clean.baselines)


def test_errors_of_baselines_are_on_the_scale_of_the_grades():
    data = read(make_pairs())
    result = assay.evaluate(data, {"gold": data.labels.to_list()}, metrics="rmse", compare=False)
    assert {row.baseline: row.value for row in result.baselines}["overlap"] < 0.3


def test_single_texts_have_length_and_words():
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 30, size=80)
    data = read({"text": [" ".join(["word"] * size) for size in sizes], "score": [str(size / 4) for size in sizes]})
    scores = {row.baseline: row.value for row in assay.evaluate(data, {"x": data.labels.to_list()}).baselines}
    assert set(scores) == {"length", "frequent-words", "ridge-words"}
    assert scores["length"] == pytest.approx(1.0, abs=0.02)


def test_the_stratified_split_keeps_tenths_even():
    data = read(make_pairs(200))
    sizes = assay.split(data, "stratified", n_splits=4).sizes
    names = list(sizes[0].labels)
    assert 8 <= len(names) <= 10
    for name in names:
        shares = [size.labels[name] * size.n for size in sizes]
        assert max(shares) - min(shares) <= 1


def test_the_spread_of_grades_is_described():
    data = read(make_pairs(40))
    figures = {figure.name: figure.value for figure in kind_of(data).texts.describe_items(data).figures}
    grades = np.array(data.labels.to_list(), dtype=float)
    assert figures["mean grade"] == pytest.approx(grades.mean())
    assert figures["highest grade"] == grades.max()
