"""The temporal split."""

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.splits import TemporalSplit

DAYS = [f"2020-01-{day:02d}" for day in range(1, 21)]
TEXTS = [f"text {day}" for day in DAYS]


def split_parts(**settings):
    return [draw.parts.tolist() for draw in TemporalSplit(times=DAYS, **settings).iterate_partitions(TEXTS)]


def test_dev_comes_after_train_and_test_after_dev():
    assert split_parts(test_size=0.2, dev_size=0.1) == [["train"] * 14 + ["dev"] * 2 + ["test"] * 4]


def test_rows_of_one_date_stay_together():
    times = ["2020-01-01"] * 8 + ["2020-01-02"] * 2 + ["2020-01-03"]
    draw = TemporalSplit(times=times, test_size=0.1).partition([str(n) for n in range(11)])
    assert draw.parts.tolist() == ["train"] * 10 + ["test"]


def test_rows_in_the_gap_are_unused():
    assert split_parts(test_size=4, gap="2d") == [["train"] * 14 + ["unused"] * 2 + ["test"] * 4]


def test_expanding_windows_train_on_everything_before():
    assert split_parts(test_size=4, n_splits=3) == [
        ["train"] * 8 + ["test"] * 4 + ["unused"] * 8,
        ["train"] * 12 + ["test"] * 4 + ["unused"] * 4,
        ["train"] * 16 + ["test"] * 4,
    ]


def test_rolling_windows_train_on_as_many_rows_as_the_first_window():
    assert split_parts(test_size=4, n_splits=2, window="rolling") == [
        ["train"] * 12 + ["test"] * 4 + ["unused"] * 4,
        ["unused"] * 4 + ["train"] * 12 + ["test"] * 4,
    ]


def test_the_threshold_can_be_a_date():
    assert split_parts(test_from="2020-01-16") == [["train"] * 15 + ["test"] * 5]


def test_rows_without_a_date_are_unused():
    draw = TemporalSplit(times=["2020-01-01", None, "2020-01-03"], test_size=1).partition(["a", "b", "c"])
    assert draw.parts.tolist() == ["train", "unused", "test"]


def test_groups_stay_whole_and_the_error_counts_those_that_would_be_cut():
    with pytest.raises(
        AssayError, match=r"no threshold that keeps all 2 groups whole: the one closest to 1 rows cuts 1"
    ):
        TemporalSplit(times=DAYS[:3]).partition(["a", "b", "c"], None, [0, 1, 0])
    groups = [row // 3 for row in range(20)]
    draw = TemporalSplit(times=DAYS, test_size=0.2).partition(TEXTS, None, groups)
    assert {groups[row] for row in np.flatnonzero(draw.parts == "test")} == {5, 6}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"gap": "60d"},
            "no rows to train on before 2020-01-19.* with a gap of 60d: the first row is of 2020-01-01",
        ),
        ({"test_from": "2021-01-01"}, "No row is dated after 2021-01-01"),
        ({"test_from": "2019-01-01"}, "No row is dated before 2019-01-01"),
    ],
)
def test_requests_that_cannot_be_met_are_errors(settings, message):
    with pytest.raises(AssayError, match=message):
        split_parts(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gap": "soon"}, "gap must be a number of seconds, .*not 'soon'"),
        ({"window": "sliding"}, r"No window 'sliding'\. Known: expanding, rolling\."),
        ({"n_splits": 0}, "n_splits must be at least 1, not 0"),
    ],
)
def test_settings_that_make_no_sense_are_usage_errors(settings, message):
    with pytest.raises(UsageError, match=message):
        split_parts(**settings)


def test_missing_dates_are_an_error_that_names_the_parameter():
    with pytest.raises(UsageError, match=r"needs dates\. Give them with times=\."):
        TemporalSplit().partition(["a", "b"])


def test_every_row_needs_a_date_cell():
    with pytest.raises(AssayError, match=r"3 rows, but 2 dates\."):
        TemporalSplit(times=DAYS[:2]).partition(["a", "b", "c"])
