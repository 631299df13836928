import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from assay.discrimination.exact_wins import win_and_tie


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
    won, tied = win_and_tie(n, b, c, drawn, replace)
    assert (float(won), float(tied)) == pytest.approx(by_scipy(n, b, c, drawn, replace), abs=1e-12)


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize(
    ("n", "b", "c"), [(20_000, 6000, 5900), (20_000, 9000, 11_000), (5000, 2500, 2500), (9000, 900, 3)]
)
def test_large_counts_stay_exact(n, b, c, replace):
    drawn = n if replace else 8 * n // 10
    won, tied = win_and_tie(n, b, c, drawn, replace)
    assert (float(won), float(tied)) == pytest.approx(by_scipy(n, b, c, drawn, replace), abs=1e-10)


def test_equal_cases_are_computed_once_and_keep_their_place():
    won, _ = win_and_tie(10, np.array([3, 5, 3]), np.array([2, 1, 2]), 10, True)
    assert won[0] == won[2] != won[1]
