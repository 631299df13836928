import numpy as np
import pytest

from assay.base.errors import UsageError
from assay.discrimination import analyse_items
from assay.discrimination.items.failures import map_outcomes

TABLE = np.array([[1, 1, 1, 0, 0], [1, 1, 0, 0, 1], [1, 0, 0, 0, 1.0]])


def test_uninformative_items_are_counted_on_both_sides():
    result = analyse_items(TABLE)
    assert (result.n_all_right, result.n_all_wrong, result.share_uninformative) == (1, 1, 0.4)
    assert np.isnan(result.discrimination[[0, 3]]).all()


def test_the_correlations_equal_those_of_numpy():
    table = (np.random.default_rng(0).random((12, 30)) < np.linspace(0.2, 0.9, 12)[:, None]).astype(float)
    result = analyse_items(table)
    totals = table.sum(axis=1)
    for item in np.flatnonzero(~result.uninformative)[:5]:
        rest = np.corrcoef(table[:, item], totals - table[:, item])[0, 1]
        assert result.discrimination[item] == pytest.approx(rest)
        assert result.point_biserial[item] == pytest.approx(np.corrcoef(table[:, item], totals)[0, 1])


def test_a_missing_outcome_is_ignored():
    table = TABLE.copy()
    table[0, 4] = np.nan
    assert analyse_items(table).difficulty[4] == 1.0


def test_outcomes_must_be_a_table():
    with pytest.raises(UsageError, match="systems × items"):
        analyse_items([1, 0])


def test_only_full_marks_count_as_right():
    table = np.array([[1, 0.5, 0, np.nan, 1], [1, 0.5, 0, np.nan, 0]])
    result = analyse_items(table)
    assert (result.n_all_right, result.n_all_same, result.n_all_wrong) == (1, 1, 1)
    assert result.all_same.tolist() == [False, True, False, False, False]


def test_ratings_count_as_right_at_the_end_of_their_scale():
    result = analyse_items([[10, 7, 3], [10, 7, 9]])
    assert (result.n_all_right, result.n_all_same) == (1, 1)


def test_an_item_whose_rest_is_constant_has_no_discrimination():
    result = analyse_items([[0.1, 0.7, 0.2], [0.4, 0.7, 0.2], [0.3, 0.7, 0.2]])
    assert np.isnan(result.discrimination).all()
    assert np.isnan(result.mean_discrimination)


def test_uninformative_items_are_those_that_every_system_answered():
    analysis = analyse_items([[1, 1, 0, 1], [1, np.nan, 0, 0], [1, np.nan, 0, 1]])
    assert (analysis.n_items, analysis.n_complete) == (4, 3)
    assert (analysis.n_all_right, analysis.n_all_wrong) == (1, 1)
    assert analysis.share_uninformative == pytest.approx(2 / 3)


def test_items_that_are_partly_right_are_sorted_by_their_scores():
    outcomes = np.random.default_rng(0).uniform(0.5, 1.0, (3, 40))
    cells = map_outcomes(outcomes, "abc", max_bins=10)
    means = [np.mean([cell.share for cell in cells if cell.bin == number]) for number in range(1, 11)]
    assert means == sorted(means)
    assert all(cell.fewest <= 3 * mean <= cell.most for cell, mean in zip(cells[:10], means, strict=True))
