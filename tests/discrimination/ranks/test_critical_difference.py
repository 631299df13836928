import math

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs

from assay.base.errors import UsageError
from assay.discrimination.ranks.critical_difference import compare_mean_ranks

TABLE = np.random.default_rng(0).random((6, 15)) + np.linspace(0, 0.8, 6)[:, None]


def test_nemenyi_equals_scikit_posthocs():
    expected = scikit_posthocs.posthoc_nemenyi_friedman(TABLE.T).to_numpy()
    assert compare_mean_ranks(TABLE).p_values == pytest.approx(expected, abs=1e-6)


def test_wilcoxon_holm_equals_scikit_posthocs():
    long = pd.DataFrame(TABLE).stack().rename_axis(["system", "dataset"]).rename("score").reset_index()
    expected = scikit_posthocs.posthoc_wilcoxon(long, val_col="score", group_col="system", p_adjust="holm").to_numpy()
    assert compare_mean_ranks(TABLE, "wilcoxon-holm").p_values == pytest.approx(expected, abs=1e-9)


def test_the_distance_of_demsar_2006():
    # His example: k = 4, N = 14, q = 2.569, CD = 1.25.
    assert compare_mean_ranks(np.random.default_rng(0).random((4, 14))).critical_difference == pytest.approx(
        1.25, abs=0.005
    )


def test_cliques_contain_no_pair_of_different_systems():
    result = compare_mean_ranks(TABLE)
    assert result.cliques
    for clique in result.cliques:
        assert np.ptp([result.mean_ranks[system] for system in clique]) <= result.critical_difference


def test_every_clique_is_as_long_as_it_can_be():
    result = compare_mean_ranks(TABLE)
    by_rank = sorted(result.mean_ranks, key=result.mean_ranks.get)
    for clique in result.cliques:
        start, stop = by_rank.index(clique[0]), by_rank.index(clique[-1])
        assert clique == tuple(by_rank[start : stop + 1])
        for longer in (by_rank[max(0, start - 1) : stop + 1], by_rank[start : stop + 2]):
            ranks = [result.mean_ranks[system] for system in longer]
            assert len(longer) == len(clique) or np.ptp(ranks) > result.critical_difference


def test_two_systems_have_no_friedman_test():
    result = compare_mean_ranks(TABLE[:2])
    assert math.isnan(result.p_friedman)
    assert "needs 3 systems" in result.reason


def test_an_unknown_method_lists_the_known_ones():
    with pytest.raises(UsageError, match="Known: nemenyi, wilcoxon-holm"):
        compare_mean_ranks(TABLE, "tukey")
