"""Products of sparse rows."""

import numpy as np
from scipy import sparse

from assay.text.similarities import find_largest, multiply_rows


def test_products_are_those_of_scipy():
    rng = np.random.default_rng(0)
    first, second = (sparse.csr_array(sparse.random(n, 40, 0.2, random_state=rng)) for n in (7, 30))
    np.testing.assert_array_equal(multiply_rows(first, second), (first @ second.T).toarray())
    assert multiply_rows(first[:0], second).shape == (0, 30)


def test_largest_are_the_first_of_a_stable_sort():
    scores = np.random.default_rng(1).integers(0, 6, size=(50, 20)).astype(float)
    for n in (1, 4, 20, 30):
        np.testing.assert_array_equal(find_largest(scores, n), np.argsort(-scores, axis=1, kind="stable")[:, :n])
