"""The search of files: which are searched together, what each finds, and how the findings of files are merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.contamination.documents import DocumentBlock, pack_texts, read_blocks
from assay.contamination.indexing import make_matches, make_scratch
from assay.contamination.kernels import search_documents
from assay.contamination.scoring import SeedFrequencies
from assay.contamination.sources import CorpusFiles, get_state
from assay.contamination.structures import MAX_OTHERS, Index, Matches
from assay.tasks import Shared, reduce_tasks
from assay.text.characters import word_letters

MAX_SINGLE_FILES = 512  # of more files than these, small neighbours are searched together
MIN_GROUP_BYTES = 16_000_000
MAX_GROUPS = 4096  # about; a scheduler needs a millisecond per call, whatever the call does


@dataclass(frozen=True)
class CorpusFile:
    """A file of a corpus: its number, path, source, size and time of change."""

    number: int
    path: str
    source: str
    state: tuple[int, int]


@dataclass(frozen=True, eq=False)
class SeedCounts:
    """In how many documents of a source each seed is that occurs in any."""

    seeds: Array
    counts: Array
    documents: int
    n_bytes: int


@dataclass(frozen=True, eq=False)
class ShardMatches:
    """The best match of every item that files match, and the seeds that they have.

    `owners` are numbers of files. Item i of `items` has as many of `other_places`, which are files and documents as
    good as its best match, as `other_counts` says. `words` are places of matched words in the index, of `word_items`.
    """

    items: Array
    scores: Array
    overlaps: Array
    owners: Array
    documents: Array
    words: Array
    word_items: Array
    other_counts: Array
    other_places: Array
    sources: dict[str, SeedCounts]
    damage: dict[int, str]


def plan_files(files: Sequence[str], sources: Sequence[str]) -> list[tuple[CorpusFile, ...]]:
    """Return the files that are searched together: each one alone, or of very many files neighbours by their bytes.

    The bytes of a group double with the corpus, and else stay the same, so that finished groups of a growing corpus
    are found again.
    """
    listed = [
        CorpusFile(number, path, source, get_state(path))
        for number, (path, source) in enumerate(zip(files, sources, strict=True))
    ]
    if len(listed) <= MAX_SINGLE_FILES:
        return [(file,) for file in listed]
    total, min_bytes = sum(file.state[0] for file in listed), MIN_GROUP_BYTES
    while total > MAX_GROUPS * min_bytes:
        min_bytes *= 2
    groups: list[tuple[CorpusFile, ...]] = []
    group: list[CorpusFile] = []
    n_bytes = 0
    for file in listed:
        group.append(file)
        n_bytes += file.state[0]
        if n_bytes >= min_bytes:
            groups.append(tuple(group))
            group, n_bytes = [], 0
    return [*groups, tuple(group)] if group else groups


def search_corpus(
    corpus: CorpusFiles,
    files: Sequence[str],
    sources: Sequence[str],
    index: Index,
    against: int,
    *,
    skips: bool,
    parallel: Options,
) -> ShardMatches:
    """Search all files, and merge what is found."""
    if isinstance(corpus, pl.Series):
        file = CorpusFile(0, files[0], sources[0], (0, 0))
        return _search_blocks(pack_texts(corpus.cast(pl.String).fill_null("")), file, index, against)
    shared = Shared(tuple(index))
    arguments = [(group, shared, against, skips) for group in plan_files(files, sources)]
    return reduce_tasks(search_files, arguments, merge_matches, **parallel)


def search_files(files: Sequence[CorpusFile], index: tuple[Array, ...], against: int, skips: bool) -> ShardMatches:
    """Search files of a corpus; `skips` returns the damage of a file instead of raising it."""
    found = []
    for file in files:
        try:
            found.append(_search_blocks(read_blocks(Path(file.path)), file, Index(*index), against))
        except AssayError as error:
            if not skips:
                raise
            found.append(_describe_damage(file, error.fact))
    return merge_matches(found)


def _search_blocks(blocks: Iterable[DocumentBlock], file: CorpusFile, index: Index, against: int) -> ShardMatches:
    matches, documents, n_bytes = make_matches(index), 0, 0
    scratch = make_scratch(index, len(matches.seed_documents))
    for block in blocks:
        search_documents(*block, documents, word_letters(lower=True), against, index, scratch, matches)
        documents += len(block.starts)
        n_bytes += int((block.ends - block.starts).sum())
    return _keep_matched(matches, index, file, documents, n_bytes)


def _keep_matched(matches: Matches, index: Index, file: CorpusFile, documents: int, n_bytes: int) -> ShardMatches:
    """Keep the items, words and seeds that a file matches: few of them, so that little travels."""
    items = np.flatnonzero(matches.scores > 0)
    words = np.flatnonzero(matches.matched)
    word_items = np.searchsorted(index.starts, words, "right") - 1
    is_matched = matches.scores[word_items] > 0
    rows = np.column_stack([matches.documents[items], matches.others[items]])[:, :MAX_OTHERS]
    is_row = rows >= 0
    places = rows[is_row]
    seeds = np.flatnonzero(matches.seed_documents)
    return ShardMatches(
        items,
        matches.scores[items],
        matches.overlaps[items],
        np.full(len(items), file.number),
        matches.documents[items],
        words[is_matched],
        word_items[is_matched],
        is_row.sum(axis=1),
        np.column_stack([np.full(len(places), file.number), places]),
        {file.source: _pack_seeds(seeds, matches.seed_documents[seeds], documents, n_bytes)},
        {},
    )


def _describe_damage(file: CorpusFile, damage: str) -> ShardMatches:
    nothing = np.zeros(0, np.int64)
    pairs = np.zeros((0, 2), np.int64)
    numbers = (nothing, nothing, nothing, nothing)
    return ShardMatches(nothing, np.zeros(0), np.zeros((0, 2)), *numbers, nothing, pairs, {}, {file.number: damage})


def merge_matches(parts: Sequence[ShardMatches]) -> ShardMatches:
    """Keep the best match of every item, of equal ones the first, and add up the seeds by source."""
    if len(parts) == 1:
        return parts[0]
    items, scores = np.concatenate([part.items for part in parts]), np.concatenate([part.scores for part in parts])
    overlaps = np.concatenate([part.overlaps for part in parts])
    order = np.lexsort((np.arange(len(items)), -overlaps.sum(axis=1), -scores, items))
    is_first = np.diff(items[order], prepend=-1) != 0
    best = order[is_first]
    part_of = np.repeat(np.arange(len(parts)), [len(part.items) for part in parts])
    other_counts, other_places = _merge_others(parts, items, scores, items[best], scores[best])
    is_kept = [_find_kept_words(part, items[best], part_of[best], number) for number, part in enumerate(parts)]
    words = np.concatenate([part.words[kept] for part, kept in zip(parts, is_kept, strict=True)])
    word_items = np.concatenate([part.word_items[kept] for part, kept in zip(parts, is_kept, strict=True)])
    by_place = np.argsort(words, kind="stable")
    return ShardMatches(
        items[best],
        scores[best],
        overlaps[best],
        np.concatenate([part.owners for part in parts])[best],
        np.concatenate([part.documents for part in parts])[best],
        words[by_place],
        word_items[by_place],
        other_counts,
        other_places,
        _merge_sources(parts),
        {number: damage for part in parts for number, damage in part.damage.items()},
    )


def _find_kept_words(part: ShardMatches, items: Array, winners: Array, number: int) -> Array:
    """Find the words of the items whose best match is in a part."""
    return np.asarray(winners[np.searchsorted(items, part.word_items)] == number)


def _merge_others(
    parts: Sequence[ShardMatches], items: Array, scores: Array, distinct: Array, best_scores: Array
) -> tuple[Array, Array]:
    """Keep the first documents whose score is the best of their item, in the order of the files."""
    counts = np.concatenate([part.other_counts for part in parts])
    places = np.concatenate([part.other_places for part in parts])
    is_best = np.repeat(scores == best_scores[np.searchsorted(distinct, items)], counts)
    owners, places = np.repeat(items, counts)[is_best], places[is_best]
    order = np.argsort(owners, kind="stable")
    owners, places = owners[order], places[order]
    ranks = np.arange(len(owners)) - np.searchsorted(owners, owners)
    kept = ranks < MAX_OTHERS
    totals = np.searchsorted(owners[kept], distinct, "right") - np.searchsorted(owners[kept], distinct)
    return totals, places[kept]


def _merge_sources(parts: Sequence[ShardMatches]) -> dict[str, SeedCounts]:
    merged = {}
    for source in dict.fromkeys(chain.from_iterable(part.sources for part in parts)):
        counted = [part.sources[source] for part in parts if source in part.sources]
        seeds, numbers = np.unique(np.concatenate([each.seeds for each in counted]), return_inverse=True)
        counts = np.zeros(len(seeds), np.int64)
        np.add.at(counts, numbers, np.concatenate([each.counts for each in counted]))
        documents, n_bytes = sum(each.documents for each in counted), sum(each.n_bytes for each in counted)
        merged[source] = _pack_seeds(seeds, counts, documents, n_bytes)
    return merged


def _pack_seeds(seeds: Array, counts: Array, documents: int, n_bytes: int) -> SeedCounts:
    """Keep numbers in few bytes: most of what travels are the seeds of a large benchmark."""
    kind = np.min_scalar_type(int(counts.max(initial=0)))
    return SeedCounts(seeds.astype(np.int32), counts.astype(kind), documents, n_bytes)


@dataclass(frozen=True, eq=False)
class MergedMatches:
    """The best match of every item with the number of its file, and the frequencies of seeds by source."""

    matches: Matches
    owners: Array
    others: dict[int, list[tuple[int, int]]]  # files and documents that are as good as the best match
    seed_documents: dict[str, Array]
    documents: dict[str, int]
    n_bytes: dict[str, int]
    damage: dict[str, str]

    def count_frequencies(self, source: str) -> tuple[SeedFrequencies, ...]:
        """Return how frequent the seeds are overall and, if the corpus has several sources, in one of them."""
        overall = SeedFrequencies(self.matches.seed_documents, sum(self.documents.values()))
        if len(self.documents) == 1:
            return (overall,)
        return overall, SeedFrequencies(self.seed_documents[source], self.documents[source])


def spread_matches(index: Index, found: ShardMatches, files: Sequence[str], sources: Sequence[str]) -> MergedMatches:
    """Return what was found for all items and seeds of the index."""
    if len(found.damage) == len(files):
        raise AssayError("every file of the corpus is damaged", place=files[0])
    total, owners = make_matches(index), np.zeros(len(index.middles), np.int64)
    total.scores[found.items] = found.scores
    total.overlaps[found.items] = found.overlaps
    total.documents[found.items] = found.documents
    total.matched[found.words] = True
    owners[found.items] = found.owners
    seed_documents: dict[str, Array] = {}
    documents, n_bytes = dict.fromkeys(sources, 0), dict.fromkeys(sources, 0)
    for source, counted in found.sources.items():
        seed_documents[source] = np.zeros(len(total.seed_documents), np.int64)
        seed_documents[source][counted.seeds] = counted.counts
        total.seed_documents[:] += seed_documents[source]
        documents[source], n_bytes[source] = counted.documents, counted.n_bytes
    ends = np.cumsum(found.other_counts).tolist()
    starts = [0, *ends][:-1]
    rows = [(file, row) for file, row in found.other_places.tolist()]
    others = {item: rows[start:end] for item, start, end in zip(found.items.tolist(), starts, ends, strict=True)}
    damage = {files[number]: reason for number, reason in sorted(found.damage.items())}
    return MergedMatches(total, owners, others, seed_documents, documents, n_bytes, damage)
