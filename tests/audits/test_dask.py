"""The tasks of an audit on a real Dask scheduler with two worker processes."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from assay.audits import audit
from assay.base.codec import to_json

distributed = pytest.importorskip("distributed")
SECTIONS = ["splits", "discrimination"]  # those whose work is tasks of several models and folds


@pytest.fixture(scope="module")
def cluster():
    """Start a scheduler and two worker processes, watched by nannies, with no dashboard."""
    import logging

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options, silence_logs=logging.CRITICAL) as started:
        yield started


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # distributed warns of lost workers, which is the point
def test_a_dask_cluster_gives_the_same_json_also_when_a_worker_dies(made, cluster):
    data = made(300)
    alone = to_json(audit(data, only=SECTIONS).to_dict())
    backend = f"dask={cluster.scheduler_address}"
    assert to_json(audit(data, only=SECTIONS, backend=backend).to_dict()) == alone

    killed = []
    with distributed.Client(cluster.scheduler_address) as client:

        def kill_a_busy_worker():
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                busy = [address for address, tasks in client.processing().items() if tasks]
                if busy:
                    pid = client.run(os.getpid, workers=busy[:1])[busy[0]]
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)
                    return
                time.sleep(0.01)

        watcher = threading.Thread(target=kill_a_busy_worker)
        watcher.start()
        survived = to_json(audit(data, only=SECTIONS, backend=backend).to_dict())
        watcher.join()
    assert len(killed) == 1
    assert survived == alone
