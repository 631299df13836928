"""Items whose gold label, or the item itself, is probably bad, and what to do about them."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_attributes, name_function

if TYPE_CHECKING:
    from assay.suspects.finding import find_suspects
    from assay.suspects.repairs.applying import repair
    from assay.suspects.repairs.results import Change, Repair
    from assay.suspects.results import LabelEvidence, Suspects
    from assay.suspects.reviews import Review, compare_with_review, read_verdicts

__all__ = [
    "Change",
    "LabelEvidence",
    "Repair",
    "Review",
    "Suspects",
    "compare_with_review",
    "find_suspects",
    "read_verdicts",
    "repair",
]

_MODULES = {
    "find_suspects": "finding",
    "LabelEvidence": "results",
    "Suspects": "results",
    "Review": "reviews",
    "compare_with_review": "reviews",
    "read_verdicts": "reviews",
    "repair": "repairs.applying",
    "Change": "repairs.results",
    "Repair": "repairs.results",
}
__getattr__ = lazy_attributes(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__


name_function(__name__, "find_suspects")
