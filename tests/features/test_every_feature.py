"""Laws that hold for every feature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.marks import unmarked_fields

from assay.base.errors import UsageError
from assay.features import (
    FEATURES,
    HEAVY_FEATURES,
    INTERACTION_FEATURES,
    PAPER_FEATURES,
    LabelledTexts,
    measure_features,
)
from assay.features.dataset_features import DatasetFeatures, measure_part

LIGHT = [name for name in FEATURES if name not in HEAVY_FEATURES]
SHARES = ["basic_words", "type_token_ratio", "language_mix", "pmi_top_words", "flesch_hard"]
WORDS = st.sampled_from("the a of is what it good bad film river don't 1998 éclair 中文 . ! ?".split())
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=12)


def is_same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize("name", LIGHT)
def test_texts_without_words_are_undefined_with_a_reason(name):
    value = FEATURES[name](LabelledTexts.from_texts(["", "  "]))
    assert value.value == 0 if name == "average_length" else math.isnan(value.value) and value.reason


@pytest.mark.parametrize("name", LIGHT)
@given(texts=TEXTS, seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_the_order_of_rows_changes_nothing(name, texts, seed):
    labels = [str(number % 3) for number in range(len(texts))]
    order = np.random.default_rng(seed).permutation(len(texts))
    shuffled = LabelledTexts.from_texts([texts[row] for row in order], [labels[row] for row in order])
    assert is_same(FEATURES[name](LabelledTexts.from_texts(texts, labels)).value, FEATURES[name](shuffled).value)


@pytest.mark.parametrize("name", SHARES)
@given(texts=TEXTS)
@settings(max_examples=25, deadline=None)
def test_shares_lie_between_0_and_1(name, texts):
    value = FEATURES[name](LabelledTexts.from_texts(texts, [str(number % 2) for number in range(len(texts))])).value
    assert math.isnan(value) or 0 <= value <= 1


def test_heavy_features_are_measured_only_on_request():
    values = measure_part(LabelledTexts.from_texts(["the cat"]))
    assert {values[name].reason for name in HEAVY_FEATURES} == {'slow: measured when features is "all"'}


def test_the_interaction_covers_the_features_the_paper_names():
    part = LabelledTexts.from_texts(["the cat is good", "it is bad"], ["a", "b"])
    features = measure_features({"train": part, "test": part})
    assert set(features.interaction) == set(INTERACTION_FEATURES)
    assert features.interaction["average_length"] == 0


def test_the_features_of_the_paper_are_registered():
    assert set(PAPER_FEATURES) == set(FEATURES)


def test_features_survive_json_and_are_a_table():
    part = LabelledTexts.from_texts(["the cat is good", "it is bad"], ["a", "b"])
    for parts in ({"train": part, "test": part}, {"all": part}):
        features = measure_features(parts)
        assert DatasetFeatures.from_dict(features.to_dict()).to_dict() == features.to_dict()
        assert features.to_frame().columns == ["feature", *features.parts]
        assert features.to_frame()["feature"].to_list() == list(FEATURES)
    assert list(unmarked_fields(DatasetFeatures)) == []


def test_other_parts_than_train_and_test_are_an_error():
    with pytest.raises(UsageError, match="the parts are train, dev"):
        measure_features(dict.fromkeys(["train", "dev"], LabelledTexts.from_texts(["a"])))


def test_english_features_are_undefined_in_another_language():
    german = ["Der König hat einen Sohn, der nicht reiten kann.", "Wir gehen heute ins Kino und danach nach Hause."]
    for name in ("flesch", "flesch_hard", "basic_words", "grammar_errors"):
        value = FEATURES[name](LabelledTexts.from_texts(german))
        assert math.isnan(value.value)
        assert "English" in str(value.reason)
