"""Signatures by which copies of texts are found without comparing all texts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.text.corpus import Corpus
from assay.text.duplicates import hash_texts, hash_vocabulary

N_BANDS, N_ROWS = 32, 6  # a pair of similarity 0.8 shares no band with probability (1 - 0.8 ** 6) ** 32 = 0.00006


class TextSignatures(NamedTuple):
    """Hashes of whole texts and of their words in order, two of 64 bits each, and one key per band and text."""

    exact: NDArray[np.uint64]
    sequence: NDArray[np.uint64]
    bands: NDArray[np.uint64]


def sign_texts(texts: object, corpus: Corpus) -> TextSignatures:
    """Sign texts, whose words are in the corpus; the signature of a text depends on this text alone.

    >>> texts = ["One  text", "one text", "one text!"]
    >>> exact, sequence, bands = sign_texts(texts, Corpus.from_texts(texts))
    >>> bool((exact[0] == exact[1]).all()), bool((exact[1] == exact[2]).all()), bool((sequence[1] == sequence[2]).all())
    (True, False, True)
    """
    from assay.text.scanner.minhash import sign_bands
    from assay.text.scanner.shingles import hash_sequences

    hashes = hash_vocabulary(corpus)
    factors = np.random.default_rng(0).integers(0, 1 << 32, N_BANDS * N_ROWS, np.uint32) | np.uint32(1)
    return TextSignatures(
        hash_texts(texts),
        hash_sequences(corpus.offsets, corpus.ids, hashes),
        sign_bands(corpus.offsets, corpus.ids, hashes, factors, N_BANDS),
    )


def list_shingles(corpus: Corpus) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the distinct shingles of all texts, ascending within a text, and where those of each text end."""
    from assay.text.scanner import minhash

    shingles, bounds = minhash.list_shingles(corpus.offsets, corpus.ids, hash_vocabulary(corpus))
    return shingles, bounds
