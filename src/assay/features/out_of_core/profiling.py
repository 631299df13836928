"""Profile data in shards: map over the files, merge of counts, and a second look at rows that were chosen."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.errors import UsageError
from assay.data.columns.parts import sort_parts
from assay.data.hold_out import choose_parts
from assay.features._kernels import sum_word_values
from assay.features.dataset_features import HEAVY_FEATURES, DatasetFeatures, collect_features
from assay.features.measures.associations import find_top_words
from assay.features.measures.labels import compute_entropy
from assay.features.measures.language import MAX_TEXTS
from assay.features.out_of_core.copies import (
    SignedShards,
    check_ids,
    check_threshold,
    describe_copies,
    find_candidates,
    find_equal_rows,
    unite,
    verify_candidates,
)
from assay.features.out_of_core.merging import (
    MergedTexts,
    has_label_words,
    measure_merged,
    merge_texts,
    summarise_histogram,
)
from assay.features.out_of_core.partials import (
    LENGTH_KEYS,
    N_EXAMPLES,
    WORD_KEYS,
    PartSums,
    ShardPartial,
    get_parts,
    measure_shard,
    merge_counts,
    merge_sums,
)
from assay.features.out_of_core.signatures import EXACT, SEQUENCE, WORDS, is_complete
from assay.features.out_of_core.sources import Shard, ShardedData, read_shard
from assay.features.profiling.duplicates import Duplicates
from assay.features.profiling.label_words import find_label_words, rank_words, rank_words_by_label
from assay.features.profiling.odd_texts import ODD_NAMES, OddTexts, limit_length
from assay.features.profiling.profiles import Profile, count_labels
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.tasks import run_tasks
from assay.text import Corpus
from assay.text.columns import release_memory
from assay.text.signatures import list_shingles

BATCH_SHARDS = 64
MERGED_SHARDS = 8


def profile_shards(
    data: ShardedData,
    *,
    features: str | list[str] = "light",
    tokenizer: str = "words",
    n_words: int = 20,
    threshold: float = 0.8,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
) -> Profile:
    """Profile shards one by one: the same result as `profile`, in memory for one shard, the vocabulary and the copies.

    Signatures of all texts, about 450 bytes each, are written below `cache`, which all workers must reach; finished
    shards are kept there, so that a run that was stopped continues. Near-duplicates are candidates by MinHash bands,
    verified by their shingles: a pair of similarity 0.8 is missed with probability 0.00006.
    """
    check_threshold(threshold)
    names = choose_features(features)
    tasks = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory()) if cache is None else str(Path(cache) / "shards")
        merged = merge_shards(data, tokenizer, folder, tasks)
        signed = merged.signed
        exact = find_equal_rows(signed, EXACT, slice(0, 2))
        equal = find_equal_rows(signed, SEQUENCE, slice(2, 4))
        pairs = find_candidates(signed, equal[0][equal[0] != equal[1]])
        parts = merged.split_parts(random_state)
        details = revisit_shards(data, merged, parts, pairs, tokenizer, random_state, tasks)
        similar = verify_candidates(pairs, details.rows, details.shingles, details.bounds, threshold)
        near = unite([equal, similar])
        texts = merge_texts(merged.words, merged.lengths, random_state)
        return assemble(data, merged, texts, parts, details, (exact, near), names, n_words)


def choose_features(features: str | list[str]) -> list[str]:
    """Return the names of the features to measure; those that need a language model are refused."""
    if features == "all" or (isinstance(features, list) and set(features) & set(HEAVY_FEATURES)):
        raise UsageError(f"{' and '.join(HEAVY_FEATURES)} are not measured out of core", option="features")
    return list(FEATURES) if features == "light" else list(features)


@dataclass(frozen=True, eq=False)
class MergedShards:
    """What all shards together have, and where the signatures of each are."""

    words: pl.DataFrame
    lengths: pl.DataFrame
    partials: tuple[ShardPartial, ...]  # without their lengths
    signed: SignedShards
    file_parts: tuple[str, ...]

    @property
    def sums(self) -> list[PartSums]:
        """Return the sums of all shards."""
        return [each for partial in self.partials for each in partial.sums]

    @property
    def part_names(self) -> list[str]:
        """Return the parts that occur."""
        names = {each.part for each in self.sums} - {None}
        return sort_parts(sorted(str(name) for name in names))

    def split_parts(self, random_state: int) -> dict[str, tuple[MergedTexts, PartSums, str | None]]:
        """Return the texts on which features are measured: train and test, or all."""
        known = [name for name in self.part_names if name != "None"]
        chosen = choose_parts(known, train=("train",)) if known else None
        if chosen is None:
            total = [PartSums(None, *_values(each)) for each in self.sums]
            texts = merge_texts(self.words, self.lengths, random_state)
            return {"all": (texts, merge_sums(total, None), None)}
        return {
            role: (
                merge_texts(
                    self.words.filter(pl.col("part") == part), self.lengths.filter(pl.col("part") == part), random_state
                ),
                merge_sums(self.sums, part),
                part,
            )
            for role, part in zip(("train", "test"), chosen, strict=True)
        }

    @cached_property
    def ids_restart(self) -> bool:
        """Tell whether the ids of every part begin again."""
        return check_ids(self.signed, has_parts=bool(self.part_names))

    def name_ids(self, rows: NDArray[np.int64], table: pl.DataFrame) -> list[str]:
        """Return the ids of rows as they are in memory: the data's own, or row numbers."""
        if not self.partials[0].has_row_ids:
            restart = self.ids_restart
            prefixes = table["part"].replace("None", "rest").fill_null("rest")
            return [f"{part}-{own}" if restart else own for part, own in zip(prefixes, table["id"], strict=True)]
        if not any(self.file_parts):
            return [str(row) for row in rows.tolist()]
        firsts = {part: self.signed.starts[self.file_parts.index(part)] for part in set(self.file_parts)}
        owners = [self.file_parts[shard] for shard in self.signed.locate(rows).tolist()]
        return [f"{part}-{row - firsts[part]}" for part, row in zip(owners, rows.tolist(), strict=True)]


