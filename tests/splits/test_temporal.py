"""The temporal split."""

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.splits import TemporalSplit

DAYS = [f"2020-01-{day:02d}" for day in range(1, 21)]
TEXTS = [f"text {day}" for day in DAYS]


def parts(**settings):
    return [draw.parts.tolist() for draw in TemporalSplit(times=DAYS, **settings).partitions(TEXTS)]


def test_dev_comes_after_train_and_test_after_dev():
    assert parts(test_size=0.2, dev_size=0.1) == [["train"] * 14 + ["dev"] * 2 + ["test"] * 4]


def test_rows_of_one_date_stay_together():
    times = ["2020-01-01"] * 8 + ["2020-01-02"] * 2 + ["2020-01-03"]
    draw = TemporalSplit(times=times, test_size=0.1).partition([str(n) for n in range(11)])
    assert draw.parts.tolist() == ["train"] * 10 + ["test"]


def test_rows_in_the_gap_are_unused():
    assert parts(test_size=4, gap="2d") == [["train"] * 14 + ["unused"] * 2 + ["test"] * 4]


def test_expanding_windows_train_on_all_that_came_before():
    assert parts(test_size=4, n_splits=3) == [
        ["train"] * 8 + ["test"] * 4 + ["unused"] * 8,
        ["train"] * 12 + ["test"] * 4 + ["unused"] * 4,
        ["train"] * 16 + ["test"] * 4,
    ]


def test_rolling_windows_train_on_as_many_rows_as_the_first():
    assert parts(test_size=4, n_splits=2, window="rolling") == [
        ["train"] * 12 + ["test"] * 4 + ["unused"] * 4,
        ["unused"] * 4 + ["train"] * 12 + ["test"] * 4,
    ]


def test_the_cut_can_be_a_date():
    assert parts(test_from="2020-01-16") == [["train"] * 15 + ["test"] * 5]


def test_rows_without_a_date_are_unused():
    draw = TemporalSplit(times=["2020-01-01", None, "2020-01-03"], test_size=1).partition(["a", "b", "c"])
    assert draw.parts.tolist() == ["train", "unused", "test"]


def test_a_group_is_never_cut_and_the_error_says_how_many_would_be():
    with pytest.raises(AssayError, match=r"no cut that keeps all 2 groups whole: the one nearest to 1 rows cuts 1"):
        TemporalSplit(times=DAYS[:3]).partition(["a", "b", "c"], None, [0, 1, 0])
    groups = [row // 3 for row in range(20)]
    draw = TemporalSplit(times=DAYS, test_size=0.2).partition(TEXTS, None, groups)
    assert {groups[row] for row in np.flatnonzero(draw.parts == "test")} == {5, 6}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"gap": "60d"},
            "nothing left to train on before 2020-01-19.* with a gap of 60d: the first row is of 2020-01-01",
        ),
        ({"test_from": "2021-01-01"}, "No row is dated after 2021-01-01"),
        ({"test_from": "2019-01-01"}, "No row is dated before 2019-01-01"),
    ],
)
def test_what_cannot_be_met_is_said(settings, message):
    with pytest.raises(AssayError, match=message):
        parts(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gap": "soon"}, "'soon' is no gap"),
        ({"window": "sliding"}, r"No window 'sliding'\. Known: expanding, rolling\."),
        ({"n_splits": 0}, "n_splits must be 1 or more"),
    ],
)
def test_settings_that_make_no_sense_are_usage_errors(settings, message):
    with pytest.raises(UsageError, match=message):
        parts(**settings)


def test_without_dates_it_says_how_to_give_them():
    with pytest.raises(UsageError, match=r"needs dates: TemporalSplit\(times=…\), on the command line --time COLUMN"):
        TemporalSplit().partition(["a", "b"])


def test_dates_must_be_as_many_as_rows():
    with pytest.raises(AssayError, match=r"3 rows, but 2 dates\."):
        TemporalSplit(times=DAYS[:2]).partition(["a", "b", "c"])
