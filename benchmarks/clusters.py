"""One process, two processes, and Dask and Ray with two workers on a million rows: speed-up and bytes of the client.

    python -m benchmarks.clusters [--rows N] [--methods profile contamination] [--ways one jobs dask ray memory]

Shards of `out_of_core`, read by each way in a process of its own after a small run that starts workers and loads
compiled loops. The bar is a speed-up of 1.6 over one process, by the clock: it needs two idle cores. Next to it is the
speed-up that two idle cores would give by the processor time: total of one process over that of the client and half
of that of the workers. Bytes are those of arguments and results, pickled. Needs the shared data.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl

from benchmarks.out_of_core import N_ITEMS, write_shards

WAYS = ("one", "jobs", "dask", "ray", "memory")
METHODS = ("profile", "contamination")
MIN_SPEED_UP = 1.6
BYTES_PER_ROW = 807  # of the shards of `out_of_core`
WARM_ROWS = 50


def main() -> None:
    """Run every method in every way, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=WAYS)
    parser.add_argument("--folder", type=Path, help="where shards are, or are kept")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        print(json.dumps(run_way(*options.run, options.folder)))
        return
    folder = options.folder or Path(tempfile.mkdtemp())
    try:
        if not (folder / "shards").exists():
            write_shards(folder, options.rows * BYTES_PER_ROW / 1e9)
            write_small_shards(folder)
        print("method         way     clock s  client CPU s  workers CPU s  sent KB  received KB  speed-up  by CPU")
        for method in options.methods:
            rows: dict[str, dict[str, float]] = {}
            for way in options.ways:
                if way == "memory" and method != "profile":
                    continue
                rows[way] = run_process(method, way, folder)
                print(describe(method, way, rows), flush=True)
    finally:
        if not options.folder:
            shutil.rmtree(folder)


def describe(method: str, way: str, rows: dict[str, dict[str, float]]) -> str:
    """Return the row of the table."""
    row, base = rows[way], rows.get("one")
    cells = f"{method:<13}  {way:<6}  {row['clock']:7.1f}  {row['client']:12.1f}  {row['workers']:13.1f}"
    cells += f"  {row['sent'] / 1e3:7.0f}  {row['received'] / 1e3:11.0f}"
    if base is None or way == "one":
        return cells
    by_clock, by_cpu = base["clock"] / row["clock"], base["client"] / (row["client"] + row["workers"] / 2)
    bar = "" if way == "memory" else "  held" if by_clock >= MIN_SPEED_UP else "  missed"
    return f"{cells}  {by_clock:8.2f}  {by_cpu:6.2f}{bar}"


def run_process(method: str, way: str, folder: Path) -> dict[str, float]:
    """Run a method in one way in a new process."""
    command = [sys.executable, "-m", "benchmarks.clusters", "--run", method, way, "--folder", str(folder)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return dict(json.loads(output.splitlines()[-1]))


def write_small_shards(folder: Path) -> None:
    """Write four small shards with the first rows of the first."""
    (folder / "small").mkdir()
    table = pl.read_parquet(next(iter(sorted((folder / "shards").glob("*.parquet")))))
    for number in range(4):
        table[number * WARM_ROWS : (number + 1) * WARM_ROWS].write_parquet(folder / "small" / f"{number}.parquet")


def run_way(method: str, way: str, folder: str) -> dict[str, float]:
    """Measure a call after a small one; the workers are descendants of this process."""
    import psutil

    with start_workers(way) as backend:
        settings: dict[str, object] = {"n_jobs": 2} if way == "jobs" else {"backend": backend} if backend else {}
        call = make_call(method, Path(folder), settings, in_memory=way == "memory")
        call("small")
        counted = count_bytes()
        process = psutil.Process(os.getpid())
        before, client, started = read_times(process), time.process_time(), time.perf_counter()
        call("shards")
        clock, client = time.perf_counter() - started, time.process_time() - client
        workers = read_times(process) - before
    return {"clock": clock, "client": client, "workers": workers, "sent": counted[0], "received": counted[1]}


def make_call(method: str, folder: Path, settings: dict[str, object], *, in_memory: bool) -> Callable[[str], object]:
    """Return the call that is measured, of the name of a folder of shards."""
    import assay

    if method == "profile":
        if in_memory:
            return lambda name: assay.profile(folder / name)
        return lambda name: assay.profile(folder / name, out_of_core=True, **settings)  # type: ignore[arg-type]
    items = pl.read_parquet(folder / "items.parquet")
    assert len(items) == N_ITEMS
    return lambda name: assay.find_contamination(items, folder / name, **settings)  # type: ignore[arg-type]


@contextmanager
def start_workers(way: str) -> Iterator[str | None]:
    """Start two workers, and yield the name of the back end."""
    if way == "dask":
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            yield f"dask={cluster.scheduler_address}"
    elif way == "ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        try:
            yield "ray=auto"
        finally:
            ray.shutdown()
    else:
        yield None


def read_times(process: object) -> float:
    """Return the processor time of all descendants of a process."""
    import psutil

    total = 0.0
    for child in process.children(recursive=True):  # type: ignore[attr-defined]
        with suppress(psutil.Error):  # it has ended meanwhile
            times = child.cpu_times()
            total += times.user + times.system
    return total


def count_bytes() -> list[int]:
    """Count the bytes of arguments and results that this process exchanges with a cluster from now on."""
    from assay.tasks.dask_cluster import DaskCluster
    from assay.tasks.ray_cluster import RayCluster

    counted = [0, 0]
    for cluster in (DaskCluster, RayCluster):
        count_calls(cluster, counted)
    return counted


def count_calls(cluster: type, counted: list[int]) -> None:
    """Count the arguments and results of the calls of a cluster."""
    put, call, get = cluster.put, cluster.call, cluster.get  # type: ignore[attr-defined]

    def count_put(self: object, value: object) -> object:
        counted[0] += len(pickle.dumps(value))
        return put(self, value)

    def count_call(self: object, function: object, arguments: tuple[object, ...]) -> object:
        for each in arguments:
            counted[0] += 100 if type(each).__name__ in ("Future", "ObjectRef") else len(pickle.dumps(each))
        return call(self, function, arguments)

    def count_get(self: object, reference: object) -> object:
        result = get(self, reference)
        counted[1] += len(pickle.dumps(result))
        return result

    cluster.put, cluster.call, cluster.get = count_put, count_call, count_get  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
