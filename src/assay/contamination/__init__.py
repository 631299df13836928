"""Contamination: which items of a benchmark are in a training corpus."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports, name_function

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

__getattr__, __dir__ = lazy_exports(__name__)

name_function(__name__, "find_contamination")
