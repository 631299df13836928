"""Mean vectors over word numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.base.loops import compile_loop


@compile_loop
def average_vectors(
    offsets: NDArray[np.int64], ids: NDArray[np.int32], rows: NDArray[np.int32], vectors: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Average the vectors of each text's words; `rows` is each word's vector, or -1. A text without vectors gets 0."""
    result = np.zeros((offsets.size - 1, vectors.shape[1]), np.float32)
    for text in range(offsets.size - 1):
        n_known = 0
        for word in ids[offsets[text] : offsets[text + 1]]:
            if rows[word] >= 0:
                n_known += 1
                for dimension in range(vectors.shape[1]):
                    result[text, dimension] += vectors[rows[word], dimension]
        if n_known:
            result[text] /= np.float32(n_known)
    return result
