"""Words and vectors: texts as integers, encoders, duplicates."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.text.corpus import Corpus
    from assay.text.encoders import ENCODERS, encoder
    from assay.text.tokenizers import TOKENIZERS

__all__ = ["ENCODERS", "TOKENIZERS", "Corpus", "encoder"]

# Loaded when first asked for: arrays and compiled code are not needed to list what there is.
_HOMES = {
    "ENCODERS": "assay.text.encoders",
    "encoder": "assay.text.encoders",
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
