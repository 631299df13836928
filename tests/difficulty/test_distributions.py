from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assay.difficulty.distributions import describe_by_name, describe_values


def test_a_distribution_by_hand():
    result = describe_values(np.array([0.0, 0.5, 1.0, np.nan]), n_bins=2)
    assert (result.median, result.mean, result.n_items, result.n_undefined) == (0.5, 0.5, 4, 1)
    assert result.histogram == (1, 2)
    assert result.quantiles["0.25"] == 0.25


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["a", "b", None])), min_size=1))
def test_histograms_count_every_item_once(items):
    values, names = np.array([value for value, _ in items]), [name for _, name in items]
    by_name = describe_by_name(values, names)
    assert sum(sum(result.histogram) for result in by_name.values()) == len(items)
    assert ("(none)" in by_name) == (None in names)


def test_no_values_are_nan():
    assert np.isnan(describe_values(np.array([np.nan])).median)
