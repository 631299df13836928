"""Profiles of data that is larger than memory: partial results of shards, merged; copies found on disk."""

from assay.features.out_of_core.profiling import profile_shards
from assay.features.out_of_core.sources import ShardedData, find_shards

__all__ = ["ShardedData", "find_shards", "profile_shards"]
