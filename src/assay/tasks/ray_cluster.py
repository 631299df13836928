"""Calls on a Ray cluster, as tasks of Ray itself: joblib's back end for Ray returns nothing before all is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import isfunction
from types import ModuleType
from typing import Any, TypeAlias

from assay.base.errors import AssayError, import_extra

Reference: TypeAlias = Any  # a value or a result on the cluster


class RayCluster:
    """A connection to a cluster; one that this process uses already is used as it is.

    `address` is host:port, or `auto` for the cluster of this machine. A task whose worker dies runs again on another.
    """

    def __init__(self, address: str) -> None:
        self.ray = import_extra("ray", "ray", "The back end ray")
        self.is_ours = not self.ray.is_initialized()
        if self.is_ours:
            connect(self.ray, address)
        self.functions: dict[Reference, Reference] = {}

    def put(self, value: object) -> Reference:
        """Store a value once; every node copies it once, and its workers share the copy."""
        return self.ray.put(value)

    def call(self, function: Callable[..., Reference], arguments: Sequence[object]) -> Reference:
        """Start a call; arguments may be values that were put, and results of other calls."""
        if function not in self.functions:
            self.functions[function] = self.ray.remote(_make_function(function))
        return self.functions[function].remote(*arguments)

    def call_all(self, function: Callable[..., Reference], tasks: Sequence[Sequence[object]]) -> list[Reference]:
        """Start a call for each task."""
        return [self.call(function, task) for task in tasks]

    def iterate_finished(self, calls: Sequence[Reference]) -> Iterator[int]:
        """Yield the numbers of calls as they are finished; their results stay where they are."""
        numbers = {id(call): number for number, call in enumerate(calls)}
        pending = list(calls)
        while pending:
            finished, pending = self.ray.wait(pending, num_returns=1, fetch_local=False)
            yield numbers[id(finished[0])]

    def check(self, call: Reference) -> None:
        """Do nothing: whether a call failed is known when its result is fetched."""

    def get(self, call: Reference) -> Reference:
        """Return the result of a call; its error is raised as it was there."""
        try:
            return self.ray.get(call)
        except self.ray.exceptions.RayTaskError as error:
            cause = error.cause
            while isinstance(cause, self.ray.exceptions.RayTaskError):  # of a call whose result this one needed
                cause = cause.cause
            raise cause from error

    def close(self) -> None:
        """Leave the cluster to others."""
        if self.is_ours:
            self.ray.shutdown()


def _make_function(function: Callable[..., Reference]) -> Callable[..., Reference]:
    """Return a plain function, the only callable that Ray takes, for one such as a partial function."""
    if isfunction(function):
        return function

    def call_function(*arguments: object) -> Reference:
        return function(*arguments)

    return call_function


def connect(ray: ModuleType, address: str) -> None:
    """Connect to a cluster, whose workers get no folder of this process on their import path."""
    config = ray.job_config.JobConfig()
    config._py_driver_sys_path = NoFolders()  # noqa: SLF001, there is no public setting
    try:
        ray.init(address=address, job_config=config, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise AssayError(f"No Ray cluster answers at {address}. Start one with: ray start --head.") from error


class NoFolders(list[str]):
    """A list that stays empty: Ray adds the working folder and that of the script to the import path of its workers."""

    def extend(self, folders: Iterable[str], /) -> None:
        """Add nothing."""