def _values(sums: PartSums) -> tuple[Any, ...]:
    return sums.n, sums.n_with_words, sums.type_token_ratios, sums.reading_ease, sums.n_hard


def merge_shards(data: ShardedData, tokenizer: str, folder: str, tasks: dict[str, Any]) -> MergedShards:
    """Measure all shards, a batch at a time, and merge their counts."""
    words: list[pl.DataFrame] = []
    lengths: list[pl.DataFrame] = []
    partials: list[ShardPartial] = []
    for partial in iterate_partials(data, tokenizer, folder, tasks):
        words.append(pl.read_parquet(Path(partial.folder) / WORDS))
        lengths.append(partial.lengths)
        partials.append(replace(partial, lengths=partial.lengths.clear()))
        if len(words) == MERGED_SHARDS:
            words, lengths = [merge_counts(words, WORD_KEYS)], [merge_counts(lengths, LENGTH_KEYS)]
            release_memory()
    starts = np.concatenate([[0], np.cumsum([partial.n for partial in partials])]).tolist()
    signed = SignedShards(tuple(partial.folder for partial in partials), tuple(starts))
    merged = merge_counts(words, WORD_KEYS), merge_counts(lengths, LENGTH_KEYS)
    return MergedShards(*merged, tuple(partials), signed, tuple(shard.part for shard in data.shards))


def iterate_partials(data: ShardedData, tokenizer: str, folder: str, tasks: dict[str, Any]) -> Iterator[ShardPartial]:
    """Yield the partial result of every shard in order; one whose files are gone is measured again."""
    for start in range(0, len(data.shards), BATCH_SHARDS):
        batch = data.shards[start : start + BATCH_SHARDS]
        arguments = [(shard, data.columns, tokenizer, folder) for shard in batch]
        results = run_tasks(measure_shard, arguments, **tasks)
        missing = [number for number, partial in enumerate(results) if not is_complete(partial.folder)]
        again = run_tasks(measure_shard, [arguments[number] for number in missing], **tasks | {"cache": None})
        for number, partial in zip(missing, again, strict=True):
            results[number] = partial
        yield from results


