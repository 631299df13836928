"""Merged counts of all shards, in the form in which features and words are measured in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.features.english import explain_language
from assay.features.labelled_texts import LabelledTexts
from assay.features.out_of_core.exact_sums import sum_repeated
from assay.features.out_of_core.partials import PartSums
from assay.features.profiling.lengths import LengthSummary
from assay.features.registry import FEATURES, FeatureValue, undefined_value
from assay.features.word_label_counts import WordLabelCounts
from assay.text import Corpus

NO_WORDS = "the texts have no words"


@dataclass(frozen=True, eq=False)
class MergedCorpus(Corpus):
    """The words of all shards: counted, but not kept in their order."""

    counts_by_word: NDArray[np.int64]

    def frequencies(self) -> NDArray[np.int64]:
        """Return how often each word occurs."""
        return self.counts_by_word


@dataclass(frozen=True, eq=False)
class MergedTexts(LabelledTexts):
    """The texts of all shards, or of one part of them, as counts."""

    merged_pairs: WordLabelCounts = None  # type: ignore[assignment]
    merged_labels: NDArray[np.int64] = None  # type: ignore[assignment]
    drawn: tuple[str, ...] = ()

    @cached_property
    def word_label_counts(self) -> WordLabelCounts:
        """Return the counts of words by label."""
        return self.merged_pairs

    @cached_property
    def label_counts(self) -> NDArray[np.int64]:
        """Return the number of texts of each label."""
        return self.merged_labels

    def sample(self, n: int) -> list[str]:  # noqa: ARG002
        """Return the texts that were drawn."""
        return list(self.drawn)


def merge_texts(words: pl.DataFrame, lengths: pl.DataFrame, random_state: int) -> MergedTexts:
    """Build the merged texts from counts of words and of lengths by label."""
    names = sorted(lengths["label"].drop_nulls().unique().to_list())
    by_word = words.group_by("word").agg(pl.col("tokens").sum()).sort("word").with_row_index("number")
    pairs = words.filter(pl.col("label").is_not_null()).group_by("label", "word").agg(pl.col("tokens", "texts").sum())
    pairs = pairs.join(by_word.select("word", "number"), on="word").sort("label", "number")
    codes = pairs["label"].replace_strict(names, range(len(names)), return_dtype=pl.Int64).to_numpy()
    counts = WordLabelCounts(
        np.searchsorted(codes, np.arange(len(names) + 1)),
        pairs["number"].to_numpy().astype(np.int32),
        pairs["tokens"].to_numpy(),
        pairs["texts"].to_numpy(),
        len(by_word),
    )
    tokens = by_word["tokens"].to_numpy()
    no_ids = np.broadcast_to(np.int32(0), int(tokens.sum()))  # a length without memory
    corpus = MergedCorpus(np.zeros(1, np.int64), no_ids, by_word["word"].to_list(), tokens)
    sizes = dict(lengths.filter(pl.col("label").is_not_null()).group_by("label").agg(pl.col("n").sum()).iter_rows())
    label_counts = np.array([sizes[name] for name in names], np.int64)
    return MergedTexts(None, corpus, np.empty(0, np.int64), tuple(names), random_state, None, counts, label_counts)


def summarise_histogram(lengths: pl.DataFrame) -> LengthSummary:
    """Summarise lengths by how often each occurs; equal to the summary of all lengths."""
    table = lengths.group_by("length").agg(pl.col("n").sum()).sort("length")
    values, counts = table["length"].to_numpy().astype(np.int64), table["n"].to_numpy().astype(np.int64)
    n = int(counts.sum())
    if not n:
        return LengthSummary(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    mean = float(int(values @ counts)) / n
    std = math.sqrt(sum_repeated(np.square(values - mean, dtype=np.float64), counts) / (n - 1)) if n > 1 else math.nan
    ends = np.cumsum(counts)
    smallest, q25, median, q75, largest = (compute_quantile(values, ends, q) for q in (0, 0.25, 0.5, 0.75, 1))
    return LengthSummary(mean, std, smallest, q25, median, q75, largest, n)


def summarise_by_label(lengths: pl.DataFrame, names: Sequence[str]) -> dict[str, LengthSummary]:
    """Summarise the lengths of the texts under each of some labels."""
    tables = lengths.filter(pl.col("label").is_in(names)).partition_by("label", as_dict=True)
    return {name: summarise_histogram(tables[(name,)]) for name in names}


def compute_quantile(values: NDArray[np.int64], ends: NDArray[np.int64], q: float) -> float:
    """Return a quantile by linear interpolation, as numpy does; `ends` are cumulated counts of the values."""
    place = (int(ends[-1]) - 1) * q
    low = math.floor(place)
    a, b = (float(values[np.searchsorted(ends, min(rank, int(ends[-1]) - 1), "right")]) for rank in (low, low + 1))
    share = place - low
    return b - (b - a) * (1 - share) if share >= 0.5 else a + (b - a) * share


def measure_merged(
    texts: MergedTexts, sums: PartSums, n_with_top_words: int, names: Sequence[str]
) -> dict[str, FeatureValue]:
    """Measure features from merged counts and sums."""
    special = {
        "average_length": FeatureValue(float(len(texts.corpus.ids)) / sums.n if sums.n else math.nan, n=sums.n),
        "type_token_ratio": _average(sums.type_token_ratios.mean(), sums.type_token_ratios.n),
        "flesch": _average(sums.reading_ease.mean(), sums.reading_ease.n),
        "flesch_hard": _average(sums.n_hard / max(sums.reading_ease.n, 1), sums.reading_ease.n),
        "pmi_top_words": _count_top_words(texts, sums, n_with_top_words),
    }
    if texts.language.n_words and not texts.language.is_english:
        reason = undefined_value(explain_language(texts.language))
        special |= {"flesch": reason, "flesch_hard": reason}
    return {name: special[name] if name in special else FEATURES[name](texts) for name in names}


def _average(mean: float, n: int) -> FeatureValue:
    return FeatureValue(mean, n=n) if n else undefined_value(NO_WORDS)


def _count_top_words(texts: MergedTexts, sums: PartSums, n: int) -> FeatureValue:
    if not has_label_words(texts):
        return undefined_value("needs words under at least two labels")
    return FeatureValue(n / sums.n, n=sums.n)


def has_label_words(texts: MergedTexts) -> bool:
    """Return whether words can be associated with labels."""
    return len(texts.label_names) >= 2 and len(texts.word_label_counts.words) > 0
