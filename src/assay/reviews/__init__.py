"""Reviews of gold labels by people: which items to look at, and what their verdicts say about all items."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports

if TYPE_CHECKING:
    from assay.reviews.estimation import estimate_review
    from assay.reviews.files import write_plan
    from assay.reviews.planning import plan_review
    from assay.reviews.recording import record_verdict
    from assay.reviews.results import CorrectedSystem, ReviewAgreement, ReviewEstimate, ReviewPlan, ReviewStratum

__all__ = [
    "CorrectedSystem",
    "ReviewAgreement",
    "ReviewEstimate",
    "ReviewPlan",
    "ReviewStratum",
    "estimate_review",
    "plan_review",
    "record_verdict",
    "write_plan",
]

__getattr__, __dir__ = lazy_exports(__name__)
