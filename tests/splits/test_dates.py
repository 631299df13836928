"""Dates in many formats."""

import datetime

import numpy as np
import polars as pl
import pytest

from assay.base.errors import AssayError
from assay.splits import parse_times

NOON = datetime.datetime(2020, 4, 13, 12, 30, 15, tzinfo=datetime.UTC).timestamp()
DAY = datetime.datetime(2020, 4, 13, tzinfo=datetime.UTC).timestamp()


@pytest.mark.parametrize(
    "written",
    [
        "2020-04-13 12:30:15",
        "2020-04-13T12:30:15",
        "2020-04-13T12:30:15Z",
        "2020-04-13T12:30:15.000Z",
        "2020-04-13T14:30:15+02:00",
        "2020-04-13 14:30:15 +0200",
        "2020/04/13 12:30:15",
        "Mon, 13 Apr 2020 12:30:15 GMT",
        "Mon, 13 Apr 2020 14:30:15 +0200",
        "Mon Apr 13 12:30:15 +0000 2020",
        "13.04.2020 12:30:15",
        "13/04/2020 12:30:15",
        "04/13/2020 12:30:15",
        "04/13/2020 12:30:15 PM",
        str(int(NOON)),
        str(int(NOON * 1000)),
        f"{int(NOON)}.0",
    ],
)
def test_every_format_of_a_moment_is_read(written):
    assert parse_times([written]).tolist() == [NOON]


@pytest.mark.parametrize(
    "written",
    [
        "2020-04-13",
        "2020/04/13",
        "20200413",
        "13.04.2020",
        "13/04/2020",
        "04/13/2020",
        "13-04-2020",
        "13 Apr 2020",
        "13 April 2020",
        "Apr 13, 2020",
        "April 13, 2020",
        "13-Apr-2020",
    ],
)
def test_every_format_of_a_day_is_read(written):
    assert parse_times([written]).tolist() == [DAY]


def test_years_and_months_mean_their_first_day():
    assert parse_times(["2020", "2020-04"]).tolist() == [DAY - 103 * 86400, DAY - 12 * 86400]
    assert parse_times([2020]).tolist() == [DAY - 103 * 86400]


def test_columns_of_dates_are_taken_as_they_are():
    day = datetime.date(2020, 4, 13)
    for values in (
        pl.Series([day]),
        [day],
        np.array(["2020-04-13"], dtype="datetime64[D]"),
        [DAY],
        pl.Series([DAY * 1000]),
    ):
        assert parse_times(values).tolist() == [DAY]


def test_formats_may_be_mixed_and_cells_empty():
    read = parse_times(["2020-04-13", "", None, "13 Apr 2020"])
    assert np.isnan(read[1:3]).all()
    assert read[[0, 3]].tolist() == [DAY, DAY]


def test_the_column_decides_whether_day_or_month_comes_first():
    assert parse_times(["04/05/2020", "13/04/2020"])[0] == DAY + 21 * 86400
    assert parse_times(["04/05/2020", "04/13/2020"])[0] == DAY - 8 * 86400


def test_an_ambiguous_column_is_an_error_without_day_first():
    with pytest.raises(
        AssayError, match=r"Dates such as 04/05/2020 can be read day first or month first: set day_first"
    ):
        parse_times(["04/05/2020"])
    assert parse_times(["04/05/2020"], day_first=True)[0] == DAY + 21 * 86400
    assert parse_times(["05/05/2020"])[0] == DAY + 22 * 86400


def test_unreadable_dates_are_named_with_their_rows():
    with pytest.raises(AssayError, match=r"2 of 3 dates cannot be read: 'soon' \(row 1\), '2020-13-45' \(row 2\)\."):
        parse_times(["2020-01-01", "soon", "2020-13-45"])
