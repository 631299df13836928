"""Processes at work for the page: one audit at a time, the others wait."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import Any

from assay.web.shelf import Entry, now

LOOK_SECONDS = 600
_LOOKING = threading.Lock()


@dataclass
class Job:
    """An audit that waits or runs."""

    entry: Entry
    process: subprocess.Popen[bytes] | None = None
    cancelled: bool = False
    thread: threading.Thread = field(default_factory=threading.Thread)


class Jobs:
    """Start, watch and stop audits."""

    def __init__(self) -> None:
        """Begin with none."""
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._turn = threading.Semaphore(1)

    def start(self, entry: Entry) -> None:
        """Start an audit, or let it wait for its turn; one that is at work goes on."""
        with self._lock:
            if entry.id in self._jobs:
                return
            entry.begin()
            job = self._jobs[entry.id] = Job(entry)
        job.thread = threading.Thread(target=self._run, args=(job,), daemon=True)
        job.thread.start()

    def cancel(self, entry: Entry) -> None:
        """Stop an audit and keep what is done; asked again, stop it at once."""
        with self._lock:
            job = self._jobs.get(entry.id)
            if job is None:
                return
            again, job.cancelled = job.cancelled, True
            if job.process is None:
                return
            if again:
                job.process.kill()
            elif job.process.stdin is not None:
                job.process.stdin.close()

    def status(self, entry: Entry) -> str:
        """Tell where an audit stands: new, waiting, running, stopping, done, cancelled, failed or stopped."""
        with self._lock:
            job = self._jobs.get(entry.id)
        if job is not None:
            return "stopping" if job.cancelled else "waiting" if job.process is None else "running"
        outcome = entry.json("outcome.json")
        if outcome is not None and outcome.get("status") in ("done", "cancelled", "failed"):
            return str(outcome["status"])
        return "stopped" if entry.about().get("started") else "new"

    def at_work(self) -> list[Entry]:
        """Return the audits that wait or run."""
        with self._lock:
            return [job.entry for job in self._jobs.values()]

    def stop(self, patience: float = 20.0) -> None:
        """Stop all; what is done is kept, by those that end in time."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            self.cancel(job.entry)
        for job in jobs:
            job.thread.join(patience)
            if job.thread.is_alive():
                self.cancel(job.entry)

    def _run(self, job: Job) -> None:
        try:
            with self._turn:
                status = self._worked(job)
            if job.entry.json("outcome.json") is None and job.entry.folder.is_dir():
                job.entry.write("outcome.json", ended(status, cancelled=job.cancelled))
        finally:
            with self._lock:
                del self._jobs[job.entry.id]

    def _worked(self, job: Job) -> int:
        with self._lock:
            if job.cancelled:
                return 0
            job.process = process("audit", job.entry)
        with job.process as child:  # which closes its input, if nobody did
            return child.wait()


def process(verb: str, entry: Entry) -> subprocess.Popen[bytes]:
    """Start a child that reads or measures; it ends by itself when this process is gone."""
    command = [sys.executable, "-P", "-m", "assay.web.child", verb, str(entry.folder.resolve())]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the server, which then tells its children
    )


def looked(entry: Entry) -> dict[str, Any]:
    """Return what a first look at the data saw, looking where nobody has."""
    with _LOOKING:  # one at a time: each may hold a large file
        seen = entry.json("look.json")
        if seen is not None:
            return seen
        with process("look", entry) as child:
            try:
                status = child.wait(LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                child.kill()
                status = child.wait()
    return entry.json("look.json") or {"columns": [], "error": ended(status)["error"]}


def ended(status: int, *, cancelled: bool = False) -> dict[str, Any]:
    """Return the outcome of a process that left none."""
    if cancelled:
        return {"status": "cancelled", "error": "Stopped before anything was written.", "finished": now()}
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    error = f"The process was ended {how}. Is there enough memory for this file?"
    return {"status": "failed", "error": error, "finished": now()}
