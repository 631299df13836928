"""Graded similarity of question and options, context and question."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.difficulty import measure_similarity, rate_options, relate_similarity
from assay.difficulty.pairs.graded import GradedSimilarity, OptionSimilarity


def test_options_counted_by_hand():
    questions = ["a b c", "a b c", "a b c"]
    options = [["a", "x"], ["x", "a b", "y"], ["x", "y", "z", "w"]]
    found = rate_options(questions, options, [0, 0, 2], measure="jaccard")
    assert found.auc == pytest.approx((1 + 0.25 + 0.5) / 3)
    assert found.choice.value == pytest.approx((1 + 0 + 0.25) / 3)
    assert found.chance == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)
    assert OptionSimilarity.from_dict(found.to_dict()) == found


def test_outcomes_follow_similarity_in_fifths():
    first = ["a b c d"] * 10
    second = ["a b c d"] * 4 + ["a b x y"] * 2 + ["w x y z"] * 4
    found = relate_similarity(first, second, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], measure="jaccard")
    assert [group.n for group in found.groups] == [2, 2, 2, 2, 2]
    assert [group.outcome for group in found.groups] == [0, 0, 0.5, 1, 1]
    assert found.correlation.value > 0.8
    assert GradedSimilarity.from_dict(found.to_dict()) == found


def test_similarity_is_symmetric_and_between_0_and_1():
    rng = np.random.default_rng(0)
    first, second = ([" ".join(rng.choice(list("abcdef"), 4)) for _ in range(50)] for _ in range(2))
    for measure in ("jensen-shannon", "jaccard", "dice"):
        values = measure_similarity(first, second, measure)
        assert values == pytest.approx(measure_similarity(second, first, measure))
        assert ((values >= 0) & (values <= 1 + 1e-12)).all()


def test_one_option_is_an_error():
    with pytest.raises(AssayError, match="at least two options"):
        rate_options(["a"], [["a"]], [0])


def test_outcomes_of_another_number_are_an_error():
    with pytest.raises(AssayError, match="2 items and 1 outcomes"):
        relate_similarity(["a", "b"], ["a", "b"], [1.0])
