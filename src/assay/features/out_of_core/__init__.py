"""Profiles of data that is larger than memory: partial results of shards, merged; copies found on disk."""

from assay.features.out_of_core.profiling import profile_shards
from assay.features.out_of_core.sources import Shard, ShardedData, find_shards, group_files

__all__ = ["Shard", "ShardedData", "find_shards", "group_files", "profile_shards"]