@dataclass(frozen=True, eq=False)
class ShardDetails:
    """What a second look at a shard gave: sampled texts and texts with a top word by role, and shingles of rows."""

    sampled: dict[str, tuple[str, ...]]
    n_with_top_words: dict[str, int]
    shingles: NDArray[np.uint64]
    bounds: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MergedDetails:
    """The details of all shards; `rows` are those whose shingles there are."""

    sampled: dict[str, tuple[str, ...]]
    n_with_top_words: dict[str, int]
    rows: NDArray[np.int64]
    shingles: NDArray[np.uint64]
    bounds: NDArray[np.int64]


@dataclass(frozen=True)
class LookRequest:
    """What to look at in a shard for one role: its part, which texts with words to return, and the top words."""

    role: str
    part: str | None
    ranks: tuple[int, ...]
    top_words: tuple[str, ...]


def revisit_shard(
    shard: Shard, columns: dict[str, Any], tokenizer: str, requests: tuple[LookRequest, ...], rows: tuple[int, ...]
) -> ShardDetails:
    """Read a shard again for sampled texts, for texts with certain words, and for the shingles of some rows."""
    data = read_shard(shard, columns)
    corpus = Corpus.from_texts(data.texts, tokenizer)
    parts = get_parts(shard, data)
    sampled, counts = {}, {}
    flags = np.zeros(len(corpus.vocabulary), np.int64)
    numbers = {word: number for number, word in enumerate(corpus.vocabulary)}
    for request in requests:
        own = np.ones(len(data), bool) if request.part is None or parts is None else (parts == request.part).to_numpy()
        places = np.flatnonzero(own & (corpus.lengths > 0))[list(request.ranks)]
        sampled[request.role] = tuple(data.texts.gather(places).to_list())
        flags[:] = 0
        flags[[numbers[word] for word in request.top_words if word in numbers]] = 1
        counts[request.role] = int((sum_word_values(corpus.offsets, corpus.ids, flags)[own] > 0).sum())
    shingles, bounds = list_shingles(Corpus.from_texts(data.texts.gather(list(rows))))
    return ShardDetails(sampled, counts, shingles, bounds)


def revisit_shards(
    data: ShardedData,
    merged: MergedShards,
    parts: dict[str, tuple[MergedTexts, PartSums, str | None]],
    pairs: tuple[NDArray[np.int64], NDArray[np.int64]],
    tokenizer: str,
    random_state: int,
    tasks: dict[str, Any],
) -> MergedDetails:
    """Look at every shard again, where there is something to look for."""
    rows = np.unique(np.concatenate(pairs))
    owners = merged.signed.locate(rows)
    requests = {role: plan_looks(merged, role, *each, random_state) for role, each in parts.items()}
    arguments = [
        (
            shard,
            data.columns,
            tokenizer,
            tuple(looks[number] for looks in requests.values()),
            tuple((rows[owners == number] - merged.signed.starts[number]).tolist()),
        )
        for number, shard in enumerate(data.shards)
    ]
    sampled: dict[str, tuple[str, ...]] = dict.fromkeys(parts, ())
    counts = dict.fromkeys(parts, 0)
    shingles, sizes = [np.empty(0, np.uint64)], [np.zeros(1, np.int64)]
    for start in range(0, len(arguments), BATCH_SHARDS):
        for details in run_tasks(revisit_shard, arguments[start : start + BATCH_SHARDS], **tasks):
            for role in parts:
                sampled[role] += details.sampled[role]
                counts[role] += details.n_with_top_words[role]
            shingles.append(details.shingles)
            sizes.append(np.diff(details.bounds))
    return MergedDetails(sampled, counts, rows, np.concatenate(shingles), np.cumsum(np.concatenate(sizes)))


def plan_looks(
    merged: MergedShards, role: str, texts: MergedTexts, sums: PartSums, part: str | None, random_state: int
) -> list[LookRequest]:
    """Say for every shard which texts are drawn, as they are in memory, and which words to look for."""
    ranks = np.arange(min(sums.n_with_words, MAX_TEXTS))
    if sums.n_with_words > MAX_TEXTS:
        ranks = np.sort(np.random.default_rng(random_state).choice(sums.n_with_words, MAX_TEXTS, replace=False))
    words = tuple(texts.corpus.vocabulary[word] for word in find_top_words(texts)) if has_label_words(texts) else ()
    counts = [
        sum(each.n_with_words for each in partial.sums if part is None or each.part == part)
        for partial in merged.partials
    ]
    starts = np.concatenate([[0], np.cumsum(counts)])
    return [
        LookRequest(role, part, tuple((ranks[(ranks >= low) & (ranks < high)] - low).tolist()), words)
        for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]


