"""Run calls side by side and return their results in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

from assay.base.errors import UsageError, import_extra, unknown_name
from assay.base.parameters import Options
from assay.system.files import make_temporary_folder
from assay.system.processes import guard_imports, prepare_worker
from assay.tasks.cache import TaskCache, default_cache
from assay.tasks.dask_cluster import DaskCluster
from assay.tasks.merging import MergeTree
from assay.tasks.ray_cluster import RayCluster
from assay.tasks.sharing import Shared, load_arguments, name_shared, unwrap, write_shared
from assay.tasks.steps import announce_step

if TYPE_CHECKING:
    from numpy.random import SeedSequence

T = TypeVar("T")

Cluster: TypeAlias = DaskCluster | RayCluster
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
    return list(iterate_tasks(function, arguments, n_jobs=n_jobs, backend=backend, cache=cache))


def iterate_tasks(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache | TaskCache = None,
) -> Iterator[T]:
    """Yield the results of `run_tasks` in order, each as soon as those before it are there.

    `Shared` arguments are sent to every worker once.
    """
    store, keys = _name_tasks(function, arguments, n_jobs, cache)
    is_kept = [store is not None and store.has(key) for key in keys] or [False] * len(arguments)
    todo = [number for number, kept in enumerate(is_kept) if not kept]
    step, n_done = _name_step(function), len(arguments) - len(todo)
    announce_step(step, n_done, len(arguments))
    results: dict[int, Any] = {}
    position = 0
    with guard_imports() if todo and _starts_processes(n_jobs, backend) else nullcontext():
        finished = _finished(function, arguments, todo, n_jobs, backend)
        while position < len(arguments):
            if is_kept[position] and store is not None:
                found, results[position] = store.load(keys[position])
                if not found:  # a damaged entry counts as missing
                    results[position] = function(*unwrap(arguments[position]))
                    store.save(keys[position], results[position])
            while position not in results:
                number, result = next(finished)
                if store is not None:
                    store.save(keys[number], result)
                results[number] = result
                n_done += 1
                announce_step(step, n_done, len(arguments))
            yield results.pop(position)
            position += 1


def reduce_tasks(
    function: Callable[..., T],
    arguments: Sequence[tuple[object, ...]],
    merge: Callable[[Sequence[T]], T],
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache | TaskCache = None,
) -> T:
    """Merge the results of all calls, neighbours first; on a cluster its workers merge, and only the total returns.

    `merge` takes results of calls or of merges, in order, and must not depend on how they are grouped. On a cluster
    workers keep finished tasks, so its workers and this process must all reach the folder `cache`.

    >>> reduce_tasks(max, [(1, 5), (7, 2)], sum)
    12
    """
    if not is_cluster(backend):
        tree = MergeTree(merge)
        for result in iterate_tasks(function, arguments, n_jobs=n_jobs, backend=backend, cache=cache):
            tree.add(result)
        return tree.finish()
    store, keys = _name_tasks(function, arguments, n_jobs, cache)
    step = _name_step(function)
    announce_step(step, 0, len(arguments))
    with guard_imports(), _connect(str(backend)) as cluster:
        tasks = _put_shared(cluster, arguments)
        if store is not None:
            folder = str(store.folder.resolve())
            tasks = [(folder, key, function, *task) for key, task in zip(keys, tasks, strict=True)]
        calls = cluster.call_all(function if store is None else _keep_result, tasks)
        on_cluster = MergeTree[Any](lambda parts: cluster.call(_merge_results, (merge, *parts)))
        for call in calls:
            on_cluster.add(call)
        total = on_cluster.finish()
        for n_done, number in enumerate(cluster.iterate_finished(calls), start=1):
            cluster.check(calls[number])
            announce_step(step, n_done, len(arguments))
        return cast("T", cluster.get(total))


def _keep_result(folder: str, key: str, function: Callable[..., T], *arguments: object) -> T:
    """Return a kept result, or compute and keep it, on a worker of a cluster."""
    store = TaskCache(folder)
    found, result = store.load(key)
    if not found:
        result = function(*arguments)
        store.save(key, result)
    return cast("T", result)


def _merge_results(merge: Callable[[Sequence[T]], T], *parts: T) -> T:
    return merge(parts)


def _name_tasks(
    function: Callable[..., T], arguments: Sequence[tuple[object, ...]], n_jobs: int, cache: Cache | TaskCache
) -> tuple[TaskCache | None, list[str]]:
    """Return where finished tasks are kept, and under which names."""
    if n_jobs == 0:
        raise UsageError("is 0.", option="n_jobs", hint="Use the number of processes, or -1 for all cores.")
    store = _store(cache)
    return store, [store.key(function, name_shared(task)) for task in arguments] if store else []


def _name_step(function: Callable[..., object]) -> str:
    return str(getattr(function, "__name__", "tasks")).strip("_").replace("_", " ")


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
    if backend is not None and is_cluster(backend):
        with _connect(backend) as cluster:
            tasks = _put_shared(cluster, [arguments[number] for number in todo])
            calls = cluster.call_all(function, tasks)
            for place in cluster.iterate_finished(calls):
                yield todo[place], cluster.get(calls[place])
                calls[place] = None  # the cluster may forget the result
        return
    if n_jobs == 1:
        for number in todo:
            yield number, function(*unwrap(arguments[number]))
        return
    import joblib

    has_shared = any(isinstance(each, Shared) for task in arguments for each in task)
    tasks = [arguments[number] for number in todo]
    with ExitStack() as stack:
        stack.enter_context(_back_end(backend, n_jobs))
        if has_shared and _starts_processes(n_jobs, backend):
            ready = write_shared(tasks, stack.enter_context(make_temporary_folder()))
        else:
            ready = [unwrap(task) for task in tasks]
        parallel = joblib.Parallel(return_as="generator_unordered")
        numbered = zip(todo, ready, strict=True)
        yield from parallel(joblib.delayed(_numbered)(number, function, task) for number, task in numbered)


def _numbered(number: int, function: Callable[..., T], task: tuple[object, ...]) -> tuple[int, T]:
    return number, function(*load_arguments(task))


def _put_shared(cluster: Cluster, tasks: Sequence[tuple[object, ...]]) -> list[tuple[Any, ...]]:
    """Return the tasks with references to shared values, each of which is sent to the cluster once."""
    known: dict[int, Any] = {}
    for task in tasks:
        for each in task:
            if isinstance(each, Shared) and id(each) not in known:
                known[id(each)] = cluster.put(each.value)
    return [tuple(known[id(each)] if isinstance(each, Shared) else each for each in task) for task in tasks]


@contextmanager
def _connect(backend: str) -> Iterator[Cluster]:
    kind, _, address = backend.partition("=")
    cluster: Cluster = RayCluster(address) if kind == "ray" else DaskCluster(address)
    try:
        yield cluster
    finally:
        cluster.close()


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
