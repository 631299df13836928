"""Find the items of a benchmark in a corpus."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError, unknown_name
from assay.base.parameters import Options
from assay.contamination.documents import DocumentBlock, pack_texts, read_blocks
from assay.contamination.indexing import MIN_ANSWER_WORDS, MIN_QUESTION_WORDS, build_index
from assay.contamination.items import BenchmarkTexts, count_by_part, split_items
from assay.contamination.results import Contamination, ContaminationHit, CorpusSource, PossibleParaphrase, SkippedFile
from assay.contamination.scoring import score_without_boilerplate
from assay.contamination.shards import search_corpus, spread_matches
from assay.contamination.sources import CorpusFiles, get_state, name_files, name_sources
from assay.contamination.structures import ANSWER, BOTH, PREFIX_WORDS, TEXT, Index
from assay.contamination.verification import PassageMatch, compare_item, find_rare_words, find_siblings
from assay.inputs import take_data
from assay.kinds.arguments import DataSource, ReadingArguments
from assay.statistics import wilson
from assay.tasks import Shared, run_tasks
from assay.wording.sentences import count_noun

DAMAGED = ("error", "skip")
AGAINST = {"text": TEXT, "answer": ANSWER, "both": BOTH}


@entry_point(ReadingArguments)
def find_contamination(
    data: DataSource,
    corpus: CorpusFiles,
    *,
    against: str = "both",
    answer: str | None = None,
    threshold: float = 0.5,
    seed_words: int = 8,
    second_look: Any = None,
    similarity: float | None = None,
    damaged: str = "error",
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | bool | None = None,
    **reading: Unpack[ReadingArguments],
) -> Contamination:
    """Find items whose question or answer is in a corpus, verbatim or with a few words changed.

    `corpus` is a file, a folder, a glob or several of them (text, JSON lines, CSV, TSV, Parquet; also .gz and .zst), or
    texts in memory as a polars Series. An item counts if at least `threshold` of the words of its question
    (`against="text"`), its answer, or either are in one document, weighted by inverse document frequency. `answer`
    names the column of answers. Paraphrases and translations are not found; with `second_look`, the name of an encoder,
    passages whose sentence vector is similar to the one of an item's question (cosine of at least `similarity`) are
    listed as possible paraphrases, which are not counted. A damaged file is an error; with `damaged="skip"` it is left
    out, and listed in `skipped`.

    >>> import polars as pl
    >>> item = "Which river flows through the old town of Heidelberg before it joins the Rhine?"
    >>> text = "Quiz night. which river flows through the town of Heidelberg before it joins the Rhine: the Neckar!"
    >>> result = find_contamination({"text": [item, "Who wrote the first novel about the sea?"]}, pl.Series([text]))
    >>> result.contaminated, [(hit.id, round(hit.score, 2)) for hit in result.hits]
    (1, [('0', 0.92)])
    """
    _check_settings(against, threshold, seed_words, damaged)
    started = time.perf_counter()
    files = name_files(corpus)
    dataset = take_data(data, reading).sort_rows()
    texts = split_items(dataset, answer)
    index = build_index(texts, seed_words=seed_words, threshold=threshold)
    checked = _find_checked(index, against)
    if not checked.any():
        raise _nothing_to_check(against, texts)
    sources = name_sources(files)
    parallel = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
    found_matches = search_corpus(
        corpus, files, sources, index, AGAINST[against], skips=damaged == "skip", parallel=parallel
    )
    merged = spread_matches(index, found_matches, files, sources)
    matched: dict[int, ContaminationHit] = {}
    for item in np.flatnonzero(merged.matches.scores).tolist():
        owner = int(merged.owners[item])
        score, overlaps = score_without_boilerplate(
            index, merged.matches, item, AGAINST[against], merged.count_frequencies(sources[owner])
        )
        if score > 0:
            place = files[owner], int(merged.matches.documents[item])
            matched[item] = ContaminationHit(texts.ids[item], score, *overlaps, *place, text_seen=score)
    places = {item: [(files[owner], row) for owner, row in merged.others[item]] for item in matched}
    seen = verify_matches(matched, places, texts, corpus, parallel)
    hits = [hit for hit in seen.values() if hit.item_seen == 1]
    siblings = [hit for hit in seen.values() if hit.item_seen < 1]
    found = {item for item, hit in seen.items() if hit.item_seen == 1}
    found_in = [sources[int(merged.owners[item])] for item in found]
    paraphrases: tuple[PossibleParaphrase, ...] = ()
    if second_look is not None:
        from assay.contamination.second_look import find_paraphrases

        rest = [item for item in np.flatnonzero(checked).tolist() if item not in found]
        paraphrases = find_paraphrases(
            [texts.ids[item] for item in rest],
            texts.questions.gather(rest).to_list(),
            corpus,
            [file for file in files if file not in merged.damage],
            second_look,
            similarity=similarity,
            n_jobs=n_jobs,
            backend=backend,
            cache=cache,
        )
    interval = wilson(len(hits), int(checked.sum()))
    unchecked = tuple(texts.ids[item] for item in np.flatnonzero(~checked))
    return Contamination(
        items=int(checked.sum()),
        contaminated=len(hits),
        share=interval.value,
        low=interval.low,
        high=interval.high,
        documents=sum(merged.documents.values()),
        bytes=sum(merged.n_bytes.values()),
        seconds=time.perf_counter() - started,
        hits=tuple(sorted(hits, key=lambda hit: -hit.score)),
        siblings=tuple(sorted(siblings, key=lambda hit: -hit.item_seen)),
        sources=tuple(
            CorpusSource(name, merged.documents[name], merged.n_bytes[name], found_in.count(name))
            for name in merged.documents
        ),
        unchecked=unchecked,
        notes=_write_notes(
            texts, checked, against, int((merged.matches.scores > 0).sum()) - len(matched), len(siblings), merged.damage
        ),
        paraphrases=paraphrases,
        skipped=tuple(SkippedFile(file, reason) for file, reason in merged.damage.items()),
        parts=count_by_part(dataset, hits, unchecked),
        n_items=len(dataset),
    )


def verify_matches(
    matched: dict[int, ContaminationHit],
    places: dict[int, list[tuple[str, int]]],
    texts: BenchmarkTexts,
    corpus: CorpusFiles,
    parallel: Options,
) -> dict[int, ContaminationHit]:
    """Compare every match with its documents: only a text with the same numbers, symbols and rare words is the item.

    `places` has the documents of each item that are as good as the best.
    """
    rare_words = find_rare_words(texts.questions.to_list())
    by_file: dict[str, list[tuple[int, int, str]]] = {}
    for item, hit in matched.items():
        is_question = texts.answers is None or hit.question_overlap >= hit.score
        text = str(texts.questions[item] if is_question or texts.answers is None else texts.answers[item])
        for file, row in dict.fromkeys([(hit.file, hit.row), *places[item]]):
            by_file.setdefault(file, []).append((row, item, text))
    groups = {file: sorted(group) for file, group in by_file.items()}
    if isinstance(corpus, pl.Series):
        blocks = pack_texts(corpus.cast(pl.String).fill_null(""))
        found = [compare_documents(blocks, group, rare_words) for group in groups.values()]
    else:
        shared = Shared(rare_words)
        arguments = [(file, get_state(file), group, shared) for file, group in groups.items()]
        found = run_tasks(compare_file, arguments, **parallel)
    pairs = [
        (item, (file, row), comparison)
        for (file, group), compared in zip(groups.items(), found, strict=True)
        for (row, item, _), comparison in zip(group, compared, strict=True)
    ]
    siblings = set(find_siblings([place for _, place, _ in pairs], [comparison for *_, comparison in pairs]))
    seen: dict[int, ContaminationHit] = {}
    for number, (item, (file, row), comparison) in enumerate(pairs):
        share = comparison.item_seen
        if number in siblings:
            share = min(share, comparison.closeness)
        if item not in seen or share > seen[item].item_seen:
            seen[item] = replace(matched[item], file=file, row=row, item_seen=share)
    return {item: seen[item] for item in matched}


def compare_file(
    path: str,
    state: tuple[int, int],  # noqa: ARG001
    group: list[tuple[int, int, str]],
    rare_words: frozenset[str],
) -> list[PassageMatch]:
    """Compare items with documents of one file; `group` has the row of the document, the item and its text."""
    return compare_documents(read_blocks(Path(path)), group, rare_words)


def compare_documents(
    blocks: Iterable[DocumentBlock], group: list[tuple[int, int, str]], rare_words: frozenset[str]
) -> list[PassageMatch]:
    """Compare items with their documents, sorted by the row of the document."""
    compared: list[PassageMatch] = []
    first = 0
    for block in blocks:
        while len(compared) < len(group) and group[len(compared)][0] < first + len(block.starts):
            row, _, text = group[len(compared)]
            content = block.data[block.starts[row - first] : block.ends[row - first]]
            compared.append(compare_item(text, bytes(content).decode("utf-8", "replace"), rare_words))
        first += len(block.starts)
        if len(compared) == len(group):
            break
    return compared


def _check_settings(against: str, threshold: float, seed_words: int, damaged: str) -> None:
    if damaged not in DAMAGED:
        raise unknown_name("rule for damaged files", damaged, DAMAGED)
    if against not in AGAINST:
        raise unknown_name("part of an item", against, AGAINST)
    if not 0 < threshold <= 1:
        raise UsageError(f"is {threshold}; it must be above 0 and at most 1", option="threshold")
    if seed_words < PREFIX_WORDS:
        raise UsageError(f"is {seed_words}; at least {PREFIX_WORDS} words are needed", option="seed_words")


def _find_checked(index: Index, against: str) -> Array:
    """Find which items have a text that is long enough to be searched."""
    searchable = index.required <= 1
    columns = {"text": searchable[:, 0], "answer": searchable[:, 1], "both": searchable.any(axis=1)}
    return np.asarray(columns[against])


def _nothing_to_check(against: str, texts: BenchmarkTexts) -> AssayError:
    if against == "answer" and texts.answers is None:
        return AssayError("the data has no answers as text", hint="Name their column with {answer}.")
    n_words = MIN_ANSWER_WORDS if against == "answer" else MIN_QUESTION_WORDS
    return AssayError(f"no item has {n_words} words or more: shorter texts say nothing about contamination")


def _write_notes(
    texts: BenchmarkTexts, checked: Array, against: str, n_dropped: int, n_siblings: int, damage: dict[str, str]
) -> tuple[str, ...]:
    notes = []
    if damage:
        file, reason = next(iter(damage.items()))
        notes.append(f"left out as damaged: {count_noun(len(damage), 'file')}, the first is {file}: {reason}")
    if against != "text":
        source = "no answers as text: questions only" if texts.answers is None else f"answers: {texts.answer_source}"
        notes.append(source)
    if not checked.all():
        n = int((~checked).sum())
        notes.append(f"not checked, as their texts are too short or a template of the data: {count_noun(n, 'item')}")
    if n_dropped:
        notes.append(f"not counted, as their match is frequent in the corpus: {count_noun(n_dropped, 'item')}")
    if n_siblings:
        notes.append(
            "not counted, as the corpus has a similar item with other numbers, symbols or words: "
            f"{count_noun(n_siblings, 'item')}"
        )
    return tuple(notes)
