from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from assay.difficulty.systems.chance import expected_average_precision, expected_map


def average_precision(order, top):
    ranks = np.flatnonzero(order[:top]) + 1
    return float(np.mean(np.arange(1, len(ranks) + 1) / ranks)) if len(ranks) else 0.0


@pytest.mark.parametrize(("n", "relevant", "top"), [(1, 1, 10), (5, 2, 10), (6, 3, 3), (6, 1, 2), (5, 5, 4), (4, 0, 2)])
def test_expected_precision_is_the_mean_over_all_orders(n, relevant, top):
    orders = set(permutations([True] * relevant + [False] * (n - relevant)))
    expected = np.mean([average_precision(order, top) for order in orders])
    assert expected_average_precision(n, relevant, top) == pytest.approx(expected)


def test_expected_map_is_the_mean_over_groups():
    assert expected_map(["a", "b", "b"], [False, True, True]) == 0.5
    assert np.isnan(expected_map([], []))


def test_expected_map_is_near_the_random_draw_of_the_paper(shared):
    # Table 6 prints 0.623 for one random draw on the 2017 test set: 293 questions of 10 comments.
    from assay.kinds import read

    data = read(shared("semeval2017_cqa/cqa_A_test2017.tsv.gz"), group="group")
    assert expected_map(data.groups.to_list(), (data.labels == "1").to_numpy()) == pytest.approx(0.623, abs=0.03)
