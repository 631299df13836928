"""Texts that occur more than once: exactly, or nearly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import UsageError
from assay.text.close_texts import find_close_pairs
from assay.text.columns import TextBlock, Texts, cut_texts, release_memory, to_block, to_strings
from assay.text.corpus import Corpus
from assay.text.threads import map_in_threads
from assay.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from assay.text.scanner.similar_texts import ShingleIndex

THRESHOLD = 0.8  # of the Jaccard similarity of shingles
MAX_SORTED_KEYS = 10_000_000
N_SAMPLED_KEYS = 10_000


def exact_duplicates(texts: Texts) -> NDArray[np.int64]:
    """Number the groups of texts that are equal except for case, white space and Unicode composition (NFC).

    Texts are compared by 128 bits of hash. Groups are numbered by their first row.

    >>> exact_duplicates(["One  text", "another", "one text "]).tolist()
    [0, 1, 0]
    """
    return _number_by_first_row(_group_equal(hash_texts(texts))[1])


def hash_texts(texts: Texts) -> NDArray[np.uint64]:
    """Return two hashes of 64 bits of every text, ignoring case, white space and Unicode composition (NFC)."""
    return np.concatenate([np.zeros((0, 2), np.uint64), *map_in_threads(_hash_texts, cut_texts(texts))])


def near_duplicates(
    texts: Texts, threshold: float = THRESHOLD, tokenizer: str | Tokenizer = "words", *, close: bool = False
) -> NDArray[np.int64]:
    """Number the groups of texts whose shingles overlap: Jaccard similarity of at least `threshold`.

    Shingles are the text's words and its pairs of neighbouring words; a chain of similar texts is one group. With
    `close`, texts of 8 to 30 words are also grouped if they differ in at most one word of five, and in two at most.
    Nothing is drawn at random, and no pair is missed by chance. `texts` may be a `Corpus`.

    >>> near_duplicates(["a b c d e f g h i j k", "A b c d e f g h i j k!", "a b c d e f g h i j", "x"]).tolist()
    [0, 0, 0, 1]
    """
    from assay.text.scanner.shingles import hash_sequences
    from assay.text.scanner.similar_texts import resolve_groups, unite_similar

    _check_threshold(threshold)
    corpus = texts if isinstance(texts, Corpus) else Corpus.from_texts(texts, tokenizer)
    hashes = hash_vocabulary(corpus)
    # One text represents all equal ones, in the order of the hashes, so that nothing depends on the order of the rows.
    firsts, members = _group_equal(hash_sequences(corpus.offsets, corpus.ids, hashes))
    index = _index_shingles(corpus, firsts, hashes, threshold)
    parents = np.arange(len(firsts))
    for block in _sort_keys(index):
        unite_similar(block, threshold, parents)
    groups = resolve_groups(parents)
    if close:
        groups = _unite_close(groups, find_close_pairs(corpus, firsts, hashes))
    del index, block
    release_memory()
    return _number_by_first_row(groups[members])


def _unite_close(groups: NDArray[np.int64], pairs: Iterator[tuple[int, int]]) -> NDArray[np.int64]:
    """Unite the groups of pairs of texts, all at once: a pass over the texts for each pair would cost their square."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = groups[np.array(list(pairs), np.int64).reshape(-1, 2)]
    if not len(edges):
        return groups
    n = int(groups.max()) + 1
    graph = coo_array((np.ones(len(edges), np.int8), (edges[:, 0], edges[:, 1])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], np.int64)[groups]


def near_matches(
    texts: Texts,
    rows: ArrayLike,
    reference_rows: ArrayLike,
    threshold: float = THRESHOLD,
    *,
    groups: ArrayLike | None = None,
    tokenizer: str | Tokenizer = "words",
    close: bool = False,
) -> NDArray[np.bool_]:
    """Find which of some rows are near duplicates of a reference row itself, not only linked to one by a chain.

    `groups` are the groups of `near_duplicates` at this threshold, if they are known: only members of a group are
    compared. Texts without words match nothing. `close` works as in `near_duplicates`. `texts` may be a `Corpus`.

    >>> texts = ["a b c d e f g h", "a b c d e f g i", "a b c d e f j i"]
    >>> near_matches(texts, rows=[1, 2], reference_rows=[0], threshold=0.7).tolist()
    [True, False]
    """
    from assay.text.scanner.similar_texts import match_references

    _check_threshold(threshold)
    corpus = texts if isinstance(texts, Corpus) else Corpus.from_texts(texts, tokenizer)
    queries, references = np.asarray(rows, np.int64), np.asarray(reference_rows, np.int64)
    candidates = np.arange(len(queries))
    if groups is not None:
        numbers = np.asarray(groups)
        candidates = np.flatnonzero(np.isin(numbers[queries], numbers[references]))
        references = references[np.isin(numbers[references], numbers[queries])]
    is_match = np.zeros(len(queries), np.bool_)
    if len(candidates):
        both = np.concatenate([queries[candidates], references])
        hashes = hash_vocabulary(corpus)
        index = _index_shingles(corpus, both, hashes, threshold)
        for block in _sort_keys(index):
            is_match[candidates] |= match_references(block, len(candidates), threshold)
        if close:
            pairs = find_close_pairs(corpus, both, hashes)
            is_match[[candidates[first] for first, second in pairs if first < len(candidates) <= second]] = True
    return is_match


