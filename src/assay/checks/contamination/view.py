"""How the page shows items that are in the training corpus."""

from assay.checks.base import CHECKS
from assay.contamination.view import show_contamination

CHECKS["contamination"].view(show_contamination)
