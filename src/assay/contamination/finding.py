"""Find the items of a benchmark in a corpus."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.errors import AssayError, UsageError, unknown_name
from assay.base.wording import count_noun
from assay.contamination.documents import Block, list_files, pack_texts, read_blocks
from assay.contamination.indexing import MIN_ANSWER_WORDS, MIN_QUESTION_WORDS, build_index, make_matches
from assay.contamination.items import ItemTexts, split_items
from assay.contamination.kernels import ANSWER, BOTH, PREFIX_WORDS, TEXT, Index, Matches, search_documents
from assay.contamination.results import Contamination, ContaminationHit
from assay.contamination.scoring import score_without_boilerplate
from assay.statistics import wilson
from assay.tasks import run_tasks
from assay.text.characters import word_letters

if TYPE_CHECKING:
    from assay.data import Dataset

AGAINST = {"text": TEXT, "answer": ANSWER, "both": BOTH}


@dataclass(frozen=True, eq=False)
class ShardMatches:
    """What the search of one file found."""

    matches: tuple[Any, ...]
    documents: int
    n_bytes: int


def find_contamination(
    data: Any,
    corpus: Any,
    *,
    against: str = "both",
    answer: str | None = None,
    threshold: float = 0.5,
    seed_words: int = 8,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | bool | None = None,
) -> Contamination:
    """Find items whose question or answer is in a corpus, verbatim or with a few words changed.

    `corpus` is a file, a folder, a glob or several of them (text, JSON lines, CSV, TSV, Parquet; also .gz and .zst), or
    texts in memory as a polars Series. An item counts where at least `threshold` of the words of its question
    (`against="text"`), its answer, or either are in one document, weighted by inverse document frequency. `answer`
    names the column of answers. Paraphrases and translations are not found.

    >>> import polars as pl
    >>> item = "Which river flows through the old town of Heidelberg before it joins the Rhine?"
    >>> text = "Quiz night. which river flows through the town of Heidelberg before it joins the Rhine: the Neckar!"
    >>> result = find_contamination({"text": [item, "Who wrote the first novel about the sea?"]}, pl.Series([text]))
    >>> result.contaminated, [(hit.id, round(hit.score, 2)) for hit in result.hits]
    (1, [('0', 0.92)])
    """
    _check_settings(against, threshold, seed_words)
    started = time.perf_counter()
    texts = split_items(_read(data), answer)
    index = build_index(texts, seed_words=seed_words, threshold=threshold)
    checked = _find_checked(index, against)
    if not checked.any():
        raise _nothing_to_check(against, texts)
    files, shards = _search(corpus, index, AGAINST[against], n_jobs=n_jobs, backend=backend, cache=cache)
    matches, owners = _merge(index, [Matches(*shard.matches) for shard in shards])
    documents = sum(shard.documents for shard in shards)
    hits = []
    for item in np.flatnonzero(matches.scores):
        score, overlaps = score_without_boilerplate(index, matches, int(item), AGAINST[against], documents)
        if score > 0:
            place = files[owners[item]], int(matches.documents[item])
            hits.append(ContaminationHit(texts.ids[item], score, *overlaps, *place))
    interval = wilson(len(hits), int(checked.sum()))
    return Contamination(
        items=int(checked.sum()),
        contaminated=len(hits),
        share=interval.value,
        low=interval.low,
        high=interval.high,
        documents=documents,
        bytes=sum(shard.n_bytes for shard in shards),
        seconds=time.perf_counter() - started,
        hits=tuple(sorted(hits, key=lambda hit: -hit.score)),
        notes=_write_notes(texts, checked, against, int((matches.scores > 0).sum()) - len(hits)),
    )


def _check_settings(against: str, threshold: float, seed_words: int) -> None:
    if against not in AGAINST:
        raise unknown_name("part of an item", against, AGAINST)
    if not 0 < threshold <= 1:
        raise UsageError(f"is {threshold}; it must be above 0 and at most 1", option="threshold")
    if seed_words < PREFIX_WORDS:
        raise UsageError(f"is {seed_words}; at least {PREFIX_WORDS} words are needed", option="seed_words")


def _read(data: Any) -> Dataset:
    from assay.data import Dataset
    from assay.kinds import read

    return data if isinstance(data, Dataset) else read(data)


def _find_checked(index: Index, against: str) -> Any:
    """Tell which items have a text that is long enough to be searched."""
    searchable = index.required <= 1
    columns = {"text": searchable[:, 0], "answer": searchable[:, 1], "both": searchable.any(axis=1)}
    return columns[against]


def _nothing_to_check(against: str, texts: ItemTexts) -> AssayError:
    if against == "answer" and texts.answers is None:
        return AssayError("the data has no answers as text", hint="Name their column with {answer}.")
    n_words = MIN_ANSWER_WORDS if against == "answer" else MIN_QUESTION_WORDS
    return AssayError(f"no item has {n_words} words or more: shorter texts say nothing about contamination")


def _search(
    corpus: Any, index: Index, against: int, *, n_jobs: int, backend: str | None, cache: str | Path | bool | None
) -> tuple[list[str], list[ShardMatches]]:
    """Search every file of a corpus; return their names and what was found in each."""
    import polars as pl

    if isinstance(corpus, pl.Series):
        texts = corpus.cast(pl.String).fill_null("")
        return [corpus.name], [_search_blocks(pack_texts(texts), index, against)]
    sources: Sequence[str | Path] = [corpus] if isinstance(corpus, str | Path) else list(corpus)
    if not sources:
        raise UsageError("names no files", option="corpus")
    files = list_files(sources)
    arguments = [(str(file), _get_state(file), tuple(index), against) for file in files]
    return [str(file) for file in files], run_tasks(search_file, arguments, n_jobs=n_jobs, backend=backend, cache=cache)


def _get_state(file: Path) -> tuple[int, int]:
    """Return size and time of change: a finished search is reused only while the file is the same."""
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def search_file(path: str, state: tuple[int, int], index: tuple[Any, ...], against: int) -> ShardMatches:  # noqa: ARG001
    """Search one file of a corpus."""
    return _search_blocks(read_blocks(Path(path)), Index(*index), against)


def _search_blocks(blocks: Iterable[Block], index: Index, against: int) -> ShardMatches:
    matches, documents, n_bytes = make_matches(index), 0, 0
    for block in blocks:
        search_documents(*block, documents, word_letters(lower=True), against, index, matches)
        documents += len(block.starts)
        n_bytes += int((block.ends - block.starts).sum())
    return ShardMatches(tuple(matches), documents, n_bytes)


def _merge(index: Index, shards: list[Matches]) -> tuple[Matches, Any]:
    """Keep the best match of every item, the first of equal ones, and count the documents of every seed."""
    total, owners = make_matches(index), np.zeros(len(index.middles), np.int64)
    item_of_word = np.repeat(np.arange(len(index.middles)), np.diff(index.starts))
    for number, shard in enumerate(shards):
        total.seed_documents[:] += shard.seed_documents
        sums, best = shard.overlaps.sum(axis=1), total.overlaps.sum(axis=1)
        better = (shard.scores > total.scores) | ((shard.scores == total.scores) & (sums > best))
        for target, values in zip(total[:3], shard[:3], strict=True):
            target[better] = values[better]
        owners[better] = number
        words = better[item_of_word]
        total.matched[words] = shard.matched[words]
    return total, owners


def _write_notes(texts: ItemTexts, checked: Any, against: str, n_dropped: int) -> tuple[str, ...]:
    notes = []
    if against != "text":
        source = "no answers as text: questions only" if texts.answers is None else f"answers: {texts.answer_source}"
        notes.append(source)
    if not checked.all():
        n = int((~checked).sum())
        notes.append(f"not checked, as their texts are too short or a template of the data: {count_noun(n, 'item')}")
    if n_dropped:
        notes.append(f"not counted, as their match is frequent in the corpus: {count_noun(n_dropped, 'item')}")
    return tuple(notes)
