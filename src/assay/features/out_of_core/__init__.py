"""Profiles of data that is larger than memory: partial results of shards, merged; copies found on disk."""
