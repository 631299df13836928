"""How the parts of a split differ: measures, each beside what random splits give."""

from assay.splits.comparison.compare import SplitComparison, compare
from assay.splits.comparison.cuts import Cuts, cuts_of
from assay.splits.comparison.divergence import Divergence
from assay.splits.comparison.leaks import Leaks
from assay.splits.comparison.portrait import Portrait

__all__ = ["Cuts", "Divergence", "Leaks", "Portrait", "SplitComparison", "compare", "cuts_of"]
