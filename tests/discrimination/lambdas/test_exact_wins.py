import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from assay.discrimination.lambdas.exact_wins import compute_wins_and_ties


def by_scipy(n, b, c, drawn, replace):
    if b + c == 0:
        return 0.0, 1.0
    m = np.arange(drawn + 1)
    weights = binom.pmf(m, drawn, (b + c) / n) if replace else hypergeom.pmf(m, n, b + c, drawn)
    reachable = m[weights > 0]
    weights = weights[weights > 0]
    inner = binom(reachable, b / (b + c)) if replace else hypergeom(b + c, b, reachable)
    middle = np.where(reachable % 2 == 0, inner.pmf(reachable // 2), 0)
    return weights @ inner.sf(reachable // 2), weights @ middle


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.booleans(), st.floats(0.1, 1))
def test_it_equals_the_double_sum(b, c, rest, replace, share):
    n = max(1, b + c + rest)
    drawn = n if replace else max(1, round(share * n))
    wins, ties = compute_wins_and_ties(n, b, c, drawn, replace)
    assert (float(wins), float(ties)) == pytest.approx(by_scipy(n, b, c, drawn, replace), abs=1e-12)


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize(
    ("n", "b", "c"), [(20_000, 6000, 5900), (20_000, 9000, 11_000), (5000, 2500, 2500), (9000, 900, 3)]
)
def test_large_counts_stay_exact(n, b, c, replace):
    drawn = n if replace else 8 * n // 10
    wins, ties = compute_wins_and_ties(n, b, c, drawn, replace)
    assert (float(wins), float(ties)) == pytest.approx(by_scipy(n, b, c, drawn, replace), abs=1e-10)


def test_equal_cases_are_computed_once_and_keep_their_place():
    wins, _ = compute_wins_and_ties(10, np.array([3, 5, 3]), np.array([2, 1, 2]), 10, True)
    assert wins[0] == wins[2] != wins[1]
