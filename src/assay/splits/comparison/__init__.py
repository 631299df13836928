"""How the parts of a split differ: each measure next to what random splits give."""

from assay.splits.comparison.divergence import Divergence
from assay.splits.comparison.duplicates import Leaks
from assay.splits.comparison.projection import Projection
from assay.splits.comparison.split_comparison import PIECES, SplitComparison, compare_splits

__all__ = ["PIECES", "Divergence", "Leaks", "Projection", "SplitComparison", "compare_splits"]
