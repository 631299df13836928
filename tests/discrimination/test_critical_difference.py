import math

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs

from assay.discrimination import critical_difference
from assay.errors import UsageError

TABLE = np.random.default_rng(0).random((6, 15)) + np.linspace(0, 0.8, 6)[:, None]


def test_nemenyi_equals_scikit_posthocs():
    foreign = scikit_posthocs.posthoc_nemenyi_friedman(TABLE.T).to_numpy()
    assert critical_difference(TABLE).p_values == pytest.approx(foreign, abs=1e-6)


def test_wilcoxon_holm_equals_scikit_posthocs():
    long = pd.DataFrame(TABLE).stack().rename_axis(["system", "dataset"]).rename("score").reset_index()
    foreign = scikit_posthocs.posthoc_wilcoxon(long, val_col="score", group_col="system", p_adjust="holm").to_numpy()
    assert critical_difference(TABLE, "wilcoxon-holm").p_values == pytest.approx(foreign, abs=1e-9)


def test_the_distance_of_demsar_2006():
    # His example: k = 4, N = 14, q = 2.569, CD = 1.25.
    assert critical_difference(np.random.default_rng(0).random((4, 14))).critical_difference == pytest.approx(
        1.25, abs=0.005
    )


def test_cliques_hold_no_pair_apart():
    found = critical_difference(TABLE)
    assert found.cliques
    for clique in found.cliques:
        assert np.ptp(found.mean_ranks[clique]) <= found.critical_difference


def test_two_systems_have_no_friedman_test():
    found = critical_difference(TABLE[:2])
    assert math.isnan(found.p_friedman)
    assert "needs 3 systems" in found.reason


def test_an_unknown_method_lists_those_known():
    with pytest.raises(UsageError, match="Known: nemenyi, wilcoxon-holm"):
        critical_difference(TABLE, "tukey")
