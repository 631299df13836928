"""What the compiled loops read and write: the index of a benchmark, and the best match of every item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_GAP = 3  # words that may be skipped at once, in the item and in the document
MAX_OTHERS = 8  # documents with the same score as the best that are kept
PREFIX_WORDS = 4  # seeds are looked up by their first words, then compared
TEXT, ANSWER, BOTH = 0, 1, 2


class Index(NamedTuple):
    """The benchmark: words of all items (question, then answer) and where their seeds are.

    Item i has the words from `starts[i]` to `starts[i + 1]`, its answer begins at `middles[i]`; text t, the question of
    item t / 2 or its answer, has those from `text_ends[t]` to `text_ends[t + 1]`. `firsts` is the place where the same
    word occurs first in the same text. `required` is the smallest share of a question and of an answer that counts,
    above 1 for texts too short to be searched, and `needed` the weight of that share for every text.

    Seeds that begin with prefix p are the postings from `prefix_ends[p]` to `prefix_ends[p + 1]`: the text of a seed,
    its place, size, number and weight, and the bits of the words before and after it. The seed that begins at a word is
    in `place_seeds`, -1 for none, and has `place_sizes` words.
    """

    words: Hashes
    firsts: Ints
    weights: Floats
    starts: Ints
    middles: Ints
    text_ends: Ints
    totals: Floats
    required: Floats
    needed: Floats
    filter_bits: Hashes
    slots: Hashes
    numbers: NDArray[np.int32]
    prefix_ends: Ints
    posting_texts: Ints
    posting_places: Ints
    posting_sizes: Ints
    posting_seeds: Ints
    posting_weights: Floats
    before_bits: Hashes
    after_bits: Hashes
    place_seeds: NDArray[np.int32]
    place_sizes: NDArray[np.int32]


class Matches(NamedTuple):
    """The best document of every item so far, and in how many documents each seed occurred.

    `others` has the first documents with the same score as the best, -1 for none.
    """

    scores: Floats
    overlaps: Floats
    documents: Ints
    matched: NDArray[np.bool_]
    seed_documents: Ints
    others: Ints


class Scratch(NamedTuple):
    """Working memory of the search of a file. Marks are numbers of documents, so that nothing is cleared between them.

    `marks` has the last document that matched each word, `bounds` what the seeds of each text match at most; `sums`,
    `regions` (the longest match of the question) and `spans` (the parts of the document that match) are those of items.
    """

    marks: Ints
    item_marks: Ints
    seed_marks: Ints
    bound_marks: Ints
    bounds: Floats
    sums: Floats
    regions: Ints
    spans: Ints
    items: Ints
    left_over: Ints
