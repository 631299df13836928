"""A corpus of 1 TB on 100 and 1,000 workers: the real Dask scheduler and client, with workers that sleep.

    python -m benchmarks.cluster_simulation [WORKERS …] [--method contamination profile] [--slower FACTOR] [--terabytes N]

The client, the scheduler and the workers are processes of their own that talk TCP; `reduce_tasks` starts the calls as
it does for a corpus. Simulated: a call is a coroutine that sleeps for the time that the method was measured to need
for its bytes and returns a result of 4 KB. All workers are objects of one process, each with `--slots` places for
calls, because a process that sleeps would still need memory and start for seconds. `--slower` multiplies the sleep, so
that this machine keeps up where other work shares it. Measured: the messages of the client, in bytes, the processor
time of the scheduler and of the client, and the time from start to end. Real workers would also read files.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CALL_BYTES = 256_000_000  # `plan_files` puts so many bytes of a terabyte into a call
RATES = {"contamination": 147e6, "profile": 11e6}  # bytes a second and core, from docs/scale.md
RESULT_BYTES = 4_000  # smaller than real ones, because all workers are on this machine
ROOT = Path(__file__).resolve().parents[1]

SCHEDULER = """
import asyncio, json, sys, time
import dask
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""
WORKERS = """
import asyncio, sys
import dask
dask.config.set({
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
    "distributed.comm.timeouts.connect": "300s",
})
from distributed import Worker
async def main(address, n, slots):
    workers = []
    for start in range(0, n, 25):
        some = [Worker(address, nthreads=slots, dashboard=False, memory_limit=0) for _ in range(min(25, n - start))]
        workers += await asyncio.gather(*some)
    print("ready", flush=True)
    await asyncio.gather(*(worker.finished() for worker in workers))
asyncio.run(main(*sys.argv[1:2], *map(int, sys.argv[2:])))
"""


@dataclass(frozen=True)
class Run:
    """What one simulation measured; seconds are those of the clock, except for processor time."""

    method: str
    workers: int
    calls: int
    ideal: float
    seconds: float
    slower: float
    sent: int
    received: int
    scheduler_cpu: float
    client_cpu: float

    @property
    def efficiency(self) -> float:
        """The share of the workers' time in which they computed, at the pace of the simulation."""
        return self.ideal * self.slower / self.seconds

    @property
    def cautious(self) -> float:
        """The efficiency if no work of the scheduler overlapped with that of workers, at the pace of real calls."""
        return self.ideal / (self.ideal + self.scheduler_cpu)


def main() -> None:
    """Simulate every method and number of workers, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("workers", nargs="*", type=int, default=[100, 1000])
    parser.add_argument("--method", nargs="*", default=list(RATES), choices=list(RATES))
    parser.add_argument("--slots", type=int, default=10, help="calls that a worker object runs at a time")
    parser.add_argument("--slower", type=float, default=1.0)
    parser.add_argument("--terabytes", type=float, default=1.0)
    parser.add_argument("--call-megabytes", type=float, default=CALL_BYTES / 1e6)
    options = parser.parse_args()
    print("method         workers  calls  ideal s  run s  slower  sent KB  received KB  scheduler CPU s", end="")
    print("  client CPU s  efficiency  cautious", flush=True)
    for method in options.method:
        for n_workers in options.workers:
            n_bytes = options.call_megabytes * 1e6
            run = simulate(method, n_workers, options.terabytes * 1e12, n_bytes, options)
            print(
                f"{run.method:<13}  {run.workers:7}  {run.calls:5}  {run.ideal:7.1f}  {run.seconds:5.0f}  {run.slower:6g}"
                f"  {run.sent / 1e3:7.0f}  {run.received / 1e3:11.0f}  {run.scheduler_cpu:15.1f}  {run.client_cpu:12.1f}"
                f"  {run.efficiency:10.2f}  {run.cautious:8.2f}",
                flush=True,
            )


def simulate(method: str, n_workers: int, total: float, call_bytes: float, options: argparse.Namespace) -> Run:
    """Run all calls of a method on a cluster of this machine."""
    from assay.tasks import Shared, reduce_tasks

    n_calls, slower = int(total / call_bytes), options.slower
    seconds = call_bytes / RATES[method]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], **quiet) as scheduler:
        assert scheduler.stdout is not None
        address = scheduler.stdout.readline().strip()
        command = [sys.executable, "-c", WORKERS, address, str(-(-n_workers // options.slots)), str(options.slots)]
        with subprocess.Popen(command, cwd=ROOT, **quiet) as workers:
            try:
                assert workers.stdout is not None
                workers.stdout.readline()
                counted = count_messages()
                before = read_processor_time(scheduler.pid)
                client_before, started = time.process_time(), time.perf_counter()
                shared = Shared(np.zeros(1000))
                arguments = [
                    (f"/corpus/part-{number:06}.jsonl.zst", seconds * slower, shared) for number in range(n_calls)
                ]
                total_rows = reduce_tasks(sleep, arguments, merge, backend=f"dask={address}")
                elapsed = time.perf_counter() - started
                assert total_rows[0] == n_calls
                ideal = n_calls * seconds / n_workers
                cpu = read_processor_time(scheduler.pid) - before
                client = time.process_time() - client_before
                return Run(method, n_workers, n_calls, ideal, elapsed, slower, *counted, cpu, client)
            finally:
                workers.kill()
                scheduler.kill()


async def sleep(path: str, seconds: float, shared: np.ndarray) -> tuple[int, bytes]:  # noqa: ARG001
    """Take as long as the search of a file, and return a result of its size."""
    await asyncio.sleep(seconds)
    return 1, bytes(RESULT_BYTES)


def merge(parts: list[tuple[int, bytes]]) -> tuple[int, bytes]:
    """Add up."""
    return sum(count for count, _ in parts), parts[0][1]


def count_messages() -> list[int]:
    """Count the bytes that this process sends and receives over TCP from now on."""
    from distributed.comm import tcp

    counted = [0, 0]
    write, read = tcp.TCP.write, tcp.TCP.read

    async def count_write(self, message, *arguments, **options):
        n_bytes = await write(self, message, *arguments, **options)
        counted[0] += n_bytes or 0
        return n_bytes

    async def count_read(self, *arguments, **options):
        message = await read(self, *arguments, **options)
        counted[1] += len(json.dumps(message, default=lambda value: "." * getattr(value, "nbytes", len(repr(value)))))
        return message

    tcp.TCP.write, tcp.TCP.read = count_write, count_read
    return counted


def read_processor_time(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    import psutil

    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    from benchmarks import cluster_simulation  # workers import its functions by this name

    cluster_simulation.main()
