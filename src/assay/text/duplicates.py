"""Texts that come more than once: exactly, or nearly."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import UsageError
from assay.text.columns import Block, block_of, blocks, column, release_memory, strings
from assay.text.corpus import Corpus
from assay.text.threads import in_threads
from assay.text.tokenizers import Tokenizer


def exact_duplicates(texts: Any) -> NDArray[np.int64]:
    """Number the groups of texts that are equal but for case, white space and Unicode composition (NFC).

    Texts are compared by 128 bits of hash. Groups are numbered by their first row.

    >>> exact_duplicates(["One  text", "another", "one text "]).tolist()
    [0, 1, 0]
    """
    hashes = np.concatenate([np.zeros((0, 2), np.uint64), *in_threads(_text_hashes, blocks(column(texts)))])
    return _by_first_row(_same_rows(hashes)[1])


def near_duplicates(
    texts: Any,
    threshold: float = 0.8,
    random_state: int = 0,  # noqa: ARG001, every search takes a seed; this one needs none
    tokenizer: str | Tokenizer = "words",
) -> NDArray[np.int64]:
    """Number the groups of texts whose shingles overlap: Jaccard similarity of at least `threshold`.

    Shingles are the text's words and its pairs of neighbouring words. Candidates share one of their rarest shingles,
    which no similar pair can avoid (prefix filtering), and are checked exactly; a chain of similar texts is one group.
    Nothing is drawn: `random_state` changes nothing. A ready `Corpus` in place of texts is used as it is.

    >>> near_duplicates(["a b c d e f g h i j k", "A b c d e f g h i j k!", "a b c d e f g h i j", "x"]).tolist()
    [0, 0, 0, 1]
    """
    from assay.text.shingles import sequence_hashes, word_hashes

    if not 0 < threshold <= 1:
        raise UsageError(f"threshold must be above 0 and at most 1, not {threshold}.")
    corpus = texts if isinstance(texts, Corpus) else Corpus.from_texts(texts, tokenizer)
    hashes = word_hashes(*block_of(pa.array(corpus.vocabulary, pa.large_string())))
    # Equal texts stand as one, in the order of their hashes, so that nothing below depends on the order of the rows.
    firsts, members = _same_rows(sequence_hashes(corpus.offsets, corpus.ids, hashes))
    groups = _near_groups(corpus.take(firsts), hashes, threshold)
    release_memory()
    return _by_first_row(groups[members])


def largest_groups(groups: ArrayLike, limit: int = 5) -> list[list[int]]:
    """Return the rows of the largest groups of two or more, the largest first.

    >>> largest_groups([0, 1, 0, 2, 1, 0])
    [[0, 2, 5], [1, 4]]
    """
    numbers = np.asarray(groups)
    sizes = np.bincount(numbers) if len(numbers) else np.zeros(0, np.int64)
    largest = np.argsort(-sizes, kind="stable")[:limit]
    return [np.flatnonzero(numbers == group).tolist() for group in largest if sizes[group] > 1]


def _near_groups(corpus: Corpus, hashes: NDArray[np.uint64], threshold: float) -> NDArray[np.int64]:
    from assay.text.shingles import prefixes, shingle_counts, unite_similar

    n_counters = 1 << min(26, max(10, int(2 * len(corpus.ids)).bit_length()))
    counts = shingle_counts(corpus.offsets, corpus.ids, hashes, n_counters)
    keys, texts, sizes, sketches = prefixes(corpus.offsets, corpus.ids, hashes, counts, threshold)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]  # one after the other: these are the largest arrays of all
    texts = texts[order]
    del order
    return unite_similar(corpus.offsets, corpus.ids, hashes, counts, sizes, sketches, keys, texts, threshold)


def _same_rows(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each distinct pair of hashes, in the order of the pairs, and each row's pair."""
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    ordered = hashes[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    members = np.empty(len(order), np.int64)
    members[order] = np.cumsum(is_new) - 1
    return order[is_new], members


def _by_first_row(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    _, firsts, members = np.unique(groups, return_index=True, return_inverse=True)
    numbers = np.empty(len(firsts), np.int64)
    numbers[np.argsort(firsts)] = np.arange(len(firsts))
    return numbers[members.reshape(-1)]


def _text_hashes(block: Block) -> NDArray[np.uint64]:
    from assay.text.shingles import folded_hashes, has_high_bytes

    beyond_ascii = has_high_bytes(*block)
    if beyond_ascii.any():
        texts, mask = strings(*block), pa.array(beyond_ascii)
        folded = [" ".join(normalize("NFC", text).casefold().split()) for text in texts.filter(mask).to_pylist()]
        block = block_of(pc.replace_with_mask(texts, mask, pa.array(folded, pa.large_string())))
    return folded_hashes(*block)
