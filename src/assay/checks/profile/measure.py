"""What is in the data: labels, lengths, words, copies, overlap between parts, broken texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.measured import PartSize
from assay.checks.profile.results import (
    BrokenTexts,
    FeatureValue,
    GroupOverlap,
    LabelledWord,
    LabelShare,
    LengthSummary,
    Overlap,
    PartLabelCount,
    PlaceShare,
    ProfileEvidence,
    SideOverlap,
    WordFrequency,
)
from assay.data import Dataset
from assay.data.columns.shared_strings import share_strings
from assay.features import Profile, code_labels, label_shares_by_place, profile
from assay.features.place_shares import PlaceShares
from assay.features.profiling import mark_conflicts, mark_repeated, number_parts
from assay.features.profiling.label_words import WordCount
from assay.features.profiling.odd_texts import find_odd_texts
from assay.kinds import kind_of
from assay.text import Corpus, most_similar_members, near_matches
from assay.text.characters import is_unspaced
from assay.views.values import MAX_IDS, Bin, ItemCount

N_BINS = 20
MAX_LABELS = 12  # in charts
MAX_BINNED_LABELS = 200  # charts sum the rare ones
MAX_LABEL_WORDS = 8


@check(
    "profile",
    ProfileEvidence,
    order=10,
    title="Data",
    question="What is in it: labels, lengths, words, copies and leaks between parts?",
    topic="labels",
    weight=2.0,
)
def measure_profile(benchmark: Benchmark) -> CheckOutcome:
    """Profile the data and mark the items that have copies, in their own part or across parts."""
    data, kind = benchmark.filled, kind_of(benchmark.data)
    described = data if kind.gold.has_text_labels else replace(data, labels=None)
    result = profile(
        data,
        random_state=benchmark.settings.random_state,
        corpus=benchmark.corpus,
        side_corpora=benchmark.side_corpora if benchmark.is_paired else (),
        exact_groups=benchmark.exact_groups,
        near_groups=benchmark.near_groups,
    )
    copies = mark_copies(benchmark)
    labels = list(result.labels)
    odd_texts = result.odd_texts
    if any(n > len(odd_texts.examples[kind]) for kind, n in odd_texts.counts.items()):
        odd_texts = find_odd_texts(data.texts, benchmark.corpus.lengths, data.ids, MAX_IDS)
    evidence = ProfileEvidence(
        n_items=result.n_items,
        n_unlabelled=result.n_unlabelled,
        labels=tuple(LabelShare(name, row.count, row.share) for name, row in result.labels.items()),
        label_entropy=result.label_entropy,
        parts=tuple(PartSize(name, n) for name, n in result.parts.items()),
        label_counts=tuple(count_labels(described)),
        length=LengthSummary(result.length.mean, result.length.std, result.length.median, result.length.n),
        length_histogram=tuple(bin_lengths(described, benchmark.corpus, labels[:MAX_BINNED_LABELS])),
        top_words=tuple(WordFrequency(row.word, row.count) for row in result.top_words),
        label_words=tuple(
            LabelledWord(label, row.word, row.z)
            for label in labels[:MAX_LABELS]
            for row in result.label_words.get(label, [])[:MAX_LABEL_WORDS]
        ),
        copies=count_items(data, copies["copy"]),
        conflicts=count_items(data, copies["conflicting"]),
        overlaps=tuple(find_overlaps(benchmark, copies["leak"])),
        group_overlaps=tuple(find_group_overlaps(benchmark)),
        side_overlaps=tuple(find_side_overlaps(benchmark)),
        broken_texts=tuple(
            BrokenTexts(kind, ItemCount(n, result.n_items, odd_texts.examples[kind]))
            for kind, n in odd_texts.counts.items()
        ),
        features=tuple(list_features(result)),
        word_shares=tuple(
            PlaceShare(row.place, label, share)
            for row in share_labels(benchmark, described)
            for label, share in row.shares.items()
        ),
        length_unit=name_length_unit(result.top_words),
        label_set_counts=tuple(count_label_sets(data)),
        common_answer=kind.gold.find_common_answer(data),
    )
    names = ("leak", "copy_label", "copy_of")
    texts = {name: pl.Series(name, copies.pop(name).tolist(), dtype=pl.String) for name in names}
    return CheckOutcome(evidence, pl.DataFrame({"id": data.ids, **texts, **copies}))


def name_length_unit(words: Sequence[WordCount]) -> str:
    """Name what lengths count: characters where most words are letters of a script without spaces.

    >>> name_length_unit([WordCount("the", 5)]), name_length_unit([WordCount("的", 5), WordCount("ok", 2)])
    ('words', 'characters')
    """
    n_characters = sum(row.count for row in words if all(map(is_unspaced, row.word)))
    return "characters" if 2 * n_characters > sum(row.count for row in words) else "words"


def share_labels(benchmark: Benchmark, data: Dataset) -> tuple[PlaceShares, ...]:
    """Return the shares of the labels among the words of each place; nothing without labels."""
    return () if data.labels is None else label_shares_by_place(benchmark.side_corpora, data.labels)


def mark_copies(benchmark: Benchmark) -> dict[str, Array]:
    """Mark items with a copy in their own part (from the second on), a copy in training, or a conflicting label."""
    data, exact, near = benchmark.filled, benchmark.exact_groups, benchmark.near_groups
    parts = part_names(data)
    codes = code_labels(kind_of(data).gold.get_unique_gold(data), len(data))[0]
    train = parts == benchmark.reference_part
    keys = exact + (int(exact.max(initial=-1)) + 1) * number_parts(fill_parts(data))[1]
    _, firsts = np.unique(keys, return_index=True)
    repeated = np.ones(len(data), bool)
    repeated[firsts] = False
    leak = np.full(len(data), None, dtype=object)
    others = np.flatnonzero(~train)
    leak[others[near_matches(benchmark.item_corpus, others, np.flatnonzero(train), groups=near)]] = "near"
    leak[np.isin(exact, exact[train]) & ~train] = "exact"
    conflicting = mark_conflicts(exact, codes if (codes >= 0).any() else None)
    originals = find_first_members(exact, train)
    near_rows = np.flatnonzero(leak == "near")
    originals[near_rows] = most_similar_members(benchmark.item_corpus, near_rows, np.flatnonzero(train), near)
    others = find_first_members(np.unique(keys, return_inverse=True)[1], np.ones(len(data), bool))
    is_copy = (leak == None) & repeated  # noqa: E711, numpy compares item by item
    originals[is_copy] = others[is_copy]
    is_conflict = (leak == None) & conflicting  # noqa: E711
    originals[is_conflict] = find_conflicting_members(exact, codes, np.flatnonzero(conflicting))[
        is_conflict[conflicting]
    ]
    has_original = (originals >= 0) & ((leak != None) | is_copy | is_conflict)  # noqa: E711
    copy_of = np.full(len(data), None, dtype=object)
    copy_of[has_original] = data.ids.gather(originals[has_original]).to_list()
    return {
        "leak": leak,
        "copy": repeated,
        "near_copy": mark_repeated(near),
        "conflicting": conflicting,
        "copy_label": find_majority_labels(data, exact),
        "copy_of": copy_of,
    }


def find_first_members(groups: Array, allowed: Array) -> Array:
    """Return, for every row, the first allowed row of its group, −1 if there is none.

    >>> find_first_members(np.array([0, 0, 1]), np.array([False, True, False])).tolist()
    [1, 1, -1]
    """
    rows = np.flatnonzero(allowed)
    first = np.full(int(groups.max()) + 1 if len(groups) else 0, -1)
    first[groups[rows[::-1]]] = rows[::-1]
    return np.asarray(first[groups])


def find_conflicting_members(groups: Array, codes: Array, rows: Array) -> Array:
    """Return, for some rows, the first row of its group with another label, −1 if there is none.

    >>> find_conflicting_members(np.array([0, 0, 0]), np.array([1, 1, 2]), np.array([0, 1, 2])).tolist()
    [2, 2, 0]
    """
    labels: dict[int, dict[int, int]] = {}  # by group, the first row of each label
    for row in rows.tolist():
        if codes[row] >= 0:
            labels.setdefault(int(groups[row]), {}).setdefault(int(codes[row]), row)
    members = []
    for row in rows.tolist():
        known = labels.get(int(groups[row]), {})
        members.append(next((other for code, other in known.items() if code != codes[row]), -1))
    return np.array(members, dtype=np.int64)


def find_majority_labels(data: Dataset, groups: Array) -> Array:
    """Return, for every item, the label that most of its exact copies have; None if no label leads."""
    labels = np.full(len(data), None, dtype=object)
    if data.labels is None:
        return labels
    repeated = mark_repeated(groups)
    labels[~repeated] = share_strings(data.labels)[~repeated]
    rows = np.flatnonzero(repeated)
    table = pl.DataFrame({"group": groups[rows], "label": data.labels.gather(rows), "row": rows}).drop_nulls("label")
    counts = table.group_by("group", "label").len("n").sort("group", "n", descending=[False, True])
    best = counts.group_by("group", maintain_order=True).agg(
        pl.col("label").first(), lead=pl.col("n").first() - pl.col("n").get(1, null_on_oob=True).fill_null(0)
    )
    leading = table.select("group", "row").join(best.filter(pl.col("lead") > 0), on="group")
    labels[leading["row"].to_numpy()] = leading["label"].to_list()
    return labels


def part_names(data: Dataset) -> Array:
    """Return the part of every row, "" if there is none."""
    return share_strings(fill_parts(data))


def fill_parts(data: Dataset) -> pl.Series:
    """Return the part of every row as a column, "" if there is none."""
    return pl.repeat("", len(data), eager=True) if data.parts is None else data.parts.fill_null("")


def tested_parts(benchmark: Benchmark) -> list[str]:
    """Name the other parts, test first; none if there is no part to learn from."""
    reference = benchmark.reference_part
    others = [name for name in benchmark.data.part_names if name != reference] if reference else []
    return sorted(others, key=lambda name: name != "test")


def find_side_overlaps(benchmark: Benchmark) -> Iterator[SideOverlap]:
    """Count, for every tested part, the pairs of which one side or both are also in the reference part."""
    n_seen, data = benchmark.n_seen_sides, benchmark.data
    if n_seen is None:
        return
    parts = part_names(data)
    for part in tested_parts(benchmark):
        here = parts == part
        one, both = (np.flatnonzero(here & (n_seen == sides)) for sides in (1, 2))
        counts = [ItemCount(len(rows), int(here.sum()), first_ids(data, rows)) for rows in (one, both)]
        yield SideOverlap(part, benchmark.reference_part or "", *counts)


def find_overlaps(benchmark: Benchmark, leak: Array) -> Iterator[Overlap]:
    """Count, for every tested part, the items with an exact or a near copy in the reference part."""
    data, reference = benchmark.data, benchmark.reference_part
    parts = part_names(data)
    for part in tested_parts(benchmark):
        for kind in ("exact", "near"):
            rows = np.flatnonzero((parts == part) & (leak == kind))
            items = ItemCount(len(rows), int((parts == part).sum()), first_ids(data, rows))
            yield Overlap(part, reference or "", "exact" if kind == "exact" else "near", items)


def find_group_overlaps(benchmark: Benchmark) -> Iterator[GroupOverlap]:
    """Count, for every tested part, the items whose group is also in the reference part."""
    data, reference = benchmark.data, benchmark.reference_part
    if data.groups is None or data.parts is None or reference is None:
        return
    known = data.groups.filter(data.parts == reference).drop_nulls().unique()
    shared = data.groups.is_in(known.to_list()).fill_null(value=False)
    for part in tested_parts(benchmark):
        here = (data.parts == part).fill_null(value=False)
        groups, ids = data.groups.filter(here & shared), data.ids.filter(here & shared)
        items = ItemCount(len(groups), int(here.sum()), tuple(ids.head(MAX_IDS).to_list()))
        yield GroupOverlap(part, reference, items, groups.n_unique(), groups[0] if len(groups) else None)


def count_items(data: Dataset, mark: Array) -> ItemCount:
    """Count marked items and keep the first ids."""
    return ItemCount(int(mark.sum()), len(mark), first_ids(data, np.flatnonzero(mark)))


def first_ids(data: Dataset, rows: Array) -> tuple[str, ...]:
    """Return the ids of the first of some rows."""
    return tuple(data.ids.gather(rows[:MAX_IDS]).to_list())


def count_labels(data: Dataset) -> Iterator[PartLabelCount]:
    """Count labels by part."""
    if data.labels is None:
        return
    table = pl.DataFrame({"label": data.labels, "part": fill_parts(data)}).drop_nulls("label")
    for row in table.group_by("label", "part").len("count").sort("label", "part").iter_rows():
        yield PartLabelCount(*row)


def count_label_sets(data: Dataset) -> Iterator[PartLabelCount]:
    """Count the items with each label by part, where an item can have several."""
    sets = kind_of(data).gold.get_label_sets(data)
    if sets is None:
        return
    labels = [sorted(set(labels or ())) for labels in sets]
    table = pl.DataFrame({"label": labels, "part": fill_parts(data)}, schema_overrides={"label": pl.List(pl.String)})
    table = table.explode("label").drop_nulls("label")
    for row in table.group_by("label", "part").len("count").sort("label", "part").iter_rows():
        yield PartLabelCount(*row)


def bin_lengths(data: Dataset, corpus: Corpus, labels: list[str]) -> Iterator[Bin]:
    """Count texts by length and label; the last bin holds everything beyond the 99th percentile."""
    lengths = np.asarray(corpus.lengths)
    top = max(1, int(np.ceil(np.quantile(lengths, 0.99)))) if len(lengths) else 1
    edges = np.unique(np.linspace(0, top + 1, N_BINS + 1).round().astype(int))
    names = share_strings(pl.repeat("", len(data), eager=True) if data.labels is None else data.labels.fill_null(""))
    for label in labels or [""]:
        counts = np.histogram(np.minimum(lengths[names == label], top), bins=edges)[0]
        for low, high, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True):
            yield Bin(label, float(low), float(high), count)


def list_features(result: Profile) -> Iterator[FeatureValue]:
    """List the features of Xiao et al. for every part."""
    features = result.features
    for part, values in features.parts.items():
        for name, value in values.items():
            interval = features.intervals.get(f"{part}.{name}")
            low, high = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
            yield FeatureValue(name, part, value, low, high, features.reasons.get(name))
