"""Words and vectors: texts as integers, encoders, duplicates."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.text.corpus import Corpus
    from assay.text.counting import character_counts, punctuation_counts, sentence_counts
    from assay.text.duplicates import exact_duplicates, largest_groups, near_duplicates
    from assay.text.encoders import ENCODERS, encoder
    from assay.text.tokenizers import TOKENIZERS

__all__ = [
    "ENCODERS",
    "TOKENIZERS",
    "Corpus",
    "character_counts",
    "encoder",
    "exact_duplicates",
    "largest_groups",
    "near_duplicates",
    "punctuation_counts",
    "sentence_counts",
]

_HOMES = {
    "ENCODERS": "encoders",
    "encoder": "encoders",
    "character_counts": "counting",
    "punctuation_counts": "counting",
    "sentence_counts": "counting",
    "exact_duplicates": "duplicates",
    "largest_groups": "duplicates",
    "near_duplicates": "duplicates",
    "Corpus": "corpus",
    "TOKENIZERS": "tokenizers",
}
__getattr__ = lazy_attributes(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
