"""Words as splitters count them."""

import numpy as np
import pytest
from scipy import sparse

from assay.base.errors import AssayError
from assay.splits.words import counts_of, lengths_of


def test_texts_and_their_counts_give_the_same_lengths():
    texts = ["one two two", "", "three"]
    assert lengths_of(texts, "words", "length").tolist() == [3, 0, 1]
    assert lengths_of(counts_of(texts, "words", "length"), "words", "length").tolist() == [3, 0, 1]


@pytest.mark.parametrize("X", [np.array([[0.5, 1.0]]), sparse.csr_matrix(np.array([[-1.0]])), np.array([1, 2])])
def test_a_matrix_that_holds_no_counts_is_refused(X):
    with pytest.raises(
        AssayError, match="The rare-words split counts words: X must be texts or a matrix of word counts"
    ):
        counts_of(X, "words", "rare-words")
