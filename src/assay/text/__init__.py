"""Words and vectors: texts as integers, encoders, duplicates."""

from typing import TYPE_CHECKING, Any

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

# Loaded when first asked for: arrays and compiled code are not needed to list what there is.
_HOMES = {
    "ENCODERS": "assay.text.encoders",
    "encoder": "assay.text.encoders",
    "character_counts": "assay.text.counting",
    "punctuation_counts": "assay.text.counting",
    "sentence_counts": "assay.text.counting",
    "exact_duplicates": "assay.text.duplicates",
    "largest_groups": "assay.text.duplicates",
    "near_duplicates": "assay.text.duplicates",
    "Corpus": "assay.text.corpus",
    "TOKENIZERS": "assay.text.tokenizers",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay.text' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