def most_similar_members(
    corpus: Corpus, rows: ArrayLike, reference_rows: ArrayLike, groups: ArrayLike, max_members: int = 50
) -> NDArray[np.int64]:
    """Return, for each of some rows, the reference row of its group that shares most words with it (Jaccard).

    Only the first `max_members` reference rows of a group are compared; −1 if a group has none.

    >>> corpus = Corpus.from_texts(["a b c d", "a b x y", "a b c e"])
    >>> most_similar_members(corpus, [2], [0, 1], [0, 0, 0]).tolist()
    [0]
    """
    numbers, queries = np.asarray(groups), np.asarray(rows, np.int64)
    wanted = set(numbers[queries].tolist())
    members: dict[int, list[int]] = {}
    references = np.asarray(reference_rows, np.int64)
    for row in references[np.isin(numbers[references], list(wanted))].tolist():
        members.setdefault(int(numbers[row]), []).append(row)

    def words(row: int) -> set[int]:
        return set(corpus.ids[corpus.offsets[row] : corpus.offsets[row + 1]].tolist())

    best = np.full(len(queries), -1, np.int64)
    for place, row in enumerate(queries.tolist()):
        own = words(row)
        candidates = [(other, words(other)) for other in members.get(int(numbers[row]), [])[:max_members]]
        if candidates:
            best[place] = max(candidates, key=lambda pair: len(own & pair[1]) / max(1, len(own | pair[1])))[0]
    return best


def largest_groups(groups: ArrayLike, limit: int = 5) -> list[list[int]]:
    """Return the rows of the largest groups of two or more, the largest first.

    >>> largest_groups([0, 1, 0, 2, 1, 0])
    [[0, 2, 5], [1, 4]]
    """
    numbers = np.asarray(groups)
    sizes = np.bincount(numbers) if len(numbers) else np.zeros(0, np.int64)
    largest = np.argsort(-sizes, kind="stable")[:limit]
    return [np.flatnonzero(numbers == group).tolist() for group in largest if sizes[group] > 1]


def _check_threshold(threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise UsageError(f"must be above 0 and at most 1, not {threshold}.", option="threshold")


def hash_vocabulary(corpus: Corpus) -> NDArray[np.uint64]:
    """Hash every word of the vocabulary by its spelling."""
    from assay.text.scanner.shingles import hash_words

    return hash_words(*to_block(pa.array(corpus.vocabulary, pa.large_string())))


def _index_shingles(
    corpus: Corpus, rows: NDArray[np.int64], hashes: NDArray[np.uint64], threshold: float
) -> ShingleIndex:
    from assay.text.scanner.shingles import count_shingles, rarest_shingles
    from assay.text.scanner.similar_texts import ShingleIndex

    starts, ends = corpus.offsets[rows], corpus.offsets[rows + 1]
    n_counters = 1 << min(26, max(10, int(2 * (ends - starts).sum()).bit_length()))
    counts = count_shingles(starts, ends, corpus.ids, hashes, n_counters)
    keys, texts, sizes, sketches = rarest_shingles(starts, ends, corpus.ids, hashes, counts, threshold)
    return ShingleIndex(starts, ends, corpus.ids, hashes, counts, sizes, sketches, keys, texts)


def _sort_keys(index: ShingleIndex) -> Iterator[ShingleIndex]:
    """Yield the index with its keys in ascending order, a range of the keys at a time: they are its largest array."""
    n_blocks = max(1, -(-len(index.keys) // MAX_SORTED_KEYS))
    sample = np.sort(index.keys[:: max(1, len(index.keys) // N_SAMPLED_KEYS)])
    edges = sample[np.arange(1, n_blocks) * len(sample) // n_blocks].tolist()
    for low, high in pairwise([None, *edges, None]):
        chosen = np.ones(len(index.keys), np.bool_) if low is None else index.keys >= np.uint64(low)
        if high is not None:
            chosen &= index.keys < np.uint64(high)
        keys, texts = index.keys[chosen], index.texts[chosen]
        order = np.argsort(keys, kind="stable")
        yield index._replace(keys=keys[order], texts=texts[order])


def _group_equal(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each distinct pair of hashes, in the order of the pairs, and each row's pair."""
    order = np.lexsort((hashes[:, 1], hashes[:, 0]))
    ordered = hashes[order]
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    members = np.empty(len(order), np.int64)
    members[order] = np.cumsum(is_new) - 1
    return order[is_new], members


def _number_by_first_row(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    _, firsts, members = np.unique(groups, return_index=True, return_inverse=True)
    numbers = np.empty(len(firsts), np.int64)
    numbers[np.argsort(firsts)] = np.arange(len(firsts))
    return numbers[members.reshape(-1)]


def _hash_texts(block: TextBlock) -> NDArray[np.uint64]:
    from assay.text.scanner.shingles import find_non_ascii, hash_folded

    non_ascii = find_non_ascii(*block)
    if non_ascii.any():
        texts, mask = to_strings(*block), pa.array(non_ascii)
        folded = [" ".join(normalize("NFC", text).casefold().split()) for text in texts.filter(mask).to_pylist()]
        block = to_block(pc.replace_with_mask(texts, mask, pa.array(folded, pa.large_string())))
    return hash_folded(*block)
