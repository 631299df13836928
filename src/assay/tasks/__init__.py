"""Run many calls of one function: in processes, in threads, on a cluster; finished ones are kept on disk."""

from assay.tasks.cache import TaskCache, default_cache
from assay.tasks.running import run_tasks, seeds
from assay.tasks.steps import announce_step, listen_to_steps, shift_steps

__all__ = ["TaskCache", "announce_step", "default_cache", "listen_to_steps", "run_tasks", "seeds", "shift_steps"]
