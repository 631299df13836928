"""How far the words of two texts lie apart: the Jensen–Shannon divergence of their frequencies (paper 002)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.base.errors import AssayError

if TYPE_CHECKING:
    from assay.text import Corpus
    from assay.text.tokenizers import Tokenizer

_BLOCK = 50_000  # pairs a thread takes at a time


def jensen_shannon(
    texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return the divergence of each pair of texts, base 2 and not its root.

    It is 0 for equal word frequencies and 1 for no shared word. One side without words makes it
    undefined (nan); two sides without words are equal (0) (paper 002).

    >>> jensen_shannon(["a b", "a a b"], ["a c", "a b b"]).round(4).tolist()
    [0.5, 0.0817]
    """
    from assay.difficulty._kernels import jensen_shannon_of_pairs

    return of_pairs(jensen_shannon_of_pairs, texts_a, texts_b, tokenizer)


def of_pairs(kernel: Any, texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer) -> NDArray[Any]:
    """Number the words of both sides over one vocabulary and run a kernel over all pairs, in blocks on threads."""
    from assay.text.threads import map_in_threads

    if len(texts_a) != len(texts_b):
        raise AssayError(f"Pairs need as many first as second texts: there are {len(texts_a)} and {len(texts_b)}.")
    a, b = _sides(texts_a, texts_b, tokenizer)

    def of_block(start: int) -> NDArray[Any]:
        block = slice(start, start + _BLOCK + 1)  # one offset more than pairs
        values: NDArray[Any] = kernel(a.offsets[block], a.ids, b.offsets[block], b.ids, len(a.vocabulary))
        return values

    return np.concatenate(list(map_in_threads(of_block, range(0, max(1, len(texts_a)), _BLOCK))))


def _sides(texts_a: Sequence[str], texts_b: Sequence[str], tokenizer: str | Tokenizer) -> tuple[Corpus, Corpus]:
    from assay.text import Corpus

    return Corpus.from_sides(texts_a, texts_b, tokenizer=tokenizer)
