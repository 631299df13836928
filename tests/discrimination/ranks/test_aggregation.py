import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import AGGREGATIONS

TABLE = np.array([[90.0, 50.0], [80.0, 50.0], [70.0, 60.0]])


def test_borda_counts_the_systems_below_and_shares_ties():
    assert AGGREGATIONS["borda"](TABLE).tolist() == [[2, 0.5], [1, 0.5], [0, 2]]


def test_the_win_rate_is_borda_as_a_share():
    assert AGGREGATIONS["win-rate"](TABLE) == pytest.approx(AGGREGATIONS["borda"](TABLE) / 2)


def test_only_the_mean_depends_on_the_size_of_differences():
    stretched = TABLE * [[1, 10]]
    assert np.array_equal(AGGREGATIONS["borda"](TABLE), AGGREGATIONS["borda"](stretched))
    assert not np.array_equal(AGGREGATIONS["mean"](TABLE), AGGREGATIONS["mean"](stretched))


def test_an_unknown_name_has_a_hint():
    with pytest.raises(UsageError, match="Did you mean 'borda'"):
        AGGREGATIONS["bordas"]
