"""Profile data in shards: map over the files, merge of counts, and a second look at rows that were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.errors import AssayError, UsageError
from assay.base.parameters import Options
from assay.data.columns.parts import sort_parts
from assay.data.hold_out import choose_parts
from assay.data.row_order import sort_ids
from assay.features.dataset_features import HEAVY_FEATURES, DatasetFeatures, collect_features
from assay.features.measures.labels import compute_entropy
from assay.features.out_of_core.copies import (
    RowGroups,
    SignedShards,
    check_ids,
    check_threshold,
    describe_copies,
    find_equal_rows,
    unite,
)
from assay.features.out_of_core.merging import (
    MergedTexts,
    measure_merged,
    merge_texts,
    summarise_by_label,
    summarise_histogram,
)
from assay.features.out_of_core.near_copies import collect_candidates, find_similar
from assay.features.out_of_core.partials import (
    LENGTH_KEYS,
    N_EXAMPLES,
    WORD_KEYS,
    PartSums,
    ShardPartial,
    list_files,
    measure_shard,
    merge_counts,
    merge_sums,
)
from assay.features.out_of_core.revisits import MergedDetails, plan_look, revisit_shards
from assay.features.out_of_core.shard_tasks import iterate_results
from assay.features.out_of_core.side_words import choose_word_texts
from assay.features.out_of_core.signatures import EXACT, SEQUENCE, WORDS
from assay.features.out_of_core.sources import ShardedData
from assay.features.profiling.duplicates import Duplicates
from assay.features.profiling.label_words import find_label_words, rank_words, rank_words_by_label
from assay.features.profiling.odd_texts import ODD_NAMES, OddTexts, limit_length
from assay.features.profiling.profiles import Profile, count_labels
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.system.files import create_folder, make_temporary_folder
from assay.tasks import Shared, run_tasks
from assay.text.columns import release_memory

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
    """Profile shards one by one: the same result as `profile`, in memory for one shard and the vocabulary.

    Signatures of all texts, about 450 bytes each, are written below `cache`, which all workers must reach; finished
    shards are kept there, so that a run that was stopped continues. Near-duplicates are candidates by MinHash bands,
    verified by their shingles: a pair of similarity 0.8 is missed with probability 0.00006.
    """
    check_threshold(threshold)
    names = choose_features(features)
    tasks: Options = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
    with ExitStack() as stack:
        folder = str(find_shard_folder(cache) or stack.enter_context(make_temporary_folder()))
        merged = merge_shards(data, tokenizer, folder, random_state, tasks)
        signed = merged.signed
        columns = [(Shared(signed), EXACT, slice(0, 2)), (Shared(signed), SEQUENCE, slice(2, 4))]
        exact, equal = run_tasks(find_equal_rows, columns, **tasks | {"cache": None})
        keys = stack.enter_context(make_temporary_folder(folder))
        candidates = collect_candidates(signed, equal[0][equal[0] != equal[1]], keys, tasks)
        parts = merged.split_parts(random_state)
        looks = {role: plan_look(*each) for role, each in parts.items()}
        details = revisit_shards(data, signed, looks, candidates.rows, tokenizer, random_state, tasks)
        near = unite([equal, find_similar(candidates, details.shingles, threshold)])
        texts = merge_texts(merged.words, merged.lengths, random_state)
        words = choose_word_texts(data, texts, merged.lengths, tokenizer, folder, tasks)
        return assemble(data, merged, texts, words, parts, details, (exact, near), names, n_words)


def find_shard_folder(cache: str | Path | None) -> Path | None:
    """Return the folder for signatures below the cache; None if there is no cache or it cannot be written."""
    if cache is None:
        return None
    folder = Path(cache) / "shards"
    try:
        with make_temporary_folder(create_folder(folder)):
            return folder
    except AssayError:  # the cache of finished shards says so
        return None


def choose_features(features: str | list[str]) -> list[str]:
    """Return the names of the features to measure; those that need a language model are refused."""
    if features == "all" or (isinstance(features, list) and set(features) & set(HEAVY_FEATURES)):
        raise UsageError(f"{' and '.join(HEAVY_FEATURES)} are not measured out of core", option="features")
    return list(FEATURES) if features == "light" else list(features)


@dataclass(frozen=True, eq=False)
class MergedShards:
    """The merged results of all shards, and the places of their signatures."""

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
            total = [replace(each, part=None) for each in self.sums]
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
        """Return whether the ids of every part begin again."""
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


def merge_shards(data: ShardedData, tokenizer: str, folder: str, random_state: int, tasks: Options) -> MergedShards:
    """Measure all shards, a batch at a time, and merge their counts."""
    words: list[pl.DataFrame] = []
    lengths: list[pl.DataFrame] = []
    partials: list[ShardPartial] = []
    arguments = [(shard, data.columns, tokenizer, folder, random_state) for shard in data.shards]
    for partial in iterate_results(measure_shard, arguments, list_files, tasks):
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


def assemble(
    data: ShardedData,
    merged: MergedShards,
    texts: MergedTexts,
    words: tuple[MergedTexts, dict[str | None, MergedTexts]],
    parts: dict[str, tuple[MergedTexts, PartSums, str | None]],
    details: MergedDetails,
    copies: tuple[RowGroups, RowGroups],
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
        length_by_label=summarise_by_label(lengths, [texts.label_names[code] for code in texts.described_labels]),
        top_words=rank_words(words[0].corpus.frequencies(), words[0].corpus.vocabulary, n_words),
        top_words_by_label=rank_words_by_label(words[0], n_words),
        label_words=find_label_words(words[1], n_words),
        duplicates=_describe_copies(merged, *copies, has_labels=has_labels),
        odd_texts=merge_odd_texts(merged, limit_length(length.q75) if n_items else 0.0),
        features=measure_parts(parts, details, names),
        language=texts.language,
    )


def _describe_copies(merged: MergedShards, exact: RowGroups, near: RowGroups, *, has_labels: bool) -> Duplicates:
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
    """Add up the oddities of all shards, and take the first of each by id as examples."""
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
        chosen = np.array(sorted(rows[name]), np.int64)
        ids = merged.name_ids(chosen, merged.signed.read_tables(chosen))
        examples[name] = tuple(ids[place] for place in sort_ids(ids)[:N_EXAMPLES])
    return OddTexts({name: counts[name] for name in order}, examples)
