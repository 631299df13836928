"""Calls on a Dask cluster, as tasks of Dask itself: shared values are scattered, and results merged on the workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from assay.base.errors import AssayError, import_extra

Reference: TypeAlias = Any  # a value or a result on the cluster


class DaskCluster:
    """A connection to the scheduler of a cluster, which is closed at the end."""

    def __init__(self, address: str) -> None:
        self.distributed = import_extra("distributed", "dask", "The back end dask")
        try:
            self.client = self.distributed.Client(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise AssayError(f"No Dask scheduler answers at {address}. Start one with: dask scheduler.") from error

    def put(self, value: object) -> Reference:
        """Send a value to the cluster once; its workers copy it from each other, in a tree."""
        return self.client.scatter([value], hash=False, broadcast=True)[0]

    def call(self, function: Callable[..., Reference], arguments: Sequence[object]) -> Reference:
        """Start a call; arguments may be values that were put, and results of other calls."""
        return self.client.submit(function, *arguments, pure=False)

    def call_all(self, function: Callable[..., Reference], tasks: Sequence[Sequence[object]]) -> list[Reference]:
        """Start a call for each task, all in one message: each message costs the scheduler as much as a call."""
        return list(self.client.map(function, *zip(*tasks, strict=True), pure=False)) if tasks else []

    def iterate_finished(self, calls: Sequence[Reference]) -> Iterator[int]:
        """Yield the numbers of calls as they are finished."""
        numbers = {call.key: number for number, call in enumerate(calls)}
        for call in self.distributed.as_completed(calls, loop=self.client.loop):
            yield numbers[call.key]

    def check(self, call: Reference) -> None:
        """Raise the error of a call that failed."""
        if call.status == "error":
            call.result()

    def get(self, call: Reference) -> Reference:
        """Return the result of a call."""
        return call.result()

    def close(self) -> None:
        """Leave the cluster to others."""
        self.client.close()
