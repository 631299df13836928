"""The features of pairs: both sides, shared and differing n-grams; weights of differences, which are not stored.

The matrix of a kind of n-grams has the blocks a, b, a · b and min(a, b), of one column per n-gram, and the cosine. The
fourth feature of a model is |a − b| = a + b − 2 min(a, b): only n-grams that both sides have need entries for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.base.arrays import Array


def replace_differences(weights: Array, sizes: Iterable[int]) -> Array:
    """Return weights for the stored columns that give the scores of weights (features × classes) for differences.

    `sizes` are the numbers of n-grams of each kind.
    """
    stored = weights.copy()
    for a, b, smaller in _find_blocks(sizes):
        stored[a] += weights[smaller]
        stored[b] += weights[smaller]
        stored[smaller] *= -2
    return stored


def restore_differences(sums: Array, sizes: Iterable[int]) -> Array:
    """Return sums over items of the features from those of the stored columns (columns × classes)."""
    restored = sums.copy()
    for a, b, smaller in _find_blocks(sizes):
        restored[smaller] = sums[a] + sums[b] - 2 * sums[smaller]
    return restored


def _find_blocks(sizes: Iterable[int]) -> Iterator[tuple[slice, slice, slice]]:
    """Yield the columns of a, b and min(a, b) of each kind of n-grams."""
    first = 0
    for size in sizes:
        a, b, smaller = (slice(first + number * size, first + (number + 1) * size) for number in (0, 1, 3))
        yield a, b, smaller
        first += 4 * size + 1
