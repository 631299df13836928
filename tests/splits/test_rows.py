"""Rows as splitters see them."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from assay.base.errors import AssayError
from assay.splits.rows import as_rows, canonical_order, vectors


def test_texts_become_an_array_whatever_holds_them():
    for texts in (
        ["a", None],
        np.array(["a", None], dtype=object),
        pl.Series(["a", None]),
        [["a"], [""]][0:1] and ("a", None),
    ):
        assert as_rows(texts).tolist() == ["a", ""]
    assert as_rows(np.array([["a"], ["b"]])).tolist() == ["a", "b"]


def test_a_frame_of_numbers_is_a_matrix():
    assert as_rows(pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})).shape == (2, 2)


def test_equal_rows_keep_their_order_and_dense_and_sparse_agree():
    X = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    order = canonical_order(X)
    assert order.tolist().index(0) < order.tolist().index(2)
    assert order.tolist() == canonical_order(sparse.csr_matrix(X)).tolist()


def test_moving_rows_moves_their_order_with_them():
    X = np.random.default_rng(0).normal(size=(50, 3))
    moved = np.random.default_rng(1).permutation(50)
    assert moved[canonical_order(X[moved])].tolist() == canonical_order(X).tolist()


def test_a_ready_matrix_passes_as_it_is():
    X = sparse.csr_matrix(np.eye(3))
    assert (vectors(X) != X).nnz == 0


def test_numbers_that_are_no_matrix_are_refused():
    with pytest.raises(AssayError, match="X must be texts, or a matrix of numbers with one row an item"):
        vectors([1.0, 2.0])
