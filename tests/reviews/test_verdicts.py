"""What reviewers write, and how two of them are combined."""

from __future__ import annotations

import numpy as np
import pytest

from assay.base.errors import AssayError
from assay.reviews.verdicts import combine_verdicts, parse_verdict


@pytest.mark.parametrize("cell", ["ok", "OK ", "Okay", "good", "correct", "0", "no error"])
def test_good_items_have_several_words(cell):
    assert parse_verdict(cell, "1") is False


@pytest.mark.parametrize("cell", ["bad", "wrong label", "wrong_groundtruth", "two answers are right", "1"])
def test_anything_else_says_what_is_wrong(cell):
    assert parse_verdict(cell, "1") is True


@pytest.mark.parametrize("cell", ["?", "maybe", "not sure", "x", "7", "n/a", "yes", "FALSE"])
def test_a_verdict_that_decides_nothing_is_an_error(cell):
    with pytest.raises(AssayError, match="neither ok nor bad"):
        parse_verdict(cell, "q1", "review.tsv")


def test_disputed_and_missing_verdicts_widen_the_interval():
    ratings = [[True, True], [False, False], [True, False], []]
    verdicts = combine_verdicts(ratings, np.zeros(4, int))
    assert verdicts.low.tolist() == [1, 0, 0, 0]
    assert verdicts.high.tolist() == [1, 0, 1, 1]
    assert verdicts.value.tolist() == [1, 0, 0.5, 0.5]
    assert not verdicts.are_certain


def test_a_third_reviewer_settles_a_dispute():
    assert combine_verdicts([[True, False, True]], np.zeros(1, int)).are_certain


def test_a_single_verdict_is_disputed_as_often_as_those_with_a_second_one():
    ratings = [[True, True], [True, False], [False, False], [False, False], [True], [False]]
    verdicts = combine_verdicts(ratings, np.zeros(6, int))
    assert (verdicts.value[4], verdicts.value[5]) == (0.75, 0)
    assert verdicts.low[4] == pytest.approx(1 - 0.95**0.5)  # P(at most 1 of 2 disputed) = 0.05 at a share of 0.95**0.5
    assert verdicts.high[5] == pytest.approx(1 - 0.05**0.5)  # P(0 of 2 disputed) = 0.05
    assert (verdicts.high[4], verdicts.low[5]) == (1, 0)


def test_single_verdicts_may_be_disputed_if_no_such_item_has_a_second_one():
    verdicts = combine_verdicts([[False, False], [True]], np.zeros(2, int))
    assert (verdicts.low[1], verdicts.value[1], verdicts.high[1]) == (0, 1, 1)
