"""Ways to split a dataset, folds files, and how the parts of a split differ."""

from assay.splits.base import Assignment, Fold, FoldSplitter, HoldoutSplitter, Parts, Splitter
from assay.splits.bootstrap import BootstrapSplit
from assay.splits.comparison import SplitComparison, compare
from assay.splits.dates import parse_times
from assay.splits.folds import Folds, read_folds, write_folds
from assay.splits.grouping import joined, kept_together
from assay.splits.k_means import KMeansSplit
from assay.splits.length import LengthSplit
from assay.splits.random import RandomSplit
from assay.splits.random_length import RandomLengthSplit
from assay.splits.rare_words import RareWordsSplit
from assay.splits.registry import SPLITS
from assay.splits.same_size_k_means import SameSizeKMeansSplit
from assay.splits.sds_k_means import SDSKMeansSplit
from assay.splits.splitting import SplitResult, make_splitter, split_dataset
from assay.splits.stratified import StratifiedSplit
from assay.splits.temporal import TemporalSplit
from assay.splits.wasserstein import WassersteinSplit

__all__ = [
    "SPLITS",
    "Assignment",
    "BootstrapSplit",
    "Fold",
    "FoldSplitter",
    "Folds",
    "HoldoutSplitter",
    "KMeansSplit",
    "LengthSplit",
    "Parts",
    "RandomLengthSplit",
    "RandomSplit",
    "RareWordsSplit",
    "SDSKMeansSplit",
    "SameSizeKMeansSplit",
    "SplitComparison",
    "SplitResult",
    "Splitter",
    "StratifiedSplit",
    "TemporalSplit",
    "WassersteinSplit",
    "compare",
    "joined",
    "kept_together",
    "make_splitter",
    "parse_times",
    "read_folds",
    "split_dataset",
    "write_folds",
]
