"""Calls on a Ray cluster, as tasks of Ray itself: joblib's back end for Ray returns nothing before all is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, TypeVar

from assay.base.errors import AssayError, import_extra

T = TypeVar("T")


def run_on_ray(address: str, function: Callable[..., T], arguments: Sequence[tuple[object, ...]]) -> Iterator[T]:
    """Yield results as they are finished; a task whose worker dies runs again on another.

    `address` is host:port, or `auto` for the cluster of this machine. A cluster that this process uses already is used
    as it is.
    """
    ray = import_extra("ray", "ray", "The back end ray")
    is_ours = not ray.is_initialized()
    if is_ours:
        connect(ray, address)
    try:
        call = ray.remote(function)
        pending = [call.remote(*task) for task in arguments]
        while pending:
            finished, pending = ray.wait(pending, num_returns=1)
            yield get_result(ray, finished[0])
    finally:
        if is_ours:
            ray.shutdown()


def connect(ray: ModuleType, address: str) -> None:
    """Connect to a cluster, whose workers get no folder of this process on their import path."""
    config = ray.job_config.JobConfig()
    config._py_driver_sys_path = NoFolders()  # noqa: SLF001, there is no public setting
    try:
        ray.init(address=address, job_config=config, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise AssayError(f"No Ray cluster answers at {address}. Start one with: ray start --head.") from error


def get_result(ray: ModuleType, reference: Any) -> Any:
    """Return the result of a task; its error is raised as it was there."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error


class NoFolders(list[str]):
    """A list that stays empty: Ray adds the working folder and that of the script to the import path of its workers."""

    def extend(self, folders: Iterable[str], /) -> None:
        """Add nothing."""
