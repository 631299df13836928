"""Ways to split a dataset, folds files, and how the parts of a split differ."""

from assay.registry import Registry
from assay.splits.base import Assignment, Fold, FoldSplitter, HoldoutSplitter, Parts, Splitter
from assay.splits.bootstrap import BootstrapSplit
from assay.splits.dates import parse_times
from assay.splits.folds import Folds, read_folds, write_folds
from assay.splits.grouping import joined, kept_together
from assay.splits.length import LengthSplit
from assay.splits.random import RandomSplit
from assay.splits.random_length import RandomLengthSplit
from assay.splits.rare_words import RareWordsSplit
from assay.splits.stratified import StratifiedSplit
from assay.splits.temporal import TemporalSplit

__all__ = [
    "SPLITS",
    "Assignment",
    "BootstrapSplit",
    "Fold",
    "FoldSplitter",
    "Folds",
    "HoldoutSplitter",
    "LengthSplit",
    "Parts",
    "RandomLengthSplit",
    "RandomSplit",
    "RareWordsSplit",
    "Splitter",
    "StratifiedSplit",
    "TemporalSplit",
    "joined",
    "kept_together",
    "parse_times",
    "read_folds",
    "write_folds",
]

SPLITS: Registry[type[Splitter]] = Registry(
    "split",
    [
        (splitter.name, splitter)
        for splitter in (
            RandomSplit,
            StratifiedSplit,
            BootstrapSplit,
            LengthSplit,
            RandomLengthSplit,
            RareWordsSplit,
            TemporalSplit,
        )
    ],
)
