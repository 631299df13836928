"""A second look at items that were not found: passages with the same words, compared by sentence vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.contamination.documents import DocumentBlock, pack_texts, read_blocks
from assay.contamination.kernels import fill_slots, hash_seeds
from assay.contamination.passages import PassageCandidates, WordIndex, score_passages, split_passages
from assay.contamination.results import PossibleParaphrase
from assay.contamination.scanning import hash_texts
from assay.contamination.sources import CorpusFiles, get_state
from assay.tasks import Shared, iterate_tasks
from assay.text.characters import word_letters

if TYPE_CHECKING:
    from assay.text.encoders.base import Encoder

N_CANDIDATES = 4  # passages per item and file whose vectors are compared
MIN_SCORE = 0.15  # weighted share of the words of an item that a passage must have
MAX_WORD_ITEMS, MAX_WORD_SHARE = 50, 0.02  # words of more items than both say nothing about an item
MAX_PASSAGE_CHARACTERS = 1000
MIN_SIMILARITY = 0.7  # chosen on MSRP with word vectors, such that one clean item in 1,000 is listed


@dataclass(frozen=True, eq=False)
class FoundPassage:
    """A passage that shares words with an item: the share, the document and the text."""

    item: int
    score: float
    row: int
    text: str


def find_paraphrases(
    ids: list[str],
    texts: list[str],
    corpus: CorpusFiles,
    files: list[str],
    encoder: str | Encoder,
    *,
    similarity: float | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | bool | None = None,
) -> tuple[PossibleParaphrase, ...]:
    """Return items with a passage whose vector is similar to theirs, most similar first, the best passage of each."""
    if not texts:
        return ()
    index = tuple(index_words(texts))
    limit = MIN_SIMILARITY if similarity is None else similarity
    best: dict[int, PossibleParaphrase] = {}
    for file, passages in _search_files(corpus, files, index, len(texts), n_jobs, backend, cache):
        values = _compare([texts[each.item] for each in passages], [each.text for each in passages], encoder)
        for each, value in zip(passages, values, strict=True):
            if value >= limit and (each.item not in best or value > best[each.item].similarity):
                text = each.text[:MAX_PASSAGE_CHARACTERS]
                best[each.item] = PossibleParaphrase(ids[each.item], float(value), each.score, file, each.row, text)
    return tuple(sorted(best.values(), key=lambda each: -each.similarity))


def index_words(texts: list[str]) -> WordIndex:
    """Index the words that few items have; weights are logarithms of 1 + items / items with the word, as shares."""
    hashes, items = [], []
    for block, first in _count_texts(pack_texts(texts)):
        hashed, bounds = hash_texts(*block, word_letters(lower=True))
        hashes.append(hashed)
        items.append(first + np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)))
    distinct, numbers = np.unique(np.concatenate(hashes), return_inverse=True)
    pairs = np.unique(numbers.astype(np.int64) * len(texts) + np.concatenate(items))
    words, members = pairs // len(texts), pairs % len(texts)
    counts = np.bincount(words, minlength=len(distinct))
    weights = np.log1p(len(texts) / counts[words])
    shares = weights / np.bincount(members, weights, minlength=len(texts))[members]
    kept = counts[words] <= max(MAX_WORD_ITEMS, MAX_WORD_SHARE * len(texts))
    keys = hash_seeds(distinct, np.arange(len(distinct)), np.ones(len(distinct), np.int64))
    n_slots = 1 << int(2 * len(keys) + 1).bit_length()
    slots, values = np.zeros(n_slots, np.uint64), np.zeros(n_slots, np.int32)
    fill_slots(keys, slots, values, np.zeros(1, np.uint64))
    ends = np.concatenate([[0], np.cumsum(np.bincount(words[kept], minlength=len(distinct)))])
    return WordIndex(slots, values, ends.astype(np.int64), members[kept], shares[kept])


def _count_texts(blocks: Iterable[DocumentBlock]) -> Iterator[tuple[DocumentBlock, int]]:
    first = 0
    for block in blocks:
        yield block, first
        first += len(block.starts)


def _search_files(
    corpus: CorpusFiles,
    files: list[str],
    index: tuple[Any, ...],
    n_items: int,
    n_jobs: int,
    backend: str | None,
    cache: str | Path | bool | None,
) -> Iterator[tuple[str, list[FoundPassage]]]:
    """Yield every file with the passages found in it."""
    if isinstance(corpus, pl.Series):
        yield files[0], _search_blocks(pack_texts(corpus.cast(pl.String).fill_null("")), index, n_items)
        return
    shared = Shared(index)
    arguments = [(file, get_state(file), shared, n_items) for file in files]
    found = iterate_tasks(find_passages, arguments, n_jobs=n_jobs, backend=backend, cache=cache)
    yield from zip(files, found, strict=True)


def find_passages(path: str, state: tuple[int, int], index: tuple[Any, ...], n_items: int) -> list[FoundPassage]:  # noqa: ARG001
    """Find the passages of one file that share most words with each item."""
    return _search_blocks(read_blocks(Path(path)), index, n_items)


def _search_blocks(blocks: Iterable[DocumentBlock], index: tuple[Any, ...], n_items: int) -> list[FoundPassage]:
    candidates = PassageCandidates(
        np.full((n_items, N_CANDIDATES), MIN_SCORE), np.full((n_items, N_CANDIDATES), -1, np.int64)
    )
    kept: dict[int, tuple[int, str]] = {}
    n_passages = n_documents = 0
    for block in blocks:
        starts, ends, rows = split_passages(*block)
        score_passages(block.data, starts, ends, n_passages, word_letters(lower=True), WordIndex(*index), candidates)
        numbers = np.unique(candidates.passages)
        kept = {number: kept[number] for number in numbers.tolist() if number in kept}
        for number in numbers[numbers >= n_passages].tolist():
            at = number - n_passages
            text = bytes(block.data[starts[at] : ends[at]]).decode("utf-8", "replace").strip()
            kept[number] = (n_documents + int(rows[at]), text)
        n_passages += len(starts)
        n_documents += len(block.starts)
    return [
        FoundPassage(int(item), float(candidates.scores[item, rank]), *kept[int(candidates.passages[item, rank])])
        for item, rank in zip(*np.nonzero(candidates.passages >= 0), strict=True)
    ]


def _compare(texts: list[str], passages: list[str], encoder: str | Encoder) -> NDArray[np.float64]:
    """Return the cosine of the vectors of each text and passage."""
    from assay.text import make_encoder

    if not texts:
        return np.zeros(0)
    vectors = np.asarray(make_encoder(encoder).fit_transform([*texts, *passages]), np.float64)
    norms = np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)
    unit = vectors / norms[:, None]
    return np.asarray(np.einsum("ij,ij->i", unit[: len(texts)], unit[len(texts) :]))