def assemble(
    data: ShardedData,
    merged: MergedShards,
    texts: MergedTexts,
    parts: dict[str, tuple[MergedTexts, PartSums, str | None]],
    details: MergedDetails,
    copies: tuple[Any, Any],
    names: Sequence[str],
    n_words: int,
) -> Profile:
    """Build the profile from what was merged."""
    lengths, has_labels = merged.lengths, any(partial.has_labels for partial in merged.partials)
    n_items = merged.signed.starts[-1]
    counts = texts.label_counts
    length = summarise_histogram(lengths)
    part_sizes = dict(lengths.filter(pl.col("part").is_not_null()).group_by("part").agg(pl.col("n").sum()).iter_rows())
    return Profile(
        n_items=n_items,
        task=data.task,
        parts={name: part_sizes[name] for name in sorted(part_sizes)},
        labels=count_labels(counts, texts.label_names),
        n_unlabelled=n_items - int(counts.sum()),
        label_entropy=compute_entropy(counts) if len(counts) else float("nan"),
        length=length,
        length_by_label={
            name: summarise_histogram(lengths.filter(pl.col("label") == name)) for name in texts.label_names
        },
        top_words=rank_words(texts.corpus.frequencies(), texts.corpus.vocabulary, n_words),
        top_words_by_label=rank_words_by_label(texts, n_words),
        label_words=find_label_words({None: texts}, n_words),
        duplicates=_describe_copies(merged, *copies, has_labels=has_labels),
        odd_texts=merge_odd_texts(merged, limit_length(length.q75) if n_items else 0.0),
        features=measure_parts(parts, details, names),
        language=texts.language,
    )


def _describe_copies(merged: MergedShards, exact: Any, near: Any, *, has_labels: bool) -> Duplicates:
    return describe_copies(
        merged.signed, exact, near, merged.name_ids, has_labels=has_labels, has_parts=bool(merged.part_names)
    )


def measure_parts(
    parts: dict[str, tuple[MergedTexts, PartSums, str | None]], details: MergedDetails, names: Sequence[str]
) -> DatasetFeatures:
    """Measure the features of all parts; heavy ones are undefined, with the reason."""
    measured: dict[str, dict[str, FeatureValue]] = {}
    light = [name for name in names if name not in HEAVY_FEATURES]
    reason = undefined_value('slow: measured when features is "all"')
    for role, (texts, sums, _) in parts.items():
        drawn = replace(texts, drawn=details.sampled[role])
        values = measure_merged(drawn, sums, details.n_with_top_words[role], light)
        measured[role] = {name: values.get(name, reason) for name in names}
    return collect_features(measured)


def merge_odd_texts(merged: MergedShards, max_length: float) -> OddTexts:
    """Add up the oddities of all shards, and take the first rows of each as examples."""
    longer = merged.lengths.filter(pl.col("length") > max_length)
    counts = {"very_long": int(longer["n"].sum())} if len(longer) else {}
    rows: dict[str, list[int]] = {"very_long": []}
    for partial, start in zip(merged.partials, merged.signed.starts, strict=False):
        rows["very_long"] += [start + row for row, length in partial.long_rows if length > max_length]
        for name, n in partial.odd_counts.items():
            counts[name] = counts.get(name, 0) + n
            rows.setdefault(name, []).extend(start + row for row in partial.odd_rows[name])
    order = [name for name in ODD_NAMES if name in counts]
    examples = {}
    for name in order:
        chosen = np.array(sorted(rows[name])[:N_EXAMPLES], np.int64)
        examples[name] = tuple(merged.name_ids(chosen, merged.signed.read_tables(chosen)))
    return OddTexts({name: counts[name] for name in order}, examples)
