from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics.pairwise import cosine_distances

from assay.base.errors import AssayError
from assay.difficulty import nearest_texts
from assay.difficulty.texts import neighbours


def search_all_pairs(vectors, labels, reference):
    """Compare all pairs of rows."""
    distances = cosine_distances(vectors)
    same, other = [], []
    for row, label in enumerate(labels):
        near = [(distances[row, column], labels[column]) for column in np.flatnonzero(reference) if column != row]
        same.append(min((d for d, named in near if named == label), default=np.nan))
        other.append(min((d for d, named in near if named != label), default=np.nan))
    return same, other


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 4), st.booleans(), st.sampled_from([7, 1024]))
def test_neighbours_equal_a_search_over_all_pairs(seed, n, n_labels, as_sparse, block):
    random = np.random.default_rng(seed)
    vectors, labels = random.normal(size=(n, 5)), random.integers(0, n_labels, n).astype(str).tolist()
    reference = random.random(n) < 0.7
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "_BLOCK", block)
        result = nearest_texts(sparse.csr_array(vectors) if as_sparse else vectors, labels, reference)
    same, other = search_all_pairs(vectors, labels, reference)
    assert result.same == pytest.approx(same, abs=1e-6, nan_ok=True)
    assert result.other == pytest.approx(other, abs=1e-6, nan_ok=True)
    assert result.difficulty == pytest.approx(np.array(same) - other, abs=2e-6, nan_ok=True)


def test_the_hard_item_lies_among_another_label():
    vectors = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1], [1, 0.05]])
    result = nearest_texts(vectors, ["a", "a", "b", "b", "b"])
    assert np.argmax(result.difficulty) == 4
    assert result.difficulty[4] > 0
    assert result.nearest_other[4] in (0, 1)


def test_without_labels_difficulty_is_the_distance_to_the_nearest_text():
    result = nearest_texts(np.array([[1.0, 0], [2.0, 0], [0, 1.0]]))
    assert result.difficulty == pytest.approx([0, 0, 1], abs=1e-7)
    assert np.isnan(result.contrary_share)


def test_rows_without_direction_or_label_have_no_neighbours():
    result = nearest_texts(np.array([[0.0, 0], [1, 0], [1, 0.2], [1, 0.3]]), ["a", "a", None, "a"])
    assert np.isnan(result.difficulty).all()
    assert result.nearest_same.tolist() == [-1, 3, -1, 1]
    assert result.n_undefined == 4


def test_another_number_of_labels_is_an_error():
    with pytest.raises(AssayError, match="2 texts need as many labels; there are 1"):
        nearest_texts(np.eye(2), ["a"])
