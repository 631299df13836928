"""Items whose gold label, or the item itself, is probably bad, and what to do about them."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports, name_function

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

__getattr__, __dir__ = lazy_exports(__name__)

name_function(__name__, "find_suspects")
