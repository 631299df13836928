"""Draws of texts by their content, so that a sample depends neither on the order of rows nor on shards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.text.duplicates import hash_texts


def rank_texts(texts: Sequence[str] | pl.Series, random_state: int) -> NDArray[np.uint64]:
    """Return a pseudo-random number for every text, from its characters and the seed (splitmix64)."""
    return rank_hashes(hash_texts(texts), random_state)


def rank_hashes(hashes: NDArray[np.uint64], random_state: int) -> NDArray[np.uint64]:
    """Return the ranks of texts whose hashes are known."""
    seed = np.random.SeedSequence(random_state).generate_state(1, np.uint64)[0]
    bits = hashes[:, 0] ^ seed
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
    return bits ^ (bits >> np.uint64(31))


def find_lowest(ranks: NDArray[np.uint64], n: int) -> NDArray[np.int64]:
    """Return the rows whose rank is among the n lowest, ascending; more than n if the last rank is tied.

    >>> find_lowest(np.array([5, 1, 4, 4], np.uint64), 2).tolist()
    [1, 2, 3]
    """
    if len(ranks) <= n:
        return np.arange(len(ranks))
    return np.flatnonzero(ranks <= np.partition(ranks, n - 1)[n - 1])


def draw_texts(texts: Sequence[str], ranks: NDArray[np.uint64], n: int) -> list[str]:
    """Return the n texts with the lowest ranks; equal ranks (texts that differ in case or spaces) go by the text."""
    return [text for _, text in sorted(zip(ranks.tolist(), texts, strict=True))[:n]]
