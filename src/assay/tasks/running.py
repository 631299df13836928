"""Run calls side by side and return their results in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from assay.base.errors import AssayError, UsageError, import_extra, unknown_name
from assay.base.parameters import Options
from assay.system.processes import guard_imports, prepare_worker
from assay.tasks.cache import TaskCache, default_cache
from assay.tasks.ray_cluster import run_on_ray
from assay.tasks.steps import announce_step

if TYPE_CHECKING:
    from numpy.random import SeedSequence

T = TypeVar("T")

Cache: TypeAlias = str | Path | bool | None  # a folder of finished tasks; True: the user's cache folder
IDLE_SECONDS = 1800
_NAMES = {"processes": "loky", "threads": "threading", "loky": "loky", "threading": "threading"}


def run_tasks(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache | TaskCache = None,
) -> list[T]:
    """Call `function(*arguments[i])` for every i and return the results in that order.

    `backend` is processes (default), threads, any joblib back end, dask=tcp://host:port or ray=auto; `cache` a
    folder where finished tasks are kept (True: the user's cache folder), so that a killed run goes on
    where it stopped. Random seeds must be among the arguments (see `seeds`).

    >>> run_tasks(max, [(1, 5), (7, 2)])
    [5, 7]
    """
    if n_jobs == 0:
        raise UsageError("is 0.", option="n_jobs", hint="Use the number of processes, or -1 for all cores.")
    store = _store(cache)
    keys = [store.key(function, task) for task in arguments] if store else []
    results: dict[int, Any] = {}
    for number, key in enumerate(keys):
        found, result = store.load(key) if store else (False, None)
        if found:
            results[number] = result
    todo = [number for number in range(len(arguments)) if number not in results]
    step = getattr(function, "__name__", "tasks").strip("_").replace("_", " ")
    announce_step(step, len(results), len(arguments))
    with guard_imports() if todo and _starts_processes(n_jobs, backend) else nullcontext():
        for number, result in _finished(function, arguments, todo, n_jobs, backend):
            if store:
                store.save(keys[number], result)
            results[number] = result
            announce_step(step, len(results), len(arguments))
    return [results[number] for number in range(len(arguments))]


def seeds(random_state: int, n: int) -> list[SeedSequence]:
    """Spawn one independent seed a task, the same whatever runs them.

    >>> [int(seed.generate_state(1)[0]) == int(seeds(0, 3)[0].generate_state(1)[0]) for seed in seeds(0, 2)]
    [True, False]
    """
    return np.random.SeedSequence(random_state).spawn(n)


def _store(cache: Cache | TaskCache) -> TaskCache | None:
    if cache is None or cache is False:
        return None
    if isinstance(cache, TaskCache):
        return cache
    return TaskCache(default_cache() if cache is True else cache)


def _finished(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    todo: list[int],
    n_jobs: int,
    backend: str | None,
) -> Iterator[tuple[int, T]]:
    if backend is not None:
        check_backend(backend)
    if not todo:
        return
    if n_jobs == 1 and not is_cluster(backend):
        for number in todo:
            yield number, function(*arguments[number])
        return
    if backend is not None and backend.startswith("ray="):
        yield from run_on_ray(backend.removeprefix("ray="), _numbered, [(n, function, arguments[n]) for n in todo])
        return
    import joblib

    with _back_end(backend, n_jobs):
        parallel = joblib.Parallel(return_as="generator_unordered")
        yield from parallel(joblib.delayed(_numbered)(number, function, arguments[number]) for number in todo)


def _numbered(number: int, function: Callable[..., T], task: tuple[object, ...]) -> tuple[int, T]:
    return number, function(*task)


def _starts_processes(n_jobs: int, backend: str | None) -> bool:
    """Return whether tasks leave this process; a cluster may also start workers for them."""
    return is_cluster(backend) or (n_jobs != 1 and _NAMES.get(backend or "processes", backend) != "threading")


def is_cluster(backend: str | None) -> bool:
    """Return whether tasks run on a cluster, whose workers are not children of this process.

    >>> is_cluster("ray=auto"), is_cluster("threads"), is_cluster(None)
    (True, False, False)
    """
    return backend is not None and backend.startswith(("dask=", "ray="))


def check_backend(backend: str) -> None:
    """Refuse a back end that does not exist before any work is done.

    >>> check_backend("treads")
    Traceback (most recent call last):
    assay.base.errors.UsageError: No back end 'treads'. Did you mean 'threads'? Known: dask=tcp://host:port, ...
    """
    if backend.startswith("dask="):
        import_extra("distributed", "dask", "The back end dask")
        return
    if backend.startswith("ray="):
        import_extra("ray", "ray", "The back end ray")
        return
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    # joblib's multiprocessing cannot return results as they finish, and a cluster needs an address.
    known = (set(_NAMES) | set(BACKENDS) | set(EXTERNAL_BACKENDS)) - {"multiprocessing", "dask", "ray"}
    if backend not in known:
        raise unknown_name("back end", backend, known | {"dask=tcp://host:port", "ray=auto"})


@contextmanager
def _back_end(backend: str | None, n_jobs: int) -> Iterator[None]:
    import joblib

    if backend is not None and backend.startswith("dask="):
        with _dask(backend.removeprefix("dask=")):
            yield
        return
    name = _NAMES.get(backend or "processes", backend)
    try:
        with joblib.parallel_config(backend=name, n_jobs=n_jobs, **_worker_settings(name)):
            yield
    except KeyboardInterrupt:
        if name == "loky":  # or the workers finish their tasks first
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)
        raise


def _worker_settings(name: str | None) -> Options:
    """Return how long idle workers stay, and what they do first: watch this process, guard their streams."""
    if name != "loky":
        return {}
    # Loky has to start other workers if new work meets the end of idle ones, and warns.
    return {"idle_worker_timeout": IDLE_SECONDS, "initializer": prepare_worker, "initargs": (os.getpid(),)}


@contextmanager
def _dask(address: str) -> Iterator[None]:
    import joblib

    distributed = import_extra("distributed", "dask", "The back end dask")
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError, TimeoutError) as error:
        raise AssayError(f"No Dask scheduler answers at {address}. Start one with: dask scheduler.") from error
    try:
        with joblib.parallel_config(backend="dask"):
            yield
    finally:
        client.close()
