from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from assay.base.errors import UsageError
from assay.statistics import mcnemar


@given(st.integers(0, 300), st.integers(0, 300))
def test_it_equals_statsmodels(b, c):
    theirs = statsmodels_mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert mcnemar(b, c).p == pytest.approx(theirs, rel=1e-9)


def test_negative_counts_are_an_error():
    with pytest.raises(UsageError, match="counts cannot be negative"):
        mcnemar(-1, 2)
