"""Laws that hold for every feature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.features import FEATURES, Part
from assay.features.dataset_features import HEAVY, INTERACTING, dataset_features, measure

LIGHT = [name for name in FEATURES if name not in HEAVY]
SHARES = ["basic_words", "type_token_ratio", "language_mix", "pmi_top_words", "flesch_hard"]
WORDS = st.sampled_from("the a of is what it good bad film river don't 1998 éclair 中文 . ! ?".split())
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=12)


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("name", LIGHT)
def test_nothing_to_measure_is_undefined_and_says_why(name):
    found = FEATURES[name](Part.of(["", "  "]))
    assert found.value == 0 if name == "average_length" else math.isnan(found.value) and found.reason


@pytest.mark.parametrize("name", LIGHT)
@given(texts=TEXTS, seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_the_order_of_rows_changes_nothing(name, texts, seed):
    labels = [str(number % 3) for number in range(len(texts))]
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = Part.of([texts[row] for row in order], [labels[row] for row in order])
    assert same(FEATURES[name](Part.of(texts, labels)).value, FEATURES[name](shuffled).value)


@pytest.mark.parametrize("name", SHARES)
@given(texts=TEXTS)
@settings(max_examples=25, deadline=None)
def test_shares_lie_between_0_and_1(name, texts):
    value = FEATURES[name](Part.of(texts, [str(number % 2) for number in range(len(texts))])).value
    assert math.isnan(value) or 0 <= value <= 1


def test_heavy_features_run_only_when_asked_for():
    found = measure(Part.of(["the cat"]))
    assert all("--features all" in str(found[name].reason) for name in HEAVY)


def test_the_interaction_covers_the_features_the_paper_names():
    part = Part.of(["the cat is good", "it is bad"], ["a", "b"])
    found = dataset_features({"train": part, "test": part})
    assert set(found.parts["interaction"]) == set(INTERACTING)
    assert found.parts["interaction"]["average_length"].value == 0


def test_english_features_say_that_another_language_is_not_english():
    german = ["Der König hat einen Sohn, der nicht reiten kann.", "Wir gehen heute ins Kino und danach nach Hause."]
    for name in ("flesch", "flesch_hard", "basic_words", "grammar_errors"):
        found = FEATURES[name](Part.of(german))
        assert math.isnan(found.value)
        assert "English" in str(found.reason)
