"""Words and vectors: texts as word numbers, n-grams, duplicates, encoders."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports

if TYPE_CHECKING:
    from assay.text.corpus import Corpus
    from assay.text.counting import character_counts, punctuation_counts, sentence_counts
    from assay.text.duplicates import (
        exact_duplicates,
        largest_groups,
        most_similar_members,
        near_duplicates,
        near_matches,
    )
    from assay.text.encoders import ENCODERS, make_encoder
    from assay.text.ngrams import NgramCounts, count_character_ngrams, count_word_ngrams
    from assay.text.tokenizers import TOKENIZERS

__all__ = [
    "ENCODERS",
    "TOKENIZERS",
    "Corpus",
    "NgramCounts",
    "character_counts",
    "count_character_ngrams",
    "count_word_ngrams",
    "exact_duplicates",
    "largest_groups",
    "make_encoder",
    "most_similar_members",
    "near_duplicates",
    "near_matches",
    "punctuation_counts",
    "sentence_counts",
]

__getattr__, __dir__ = lazy_exports(__name__)
