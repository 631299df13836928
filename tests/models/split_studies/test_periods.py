from __future__ import annotations

import numpy as np

from assay.models.split_studies.held_out import N_PERIODS, cut_periods

DAYS = [f"2024-{month:02}-01" for month in range(1, 13)]


def test_every_row_is_in_one_period_in_the_order_of_time():
    periods = list(cut_periods(DAYS, np.arange(12)))
    assert len(periods) <= N_PERIODS
    assert [start for start, _ in periods] == sorted(start for start, _ in periods)
    assert sorted(np.concatenate([places for _, places in periods]).tolist()) == list(range(12))
    assert periods[0][0] == "2024-01-01"


def test_one_moment_makes_no_periods_and_unreadable_times_neither():
    assert list(cut_periods(["2024-01-01"] * 3, np.arange(3))) == []
    assert list(cut_periods(["soon", "later"], np.arange(2))) == []
