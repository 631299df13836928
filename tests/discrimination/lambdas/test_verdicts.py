import math

import numpy as np
import pytest

from assay.discrimination import DiscriminationSettings, Outcomes, discriminate_outcomes
from assay.discrimination.lambdas.verdicts import compare_with_reference, compute_equality_p


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (3.0, math.nan, math.nan, "above"),
        (2.9, math.nan, math.nan, "below"),
        (3.5, 3.0, 4.0, "above"),
        (3.5, 2.9, 4.0, "cannot tell"),
        (2.0, 1.0, 2.9, "below"),
        (math.nan, math.nan, math.nan, "cannot tell"),
    ],
)
def test_the_reference_belongs_to_the_better_side(value, low, high, expected):
    assert compare_with_reference(value, low, high, 3.0) == expected


def judge(table):
    outcomes = Outcomes("b", "d", "accuracy", tuple(f"s{row}" for row in range(len(table))), table)
    return discriminate_outcomes([outcomes], DiscriminationSettings(n_resamples=500)).datasets[0]


def test_few_items_with_a_large_spread_do_not_discriminate():
    table = np.array([[1, 1, 1, 1, 1, 1, 1, 0, 1, 1], [1, 1, 1, 0, 1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1, 1, 0, 1, 1.0]])
    row = judge(table)
    assert (row.verdict_var, row.verdict) == ("cannot tell", "does not discriminate")
    assert row.lambda_var.value > 3
    assert row.p_equal > 0.3


def test_many_items_tell_systems_apart_far_below_the_reference():
    base = np.ones(20_000)
    second = base.copy()
    second[:100] = 0
    row = judge(np.stack([base, second]))
    assert (row.verdict_var, row.verdict) == ("below", "discriminates")


def test_equal_systems_are_called_different_in_one_case_of_twenty():
    generator = np.random.default_rng(0)
    p_values = []
    for _ in range(200):
        item = generator.random(200) * 0.8 + 0.1
        table = (generator.random((4, 200)) < item).astype(float)
        draws = generator.integers(200, size=(300, 200))
        scores = table.mean(axis=1)
        p_values.append(compute_equality_p(scores, table[:, draws].mean(axis=2).T - scores))
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.10


def test_the_test_agrees_with_cochran():
    statsmodels = pytest.importorskip("statsmodels.stats.contingency_tables")
    generator = np.random.default_rng(3)
    table = (generator.random((4, 300)) < np.array([0.60, 0.63, 0.66, 0.69])[:, None]).astype(float)
    expected = statsmodels.cochrans_q(table.T).pvalue
    assert judge(table).p_equal == pytest.approx(expected, abs=0.04)
