from __future__ import annotations

import pytest

import assay
from assay.difficulty import PairDifficulty, TextDifficulty, pair_difficulty, rate_difficulty, text_difficulty

PAIRS = {"text_a": ["a b", "a b", "c d", "c d"], "text_b": ["a b", "x y", "c d", "u v"], "label": list("1100")}
TEXTS = {"text": ["good film", "good movie", "bad film"], "label": ["pos", "pos", "neg"]}


def test_pairs_and_texts_are_rated_by_their_own_method():
    assert isinstance(rate_difficulty(PAIRS), PairDifficulty)
    assert isinstance(rate_difficulty(TEXTS), TextDifficulty)


def test_settings_reach_the_method():
    pairs, texts = assay.read(PAIRS), assay.read(TEXTS)
    settings = {"measure": "dice", "threshold": 0.2, "positive": "0", "tokenizer": "whitespace"}
    assert rate_difficulty(pairs, **settings).to_dict() == pair_difficulty(pairs, **settings).to_dict()
    assert rate_difficulty(texts, encoder="counts").to_dict() == text_difficulty(texts, encoder="counts").to_dict()


def test_it_is_a_top_level_function():
    assert assay.rate_difficulty is rate_difficulty
    assert "rate_difficulty" in dir(assay)


def test_grades_are_cut_for_pairs():
    with pytest.raises(assay.base.errors.UsageError, match="not both"):
        rate_difficulty(PAIRS, positive="1", positive_from=1)
