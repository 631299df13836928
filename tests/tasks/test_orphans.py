"""Worker processes and their trackers end when the process that started them ends, at whatever moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

CODE = """
import time
from assay.tasks import run_tasks

def wait(number):
    time.sleep(600)

run_tasks(wait, [(0,), (1,)], n_jobs=2)
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def find_processes(mark):
    """Return the running processes that have a mark in their environment."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*") if has_mark(path, mark)]


def has_mark(path, mark):
    try:
        is_marked = mark.encode() in (path / "environ").read_bytes()
        return is_marked and "Z" not in (path / "stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("n_children", [1, 2, 4])  # the trackers, then the workers
def test_nothing_is_left_when_workers_are_starting(number, n_children):
    mark = f"test-orphans-{uuid.uuid4().hex}"
    environment = {**os.environ, "ASSAY_TEST_MARK": mark}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", CODE], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert wait_until(lambda: len(find_processes(mark)) > n_children)
    process.send_signal(number)
    process.wait()
    assert wait_until(lambda: not find_processes(mark), seconds=60)


def test_sigterm_keeps_the_finished_sections(tmp_path):
    (tmp_path / "data.tsv").write_text("text\tlabel\n" + "".join(f"text number {n}\t{n % 2}\n" for n in range(60)))
    mark = f"test-orphans-{uuid.uuid4().hex}"
    command = [sys.executable, "-m", "assay", "audit", "data.tsv", "--only", "profile,information"]
    environment = {**os.environ, "ASSAY_TEST_MARK": mark}
    with subprocess.Popen(
        [*command, "--jobs", "2", "--no-cache", "--json", "audit.json"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert wait_until(lambda: len(find_processes(mark)) > 1)  # the workers of the second section
        process.send_signal(signal.SIGTERM)
        output = process.communicate(timeout=120)[0]
    assert process.returncode == 143, output
    assert "Interrupted: finished sections are kept" in output
    assert (tmp_path / "audit.json").stat().st_size > 1000
    assert wait_until(lambda: not find_processes(mark), seconds=60)
