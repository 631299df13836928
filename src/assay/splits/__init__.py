"""Ways to split a dataset, folds files, and how the parts of a split differ."""

from assay.base.lazy import name_function
from assay.splits.assignments import FoldAssignment, PartAssignment
from assay.splits.base import FoldSplitter, HoldoutSplitter
from assay.splits.comparison.dataset_comparison import compare
from assay.splits.comparison.split_comparison import SplitComparison, compare_splits
from assay.splits.dataset_split import SplitResult, split
from assay.splits.dates import parse_times
from assay.splits.folds_files import Folds, check_ids, read_folds, write_folds
from assay.splits.groups import group_near_duplicates
from assay.splits.kmeans.transport import solve_transport
from assay.splits.methods.bootstrap import BootstrapSplit
from assay.splits.methods.k_means import KMeansSplit
from assay.splits.methods.length import LengthSplit, RandomLengthSplit
from assay.splits.methods.random import RandomSplit
from assay.splits.methods.rare_words import RareWordsSplit
from assay.splits.methods.same_size_k_means import SameSizeKMeansSplit
from assay.splits.methods.sds_k_means import SDSKMeansSplit
from assay.splits.methods.stratified import StratifiedSplit
from assay.splits.methods.temporal import TemporalSplit
from assay.splits.methods.wasserstein import WassersteinSplit
from assay.splits.part_files import write_parts
from assay.splits.registry import SPLITS

__all__ = [
    "SPLITS",
    "BootstrapSplit",
    "FoldAssignment",
    "FoldSplitter",
    "Folds",
    "HoldoutSplitter",
    "KMeansSplit",
    "LengthSplit",
    "PartAssignment",
    "RandomLengthSplit",
    "RandomSplit",
    "RareWordsSplit",
    "SDSKMeansSplit",
    "SameSizeKMeansSplit",
    "SplitComparison",
    "SplitResult",
    "StratifiedSplit",
    "TemporalSplit",
    "WassersteinSplit",
    "check_ids",
    "compare",
    "compare_splits",
    "group_near_duplicates",
    "parse_times",
    "read_folds",
    "solve_transport",
    "split",
    "write_folds",
    "write_parts",
]

name_function(__name__, "split")
