"""Run many calls of one function: in processes, in threads, on a cluster; finished ones are kept on disk."""

from assay.tasks.cache import TaskCache, default_cache
from assay.tasks.running import iterate_tasks, reduce_tasks, run_tasks, seeds
from assay.tasks.sharing import Shared
from assay.tasks.steps import announce_step, listen_to_steps

__all__ = [
    "Shared",
    "TaskCache",
    "announce_step",
    "default_cache",
    "iterate_tasks",
    "listen_to_steps",
    "reduce_tasks",
    "run_tasks",
    "seeds",
]
