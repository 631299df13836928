"""Contamination: which items of a benchmark are in a training corpus."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes

if TYPE_CHECKING:
    from assay.contamination.finding import find_contamination
    from assay.contamination.results import Contamination, ContaminationHit

__all__ = ["Contamination", "ContaminationHit", "find_contamination"]

_MODULES = {"find_contamination": "finding", "Contamination": "results", "ContaminationHit": "results"}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
