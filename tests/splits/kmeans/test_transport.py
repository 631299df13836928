"""Exact assignment to folds of fixed sizes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from assay.base.errors import AssayError
from assay.splits import solve_transport


@st.composite
def problems(draw):
    k, n, seed = draw(st.integers(1, 9)), draw(st.integers(1, 60)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    kind = draw(st.sampled_from(["ties", "real", "equal", "float32"]))
    costs = {
        "ties": rng.integers(0, 4, size=(n, k)).astype(float),
        "real": rng.normal(size=(n, k)),
        "equal": np.ones((n, k)),
        "float32": rng.random((n, k)).astype(np.float32),
    }[kind]
    quotas = rng.multinomial(n, rng.dirichlet(np.full(k, 0.5)))
    return costs, quotas, draw(st.sampled_from([None, rng.normal(size=k) * 10]))


def find_least_cost(costs, quotas):
    table = np.repeat(np.asarray(costs, dtype=float), quotas, axis=1)
    rows, columns = linear_sum_assignment(table)
    return table[rows, columns].sum()


def compute_dual(costs, quotas, prices):
    """Compute the bound from its definition, without the folds that have no quota."""
    open_ = quotas > 0
    return (np.asarray(costs, float)[:, open_] + prices[open_]).min(axis=1).sum() - quotas[open_] @ prices[open_]


@settings(deadline=None)
@given(problems())
def test_the_assignment_fills_the_quotas_at_least_cost_and_the_prices_prove_it(problem):
    costs, quotas, prices = problem
    plan = solve_transport(costs, quotas, prices)
    assert np.bincount(plan.assigned, minlength=len(quotas)).tolist() == quotas.tolist()
    assert plan.primal == pytest.approx(find_least_cost(costs, quotas), abs=1e-9)
    assert compute_dual(costs, quotas, plan.prices) == pytest.approx(
        plan.primal, abs=1e-6 if costs.dtype == "f" else 1e-9
    )
    assert abs(plan.gap) < 1e-9


@pytest.mark.parametrize("k", [5, 50])
@pytest.mark.parametrize("warm", [False, True])
def test_many_rows_are_assigned_without_a_gap_from_cold_and_from_warm_prices(k, warm):
    rng = np.random.default_rng(1)
    costs = rng.random((20_000, k)).astype(np.float32) + rng.random(k).astype(np.float32)
    quotas = np.full(k, 20_000 // k)
    prices = solve_transport(costs + 0.01 * rng.random(k), quotas).prices if warm else None
    plan = solve_transport(costs, quotas, prices)
    assert np.bincount(plan.assigned, minlength=k).tolist() == quotas.tolist()
    assert 0 <= plan.gap < 1e-12
    assert compute_dual(costs, quotas, plan.prices) == pytest.approx(plan.primal, rel=1e-9)


def test_rows_far_apart_and_many_equal_rows_are_assigned_optimally():
    blobs = np.repeat([[0.0, 1e6, 4e6], [1e6, 0.0, 1e6], [4e6, 1e6, 0.0]], [900, 60, 40], axis=0)
    plan = solve_transport(blobs, [300, 400, 300])
    assert plan.primal == pytest.approx(find_least_cost(blobs, [300, 400, 300]))
    assert plan.gap == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("costs", "quotas", "message"),
    [
        ([[1.0, 2.0]], [1, 1], "Quotas sum to 2 for 1 rows"),
        ([[1.0, 2.0]], [2, -1], "must be ≥ 0"),
        ([[1.0, 2.0]], [1], "1 quotas for costs of shape .* Give one quota per column"),
        ([[1.0, float("nan")]], [1, 0], "nan or infinity"),
    ],
)
def test_quotas_that_do_not_fit_are_refused(costs, quotas, message):
    with pytest.raises(AssayError, match=message):
        solve_transport(costs, quotas)
