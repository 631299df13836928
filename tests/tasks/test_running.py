from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from assay.base.errors import AssayError, UsageError
from assay.tasks import Shared, TaskCache, reduce_tasks, run_tasks, seeds


def drawn(number, seed):
    time.sleep(0.02 * (number % 3))
    return number, float(np.random.default_rng(seed).normal())


def counted(number, folder):
    (folder / f"{number}-{time.monotonic_ns()}").touch()
    return number * 10


def failing(number):
    if number == 2:
        raise AssayError("number 2 cannot be done.")
    return number


TASKS = list(enumerate(seeds(0, 8)))


@pytest.mark.parametrize(("n_jobs", "backend"), [(2, None), (2, "threads"), (2, "loky"), (1, "threads")])
def test_results_come_in_order_and_the_same_whatever_runs_them(n_jobs, backend):
    assert run_tasks(drawn, TASKS, n_jobs=n_jobs, backend=backend) == run_tasks(drawn, TASKS)


def test_finished_tasks_are_not_run_again(tmp_path):
    ran = tmp_path / "ran"
    ran.mkdir()
    tasks = [(number, ran) for number in range(4)]
    first = run_tasks(counted, tasks[:2], cache=tmp_path / "kept")
    again = run_tasks(counted, tasks, cache=tmp_path / "kept")
    assert (first, again) == ([0, 10], [0, 10, 20, 30])
    assert len(list(ran.iterdir())) == 4


def test_a_damaged_entry_is_computed_again(tmp_path):
    run_tasks(max, [(1, 2)], cache=tmp_path)
    for entry in tmp_path.rglob("*.entry"):
        entry.write_bytes(entry.read_bytes()[:3])
    assert run_tasks(max, [(1, 2)], cache=tmp_path) == [2]


def test_tasks_differ_by_function_and_by_arguments(tmp_path):
    cache = TaskCache(tmp_path)
    keys = {cache.key(max, (1, 2)), cache.key(min, (1, 2)), cache.key(max, (1, 3)), cache.key(max, (np.arange(3),))}
    assert len(keys) == 4
    assert cache.key(max, (np.arange(3), "a")) == cache.key(max, (np.arange(3), "a"))


def test_an_error_of_a_task_comes_through_and_what_was_done_is_kept(tmp_path):
    with pytest.raises(AssayError, match="number 2 cannot be done"):
        run_tasks(failing, [(0,), (1,), (2,)], cache=tmp_path)
    assert len(list(tmp_path.rglob("*.entry"))) == 2
    with pytest.raises(AssayError, match="number 2 cannot be done"):
        run_tasks(failing, [(0,), (1,), (2,)], n_jobs=2, backend="threads")


def test_a_killed_run_leaves_no_half_entry_and_goes_on_where_it_stopped(tmp_path):
    code = f"""
import time, pathlib
from assay.tasks import run_tasks
def slow(number):
    time.sleep(0.05)
    return [number] * 100_000
run_tasks(slow, [(number,) for number in range(1000)], cache=pathlib.Path({str(tmp_path)!r}))
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    while len(list(tmp_path.rglob("*.entry"))) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    cache = TaskCache(tmp_path)
    entries = [path.parent.name + path.stem for path in tmp_path.rglob("*.entry")]
    assert all(cache.load(key)[0] for key in entries)


def test_ctrl_c_ends_it_at_once(tmp_path):
    code = f"""
import time, pathlib
from assay.tasks import run_tasks
def slow(number, path):
    (pathlib.Path(path) / str(number)).touch()
    time.sleep(60)
run_tasks(slow, [(number, {str(tmp_path)!r}) for number in range(4)], n_jobs=2)
"""
    # A shell that starts the tests in the background makes processes ignore Ctrl-C.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)" + code
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, start_new_session=True)
    while len(list(tmp_path.iterdir())) < 2:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in error


def test_workers_end_when_the_parent_is_killed(tmp_path):
    code = f"""
import os, time, pathlib
from assay.tasks import run_tasks
def slow(number, path):
    (pathlib.Path(path) / str(os.getpid())).touch()
    time.sleep(600)
run_tasks(slow, [(number, {str(tmp_path)!r}) for number in range(2)], n_jobs=2)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    while len(list(tmp_path.iterdir())) < 2:
        time.sleep(0.05)
    workers = [int(path.name) for path in tmp_path.iterdir()]
    process.kill()
    process.wait()
    for _ in range(600):
        alive = [worker for worker in workers if is_running(worker)]
        if not alive:
            break
        time.sleep(0.1)
    assert not alive


def is_running(process):
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


def test_unknown_back_ends_are_named():
    with pytest.raises(UsageError, match=r"No back end 'proceses'\. Did you mean 'processes'"):
        run_tasks(max, [(1, 2)], backend="proceses", n_jobs=2)


def test_forked_processes_are_refused():
    with pytest.raises(UsageError, match="No back end 'multiprocessing'"):
        run_tasks(max, [(1, 2)], backend="multiprocessing", n_jobs=2)


def test_no_jobs_is_an_error():
    with pytest.raises(UsageError, match="n_jobs is 0"):
        run_tasks(max, [(1, 2)], n_jobs=0)


def test_dask_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(AssayError, match=r'needs distributed: pip install "benchassay\[dask\]"'):
        run_tasks(max, [(1, 2)], backend="dask=tcp://127.0.0.1:1")


def test_seeds_do_not_depend_on_how_many_are_spawned():
    few, many = seeds(3, 2), seeds(3, 9)
    assert [seed.generate_state(2).tolist() for seed in few] == [seed.generate_state(2).tolist() for seed in many[:2]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_results():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False
    ) as cluster:
        assert run_tasks(drawn, TASKS, backend=f"dask={cluster.scheduler_address}") == run_tasks(drawn, TASKS)


def add_to(total, numbers):
    numbers[0] += total  # shared arrays may be written, which no other task sees in another process
    return type(numbers).__name__, int(numbers.sum())


def test_shared_values_reach_worker_processes_once_and_may_be_written(tmp_path):
    tasks = [(1, Shared(np.arange(5))) for _ in range(2)]
    assert run_tasks(add_to, tasks, n_jobs=2) == [("ndarray", 11)] * 2
    large = Shared((np.arange(3), {"a": 1}))
    assert run_tasks(len, [(large,), (large,)], n_jobs=2, cache=tmp_path) == [2, 2]
    assert len(list(tmp_path.rglob("*.entry"))) == 1  # the same task twice


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_are_merged_in_order_whatever_runs_them(n_jobs):
    tasks = [(number,) for number in range(40)]
    assert reduce_tasks(list_one, tasks, join_lists, n_jobs=n_jobs) == list(range(40))


def list_one(number):
    time.sleep(0.001 * (number % 3))
    return [number]


def join_lists(parts):
    return [value for part in parts for value in part]
