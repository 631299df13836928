"""Worker processes of the page: one audit at a time, the others wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from assay.base.errors import AssayError
from assay.system.json import JsonObject
from assay.system.processes import make_child_environment
from assay.web.damage import is_damaged
from assay.web.store import Version, current_time

PREVIEW_SECONDS = 600
STOP_SECONDS = 1.5  # a worker that must stop may take so long to leave its section
STOPPED = "Stopped inside a section. Finished sections are kept: another run continues from there."
_PREVIEW_LOCK = threading.Lock()


@dataclass
class Job:
    """An audit that is waiting or running."""

    version: Version
    process: subprocess.Popen[bytes] | None = None
    cancelled: bool = False
    thread: threading.Thread = field(default_factory=threading.Thread)


class Jobs:
    """Start, watch and stop audits."""

    def __init__(self) -> None:
        """Start without jobs."""
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._turn = threading.Semaphore(1)

    def start(self, version: Version) -> None:
        """Start an audit, or queue it; a running one is left alone."""
        with self._lock:
            if version.id in self._jobs:
                return
            version.start_run()
            job = self._jobs[version.id] = Job(version)
        job.thread = threading.Thread(target=self._run, args=(job,), daemon=True)
        job.thread.start()

    def cancel(self, version: Version) -> None:
        """Stop an audit and keep its finished sections; a second call stops it at once."""
        with self._lock:
            job = self._jobs.get(version.id)
            if job is None:
                return
            second, job.cancelled = job.cancelled, True
            if job.process is None:
                return
            if second:
                kill_worker(job.process)
            elif job.process.stdin is not None:
                job.process.stdin.close()
                timer = threading.Timer(STOP_SECONDS, self._kill_if_busy, args=(job,))
                timer.daemon = True
                timer.start()

    def _kill_if_busy(self, job: Job) -> None:
        """End a worker that has not left its section; finished work is in the cache."""
        if job.process is not None and job.process.poll() is None and job.version.read("outcome.json") is None:
            kill_worker(job.process)

    def status(self, version: Version) -> str:
        """Return new, waiting, running, stopping, done, cancelled, failed, stopped or damaged."""
        with self._lock:
            job = self._jobs.get(version.id)
        if job is not None:
            return "stopping" if job.cancelled else "waiting" if job.process is None else "running"
        outcome = version.read("outcome.json")
        if outcome is not None and outcome.get("status") in ("done", "cancelled", "failed"):
            return str(outcome["status"])
        if is_damaged(version.folder / "outcome.json") or version.is_damaged:
            return "damaged"
        return "stopped" if version.record().get("started") else "new"

    def active_versions(self) -> list[Version]:
        """Return the audits that are waiting or running."""
        with self._lock:
            return [job.version for job in self._jobs.values()]

    def stop(self, timeout: float = 20.0) -> None:
        """Stop all audits; those that end before the timeout keep their finished sections."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            self.cancel(job.version)
        for job in jobs:
            job.thread.join(timeout)
            if job.thread.is_alive():
                self.cancel(job.version)

    def _run(self, job: Job) -> None:
        try:
            with self._turn:
                status = self._wait_for_worker(job)
            if job.version.read("outcome.json") is None and job.version.folder.is_dir():
                with suppress(AssayError, OSError):  # a full disk, or a version that was deleted
                    job.version.write("outcome.json", describe_exit(status, cancelled=job.cancelled))
        finally:
            with self._lock:
                del self._jobs[job.version.id]

    def _wait_for_worker(self, job: Job) -> int:
        with self._lock:
            if job.cancelled:
                return 0
            job.process = start_worker("audit", job.version)
        with job.process as worker:  # closes its input, if that is still open
            return worker.wait()


def kill_worker(process: subprocess.Popen[bytes]) -> None:
    """End a worker at once, with the processes that it started."""
    if os.name == "posix":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.kill()
    else:
        process.kill()


def start_worker(task: str, version: Version) -> subprocess.Popen[bytes]:
    """Start a worker process; it ends when this process has ended."""
    command = [sys.executable, "-P", "-m", "assay.web.work.worker", task, str(version.folder.resolve())]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=make_child_environment(),
        start_new_session=True,  # Ctrl-C goes to the server, which then stops its workers
    )


def load_preview(version: Version) -> JsonObject:
    """Return the preview of the data, and make it first if there is none."""
    with _PREVIEW_LOCK:  # one at a time: each may hold a large file
        preview, status = version.read("preview.json"), 0
        if preview is None:
            status = run_worker("preview", version)
            preview = version.read("preview.json")
        if preview is not None:
            version.set_kinds(preview.get("kinds") or {})
    return preview or {"columns": [], "error": describe_exit(status)["error"]}


def make_repair(version: Version) -> JsonObject:
    """Repair the data of a version, and return the summary."""
    with _PREVIEW_LOCK:
        status = run_worker("repair", version)
    return version.read("repair.json") or {"error": describe_exit(status)["error"]}


def draw_review(version: Version) -> str | None:
    """Draw a batch of items to review, and return the error if that was not possible."""
    with _PREVIEW_LOCK:
        status = run_worker("review", version)
    if status:
        return str(describe_exit(status)["error"])
    return (version.read("review.json") or {}).get("error")


def apply_suppressions(version: Version) -> str | None:
    """Draw the conclusions of a version again, and return the error if that was not possible."""
    with _PREVIEW_LOCK:
        status = run_worker("apply", version)
    outcome = version.read("applied.json") or describe_exit(status)
    return outcome["error"]


def run_worker(task: str, version: Version) -> int:
    """Run a worker process to its end, and return its exit status."""
    with start_worker(task, version) as worker:
        try:
            return worker.wait(PREVIEW_SECONDS)
        except subprocess.TimeoutExpired:
            kill_worker(worker)
            return worker.wait()


def describe_exit(status: int, *, cancelled: bool = False) -> JsonObject:
    """Return the outcome of a process that wrote none."""
    if cancelled:
        return {"status": "cancelled", "error": STOPPED, "finished": current_time()}
    reason = f"by signal {-status}" if status < 0 else f"with status {status}"
    error = f"The process was ended {reason}. Is there enough memory for this file?"
    return {"status": "failed", "error": error, "finished": current_time()}
