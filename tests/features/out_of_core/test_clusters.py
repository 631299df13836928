"""The same result on a Dask and on a Ray cluster, where a worker or the client is killed half-way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import polars as pl
import pytest
from tests.features.out_of_core.test_same_numbers import cut, make_rows

import assay
from assay.features.out_of_core.profiling import profile_shards
from assay.features.out_of_core.sources import find_shards

N_SHARDS = 8
WAIT_SECONDS = 120
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shards")
    cut(make_rows(1600, 11), folder, n_shards=N_SHARDS)
    return folder


@pytest.fixture(scope="module")
def expected(shards):
    return write_json(profile_shards(find_shards(shards)))


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "processes": True}
    with distributed.LocalCluster(**options) as cluster:
        yield cluster


def write_json(profile) -> str:
    return json.dumps(profile.to_dict())


def wait_for_entries(folder, n: int) -> None:
    """Wait until so many tasks are finished."""
    limit = time.monotonic() + WAIT_SECONDS
    while sum(1 for _ in folder.rglob("*.entry")) < n:
        assert time.monotonic() < limit, "no task was finished in time"
        time.sleep(0.01)


def test_a_dask_cluster_whose_worker_is_killed_gives_the_same_profile(shards, expected, cluster, tmp_path):
    backend = f"dask={cluster.scheduler_address}"
    victim = next(iter(cluster.workers.values())).process.pid

    def kill_worker() -> None:
        wait_for_entries(tmp_path, 2)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill_worker)
    killer.start()
    result = profile_shards(find_shards(shards), backend=backend, cache=tmp_path)
    killer.join()
    assert write_json(result) == expected


def test_a_killed_client_continues_from_finished_shards(shards, expected, cluster, tmp_path):
    backend = f"dask={cluster.scheduler_address}"
    command = [sys.executable, "-m", "assay", "profile", str(shards), "--out-of-core", "--cache", str(tmp_path)]
    with subprocess.Popen([*command, "--backend", backend, "--json", str(tmp_path / "out.json")]) as client:
        wait_for_entries(tmp_path, 3)
        client.kill()
    entries = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.entry")}
    assert not (tmp_path / "out.json").exists()
    assert write_json(profile_shards(find_shards(shards), backend=backend, cache=tmp_path)) == expected
    assert {path: path.stat().st_mtime_ns for path in entries} == entries  # nothing that was finished ran again


def test_contamination_on_dask(shards, cluster):
    texts = pl.concat([pl.read_parquet(path) for path in sorted(shards.glob("*.parquet"))])["text"]
    data = {"text": [text for text in texts.to_list() if len(text.split()) > 20][:50]}
    here = assay.find_contamination(data, shards)
    there = assay.find_contamination(data, shards, backend=f"dask={cluster.scheduler_address}")
    assert here == there
    assert here.contaminated == 50


RAY_SCRIPT = """
import json, os, signal, subprocess, sys, time
from pathlib import Path
import ray
try:
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000, log_to_driver=False)
except Exception as error:  # a plain Exception where Ray's own processes are too slow to start
    sys.exit(f"Ray did not start: {error}")
from assay.features.out_of_core.sources import find_shards
from assay.features.out_of_core.profiling import profile_shards
from assay.tasks import run_tasks

shards, folder, second = sys.argv[1:]

def fail_once(number):
    mark = os.path.join(folder, "killed")
    if number == 2 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number

again = run_tasks(fail_once, [(number,) for number in range(6)], backend="ray=auto")
profile = profile_shards(find_shards(shards), backend="ray=auto", cache=folder)

out, address = Path(second) / "out.json", ray.get_runtime_context().gcs_address
command = [sys.executable, "-m", "assay", "profile", shards, "--out-of-core", "--cache", second]
with subprocess.Popen([*command, "--backend", f"ray={address}", "--json", str(out)]) as client:
    limit = time.monotonic() + 120
    while len(entries := list(Path(second).rglob("*.entry"))) < 3:
        assert client.poll() is None and time.monotonic() < limit, "no task was finished in time"
        time.sleep(0.01)
    client.kill()
assert not out.exists()
times = {str(path): path.stat().st_mtime_ns for path in entries}
continued = profile_shards(find_shards(shards), backend="ray=auto", cache=second)
unchanged = times == {path: Path(path).stat().st_mtime_ns for path in times}
ray.shutdown()
print(json.dumps([again, profile.to_dict(), continued.to_dict(), unchanged]))
"""


def test_a_ray_cluster_whose_worker_or_client_is_killed_gives_the_same_profile(shards, expected, tmp_path):
    pytest.importorskip("ray")
    folders = [tmp_path / "worker", tmp_path / "client"]
    for folder in folders:
        folder.mkdir()
    run = subprocess.run(
        [sys.executable, "-c", RAY_SCRIPT, str(shards), *map(str, folders)], check=False, capture_output=True, text=True
    )
    if "Ray did not start" in run.stderr:
        pytest.skip("Ray did not start on this machine")
    assert run.returncode == 0, run.stderr
    again, profile, continued, unchanged = json.loads(run.stdout.splitlines()[-1])
    assert again == list(range(6))
    assert json.dumps(profile) == expected
    assert json.dumps(continued) == expected
    assert unchanged  # nothing that the killed client had finished ran again
