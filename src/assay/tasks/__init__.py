"""Run many calls of one function: in processes, in threads, on a cluster; finished ones are kept on disk."""

from assay.tasks.cache import TaskCache, default_cache
from assay.tasks.running import run_tasks, seeds

__all__ = ["TaskCache", "default_cache", "run_tasks", "seeds"]
