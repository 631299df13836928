"""The profile of a dataset: labels, lengths, words, duplicates, odd texts and features."""

from assay.features.profiling.duplicates import (
    Duplicates,
    count_duplicates,
    mark_conflicts,
    mark_repeated,
    number_parts,
)
from assay.features.profiling.label_words import WordCount, find_label_words, rank_words, rank_words_by_label
from assay.features.profiling.lengths import LengthSummary
from assay.features.profiling.odd_texts import OddTexts, find_odd_texts
from assay.features.profiling.profiles import Profile, profile

__all__ = [
    "Duplicates",
    "LengthSummary",
    "OddTexts",
    "Profile",
    "WordCount",
    "count_duplicates",
    "find_label_words",
    "find_odd_texts",
    "mark_conflicts",
    "mark_repeated",
    "number_parts",
    "profile",
    "rank_words",
    "rank_words_by_label",
]
