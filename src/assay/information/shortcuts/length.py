"""Length in words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.text import Corpus


def length(*sides: Any) -> NDArray[np.float64]:
    """Return the logarithm of one plus the number of words, a column a side.

    >>> length(["one two three"]).round(3).tolist()
    [[1.386]]
    """
    return np.column_stack([np.log1p(Corpus.from_texts(side).lengths) for side in sides])
