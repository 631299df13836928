"""The order of rows by content."""

import numpy as np
from scipy import sparse

from assay.splits.row_order import sort_by_content


def test_equal_rows_keep_their_order_and_dense_and_sparse_agree():
    X = np.array([[0.0, 2.0], [1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    order = sort_by_content(X)
    assert order.tolist().index(0) < order.tolist().index(2)
    assert order.tolist() == sort_by_content(sparse.csr_matrix(X)).tolist()


def test_stored_zeros_and_repeated_columns_do_not_matter():
    X = np.array([[0.0, 3.0], [1.0, 0.0], [2.0, 2.0], [0.0, 0.0]])
    data, indices = np.array([1.0, 2.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0]), np.array([1, 1, 0, 0, 1, 1, 0, 0])
    thin = sparse.csr_matrix((data, indices, np.array([0, 3, 5, 7, 8])), shape=(4, 2))
    assert thin.toarray().tolist() == X.tolist()
    assert sort_by_content(thin).tolist() == sort_by_content(X).tolist()


def test_the_type_of_the_numbers_does_not_matter():
    X = np.random.default_rng(0).integers(-3, 4, size=(40, 3))
    orders = [sort_by_content(X.astype(kind)).tolist() for kind in (np.int64, np.float32, np.float64)]
    assert orders[0] == orders[1] == orders[2]


def test_moving_rows_moves_their_order_with_them():
    X = np.random.default_rng(0).normal(size=(50, 3))
    moved = np.random.default_rng(1).permutation(50)
    assert moved[sort_by_content(X[moved])].tolist() == sort_by_content(X).tolist()


def test_labels_and_groups_decide_between_equal_texts():
    texts = np.array(["a", "a", "a"], dtype=object)
    assert sort_by_content(texts, ["y", "x", "x"], [1, 2, 1]).tolist() == [2, 1, 0]
