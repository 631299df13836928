"""Words of two parts."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import jensenshannon

from assay.splits.comparison.pairs import PartPairs
from assay.splits.comparison.word_divergences import measure_words

#         cat dog owl elk
COUNTS = sparse.csr_matrix([[2, 1, 0, 0], [0, 1, 0, 0], [1, 0, 2, 0], [0, 0, 0, 5]])


def make_pair(part, reference):
    return PartPairs(["test"], np.array([part], dtype=bool), np.array([reference], dtype=bool))


def test_unseen_words_are_counted_as_often_as_they_occur():
    measured = measure_words(COUNTS, make_pair([0, 0, 1, 0], [1, 1, 0, 0]))
    assert measured["oov"] == pytest.approx([2 / 3])
    assert measured["overlap"] == pytest.approx([1 / 3])


def test_the_divergence_of_words_is_that_of_scipy():
    a, b = np.random.default_rng(0).integers(0, 5, size=(2, 6, 30)).astype(float)
    expected = [jensenshannon(p, q, base=2) ** 2 for p, q in zip(a, b, strict=True)]
    rows = np.eye(6, dtype=bool)
    none = np.zeros_like(rows)
    pairs = PartPairs([str(number) for number in range(6)], np.hstack([rows, none]), np.hstack([none, rows]))
    measured = measure_words(sparse.csr_matrix(np.vstack([a, b])), pairs)
    assert measured["jsd"] == pytest.approx(expected, abs=1e-12)


def test_parts_that_cover_all_rows_give_the_same_as_two_products():
    whole = measure_words(COUNTS[:3], make_pair([0, 0, 1], [1, 1, 0]))
    part = measure_words(COUNTS, make_pair([0, 0, 1, 0], [1, 1, 0, 0]))
    assert {name: value.tolist() for name, value in whole.items()} == {
        name: value.tolist() for name, value in part.items()
    }


def test_a_part_without_words_has_no_divergence():
    measured = measure_words(sparse.csr_matrix([[1, 0], [0, 0]]), make_pair([0, 1], [1, 0]))
    assert np.isnan([measured["oov"][0], measured["jsd"][0]]).all()
