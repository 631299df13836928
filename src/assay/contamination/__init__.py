"""Contamination: which items of a benchmark are in a training corpus."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes, name_function

if TYPE_CHECKING:
    from assay.contamination.finding import find_contamination
    from assay.contamination.results import ContaminatedPart, Contamination, ContaminationHit, CorpusSource
    from assay.contamination.sources import identify_corpus

__all__ = [
    "ContaminatedPart",
    "Contamination",
    "ContaminationHit",
    "CorpusSource",
    "find_contamination",
    "identify_corpus",
]

_MODULES = {
    "find_contamination": "finding",
    "ContaminatedPart": "results",
    "Contamination": "results",
    "ContaminationHit": "results",
    "CorpusSource": "results",
    "identify_corpus": "sources",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__


name_function(__name__, "find_contamination")
