import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import item_analysis

TABLE = np.array([[1, 1, 1, 0, 0], [1, 1, 0, 0, 1], [1, 0, 0, 0, 1.0]])


def test_dead_items_are_counted_on_both_sides():
    found = item_analysis(TABLE)
    assert (found.n_all_right, found.n_all_wrong, found.share_dead) == (1, 1, 0.4)
    assert np.isnan(found.discrimination[[0, 3]]).all()


def test_the_correlations_equal_numpys():
    table = (np.random.default_rng(0).random((12, 30)) < np.linspace(0.2, 0.9, 12)[:, None]).astype(float)
    found = item_analysis(table)
    totals = table.sum(axis=1)
    for item in np.flatnonzero(~found.dead)[:5]:
        rest = np.corrcoef(table[:, item], totals - table[:, item])[0, 1]
        assert found.discrimination[item] == pytest.approx(rest)
        assert found.point_biserial[item] == pytest.approx(np.corrcoef(table[:, item], totals)[0, 1])


def test_a_missing_outcome_counts_for_nothing():
    table = TABLE.copy()
    table[0, 4] = np.nan
    assert item_analysis(table).difficulty[4] == 1.0


def test_outcomes_must_be_a_table():
    with pytest.raises(UsageError, match="systems × items"):
        item_analysis([1, 0])
