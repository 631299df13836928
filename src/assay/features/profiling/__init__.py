"""The profile of a dataset: labels, lengths, words, duplicates, odd texts and features."""

from assay.features.profiling.copies import mark_copies
from assay.features.profiling.duplicates import (
    Duplicates,
    count_duplicates,
)
from assay.features.profiling.label_words import WordCount, find_label_words, rank_words, rank_words_by_label
from assay.features.profiling.lengths import LengthSummary, bin_lengths
from assay.features.profiling.odd_texts import OddTexts
from assay.features.profiling.overlaps import (
    GroupOverlap,
    Overlap,
    SideOverlap,
    TextOverlap,
    count_items,
    find_group_overlaps,
    find_overlaps,
    find_side_overlaps,
    find_text_overlaps,
)
from assay.features.profiling.part_labels import PartLabelCount, count_label_sets_by_part, count_labels_by_part
from assay.features.profiling.profiles import LabelCount, Profile, profile

__all__ = [
    "Duplicates",
    "GroupOverlap",
    "LabelCount",
    "LengthSummary",
    "OddTexts",
    "Overlap",
    "PartLabelCount",
    "Profile",
    "SideOverlap",
    "TextOverlap",
    "WordCount",
    "bin_lengths",
    "count_duplicates",
    "count_items",
    "count_label_sets_by_part",
    "count_labels_by_part",
    "find_group_overlaps",
    "find_label_words",
    "find_overlaps",
    "find_side_overlaps",
    "find_text_overlaps",
    "mark_copies",
    "profile",
    "rank_words",
    "rank_words_by_label",
]
