"""How many words two texts share: Jaccard's index and Dice's coefficient of their word sets (paper 002)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.difficulty.divergence import of_pairs

if TYPE_CHECKING:
    from assay.text.tokenizers import Tokenizer


def jaccard(
    texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return the share of the words of either text that stand in both, for each pair.

    One side without words: nan; both without words: 1, as the divergence is 0 there.

    >>> jaccard(["the cat sat"], ["the cat ran"]).tolist()
    [0.5]
    """
    shared, types_a, types_b = _overlap(texts_a, texts_b, tokenizer)
    return _ratio(shared, types_a + types_b - shared, types_a, types_b)


def dice(texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer = "words") -> NDArray[np.float64]:
    """Return twice the number of shared words over the summed sizes of both word sets, for each pair.

    One side without words: nan; both without words: 1.

    >>> dice(["one two three four"], ["one five"]).round(4).tolist()
    [0.3333]
    """
    shared, types_a, types_b = _overlap(texts_a, texts_b, tokenizer)
    return _ratio(2 * shared, types_a + types_b, types_a, types_b)


def _overlap(texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer) -> NDArray[np.int64]:
    from assay.difficulty._kernels import overlap_of_pairs

    return of_pairs(overlap_of_pairs, texts_a, texts_b, tokenizer).T


def _ratio(
    part: NDArray[Any], whole: NDArray[Any], types_a: NDArray[Any], types_b: NDArray[Any]
) -> NDArray[np.float64]:
    similarities = np.full(len(part), np.nan)
    both = (types_a > 0) & (types_b > 0)
    similarities[both] = part[both] / whole[both]
    similarities[(types_a == 0) & (types_b == 0)] = 1.0
    return similarities
