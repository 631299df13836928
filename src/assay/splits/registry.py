"""The splits by the names people type."""

from __future__ import annotations

from assay.base.registry import Registry
from assay.splits.base import Splitter
from assay.splits.bootstrap import BootstrapSplit
from assay.splits.k_means import KMeansSplit
from assay.splits.length import LengthSplit
from assay.splits.random import RandomSplit
from assay.splits.random_length import RandomLengthSplit
from assay.splits.rare_words import RareWordsSplit
from assay.splits.same_size_k_means import SameSizeKMeansSplit
from assay.splits.sds_k_means import SDSKMeansSplit
from assay.splits.stratified import StratifiedSplit
from assay.splits.temporal import TemporalSplit
from assay.splits.wasserstein import WassersteinSplit

_ALL: list[type[Splitter]] = [
    RandomSplit,
    StratifiedSplit,
    BootstrapSplit,
    LengthSplit,
    RandomLengthSplit,
    RareWordsSplit,
    TemporalSplit,
    WassersteinSplit,
    KMeansSplit,
    SameSizeKMeansSplit,
    SDSKMeansSplit,
]

SPLITS: Registry[type[Splitter]] = Registry("split", [(splitter.name, splitter) for splitter in _ALL])
