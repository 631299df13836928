"""Lexical divergence and similarity of two texts (Peinelt et al. 2019)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.registry import Registry

if TYPE_CHECKING:
    from assay.text import Corpus
    from assay.text.tokenizers import Tokenizer

Measure = Callable[..., NDArray[np.float64]]
MEASURES: Registry[Measure] = Registry("measure")
SIMILARITIES = frozenset({"jaccard", "dice"})

_BLOCK = 50_000  # pairs a thread takes at a time


@MEASURES.add("jensen-shannon")
def jensen_shannon(
    texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return the Jensen–Shannon divergence of the word frequencies of each pair, base 2 and not its square root.

    It is 0 for equal word frequencies and 1 without shared words. It is undefined (nan) if one side has no words, 0
    if both have none. Ready corpora with one vocabulary (`Corpus.from_sides`) are used as they are.

    >>> jensen_shannon(["a b", "a a b"], ["a c", "a b b"]).round(4).tolist()
    [0.5, 0.0817]
    """
    from assay.difficulty.pairs._kernels import jensen_shannon_of_pairs

    return _compare_pairs(jensen_shannon_of_pairs, texts_a, texts_b, tokenizer)


@MEASURES.add("jaccard")
def jaccard(
    texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return Jaccard's index of each pair: shared words / words of either text, as sets.

    It is nan if one side has no words, 1 if both have none.

    >>> jaccard(["the cat sat"], ["the cat ran"]).tolist()
    [0.5]
    """
    shared, types_a, types_b = _count_overlap(texts_a, texts_b, tokenizer)
    return _divide(shared, types_a + types_b - shared, types_a, types_b)


@MEASURES.add("dice")
def dice(
    texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer = "words"
) -> NDArray[np.float64]:
    """Return Dice's coefficient of each pair: 2 · shared words / (words of one + words of the other), as sets.

    It is nan if one side has no words, 1 if both have none.

    >>> dice(["one two three four"], ["one five"]).round(4).tolist()
    [0.3333]
    """
    shared, types_a, types_b = _count_overlap(texts_a, texts_b, tokenizer)
    return _divide(2 * shared, types_a + types_b, types_a, types_b)


def _compare_pairs(
    kernel: Any, texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer
) -> Array:
    """Number the words of both sides over one vocabulary and run a kernel over all pairs, in blocks on threads."""
    from assay.text.threads import map_in_threads

    if len(texts_a) != len(texts_b):
        raise AssayError(f"Pairs need as many first as second texts; there are {len(texts_a)} and {len(texts_b)}.")
    a, b = _to_corpora(texts_a, texts_b, tokenizer)

    def compare_block(start: int) -> Array:
        block = slice(start, start + _BLOCK + 1)  # one offset more than pairs
        values: NDArray[Any] = kernel(a.offsets[block], a.ids, b.offsets[block], b.ids, len(a.vocabulary))
        return values

    return np.concatenate(list(map_in_threads(compare_block, range(0, max(1, len(texts_a)), _BLOCK))))


def _to_corpora(
    texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer
) -> tuple[Corpus, Corpus]:
    from assay.text import Corpus

    if isinstance(texts_a, Corpus) and isinstance(texts_b, Corpus):
        if texts_a.vocabulary is not texts_b.vocabulary:
            raise UsageError("The corpora of both sides must share one vocabulary: make them with Corpus.from_sides.")
        return texts_a, texts_b
    return Corpus.from_sides(texts_a, texts_b, tokenizer=tokenizer)


def _count_overlap(
    texts_a: Sequence[str] | Corpus, texts_b: Sequence[str] | Corpus, tokenizer: str | Tokenizer
) -> NDArray[np.int64]:
    """Count the distinct words shared, of the first side, and of the second side."""
    from assay.difficulty.pairs._kernels import overlap_of_pairs

    return _compare_pairs(overlap_of_pairs, texts_a, texts_b, tokenizer).T


def _divide(part: Array, whole: Array, types_a: Array, types_b: Array) -> NDArray[np.float64]:
    similarities = np.full(len(part), np.nan)
    both = (types_a > 0) & (types_b > 0)
    similarities[both] = part[both] / whole[both]
    similarities[(types_a == 0) & (types_b == 0)] = 1.0
    return similarities
