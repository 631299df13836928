"""The check of the data: labels, lengths, words, copies, overlap between parts, broken texts."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.profile.results import ProfileEvidence
from assay.features import Profile, profile
from assay.features.profiling.copies import find_differing_columns, mark_copies
from assay.features.profiling.lengths import bin_lengths
from assay.features.profiling.overlaps import count_items, find_group_overlaps, find_overlaps, find_side_overlaps
from assay.features.profiling.part_labels import count_label_sets_by_part, count_labels_by_part
from assay.kinds import kind_of
from assay.logs.totals import TotalDifference
from assay.views.values import MAX_IDS

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
        n_examples=MAX_IDS,
        random_state=benchmark.settings.random_state,
        corpus=benchmark.corpus,
        side_corpora=benchmark.side_corpora if benchmark.is_paired else (),
        exact_groups=benchmark.exact_groups,
        near_groups=benchmark.near_groups,
    )
    copies = mark_copies(data, benchmark.item_corpus, benchmark.exact_groups, benchmark.near_groups)
    names = list(result.labels)[:MAX_BINNED_LABELS]
    evidence = ProfileEvidence(
        data=shorten_profile(result),
        label_counts=count_labels_by_part(described),
        length_histogram=tuple(bin_lengths(benchmark.corpus.lengths, described.labels, names)),
        copies=count_items(data, copies["copy"]),
        conflicts=count_items(data, copies["conflicting"]),
        differing_columns=find_differing_columns(data, copies["conflicting"], benchmark.exact_groups),
        overlaps=tuple(find_overlaps(data, copies["leak"], copies.pop("contrast"))),
        group_overlaps=tuple(find_group_overlaps(data)),
        side_overlaps=tuple(find_side_overlaps(data, benchmark.n_seen_sides)),
        label_set_counts=count_label_sets_by_part(data),
        common_answer=kind.gold.find_common_answer(data),
        total_differences=None
        if data.totals is None
        else tuple(TotalDifference(**row) for row in data.totals.to_dicts()),
    )
    columns = ("leak", "copy_label", "copy_of")
    texts = {name: pl.Series(name, copies.pop(name).tolist(), dtype=pl.String) for name in columns}
    return CheckOutcome(evidence, pl.DataFrame({"id": data.ids, **texts, **copies}))


def shorten_profile(result: Profile) -> Profile:
    """Keep what an audit shows about the words and lengths of single labels, and leave out the rest."""
    labels = list(result.labels)[:MAX_LABELS]
    return replace(
        result,
        length_by_label={name: result.length_by_label[name] for name in labels},
        top_words_by_label={name: result.top_words_by_label[name] for name in labels},
        label_words={name: result.label_words.get(name, ())[:MAX_LABEL_WORDS] for name in labels},
    )
