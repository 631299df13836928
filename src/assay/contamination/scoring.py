"""Score a match again once the whole corpus is known: what is frequent in it does not count."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.contamination.indexing import VERBATIM_WORDS
from assay.contamination.overlaps import score_item
from assay.contamination.structures import Index, Matches

# A seed in more documents than both is boilerplate: a licence, a page header, a famous quotation.
MAX_DOCUMENTS, MAX_DOCUMENT_SHARE = 50, 0.005
MAX_SHORT_DOCUMENTS, MAX_SHORT_SHARE = 3, 1e-4  # for texts of fewer than eight words
MIN_MATCHED_WORDS = 5


class SeedFrequencies(NamedTuple):
    """In how many of n documents each seed occurs."""

    seed_documents: NDArray[np.int64]
    n_documents: int

    def is_frequent(self, seed: int, is_short: bool) -> bool:
        """Return whether a seed is boilerplate."""
        limits = (MAX_SHORT_DOCUMENTS, MAX_SHORT_SHARE) if is_short else (MAX_DOCUMENTS, MAX_DOCUMENT_SHARE)
        return bool(self.seed_documents[seed] > max(limits[0], limits[1] * self.n_documents))


def score_without_boilerplate(
    index: Index, matches: Matches, item: int, against: int, frequencies: Sequence[SeedFrequencies]
) -> tuple[float, tuple[float, float]]:
    """Return the score of an item and its overlaps (nan for an absent text), 0 if only boilerplate matched.

    `frequencies` are from the whole corpus, and from the source of the match: a seed that is frequent in either does
    not count.
    """
    first, middle, last = int(index.starts[item]), int(index.middles[item]), int(index.starts[item + 1])
    shares = []
    for side, (start, end) in enumerate(((first, middle), (middle, last))):
        matched = matches.matched[start:end]
        if index.required[item, side] > 1 or not matched.any():
            shares.append(float(matches.overlaps[item, side]))
            continue
        is_short = end - start < VERBATIM_WORDS
        is_frequent = _find_frequent_words(index, start, end, frequencies, is_short)
        kept = index.weights[start:end] * ~is_frequent
        is_enough = (matched & ~is_frequent).sum() >= MIN_MATCHED_WORDS
        shares.append(min(1.0, float(kept[matched].sum() / kept.sum())) if is_enough else 0.0)
    score = float(score_item(shares[0], shares[1], index.required[item], against))
    return score, (shares[0] if middle > first else math.nan, shares[1] if last > middle else math.nan)


def _find_frequent_words(
    index: Index, start: int, end: int, frequencies: Sequence[SeedFrequencies], is_short: bool
) -> NDArray[np.bool_]:
    """Find which words of a text are in frequent seeds only."""
    frequent, rare = np.zeros(end - start, np.bool_), np.zeros(end - start, np.bool_)
    for place in range(start, end):
        seed = index.place_seeds[place]
        if seed >= 0:
            stop = place - start + index.place_sizes[place]
            is_frequent = any(each.is_frequent(seed, is_short) for each in frequencies)
            (frequent if is_frequent else rare)[place - start : stop] = True
    return frequent & ~rare
