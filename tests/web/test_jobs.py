"""Progress, cancelling, queueing, and audits whose server or worker ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from functools import partial
from itertools import count

import pytest

from assay.web.formatting import describe_progress
from assay.web.store import VersionStore
from assay.web.work.cancellation import CancellationWatch
from assay.web.work.jobs import Jobs, describe_exit, start_worker

SEEDS = count(10)
SLOW = {"depth": "quick", "sections": ["profile", "splits"], "seed": "0"}


@pytest.fixture
def running(client, small):
    """Return an audit that is in its second section."""
    audit = client.create()
    client.upload(audit, "data", "d.tsv", small(3000))
    client.post(f"{audit}/start", **{**SLOW, "seed": str(next(SEEDS))})
    until = time.monotonic() + 60
    while client.state(audit)["section"] != "splits" and time.monotonic() < until:
        time.sleep(0.05)
    return audit


def test_progress_names_the_section_and_stopping_keeps_finished_sections(client, running, monkeypatch):
    monkeypatch.setattr("assay.web.work.jobs.STOP_SECONDS", 60.0)  # a busy machine takes longer to leave a section
    now = client.state(running)
    assert (now["status"], now["section"], now["done"]) == ("running", "splits", ["profile"])
    assert now["message"].startswith("Split (2 of 2)")
    assert now["n_ended"] == 1
    assert client.get(f"{running}/partial").count('class="finding ') == now["n_findings"]
    assert re.fullmatch(r"\d+ s so far(, about \d+ s left)?", now["time"])
    page = client.get(running)
    assert 'aria-live="polite"' in page
    assert "Stop and keep finished sections" in page
    assert "is being audited" in client.post(f"{running}/delete", status=409)
    assert client.post(f"{running}/start", **SLOW) == running  # a second click changes nothing
    client.post(f"{running}/cancel")
    assert client.wait(running)["status"] == "cancelled"
    page = client.get(running)
    assert "It was stopped after 1 of 2 sections" in page
    assert "Stopped after 1 of 2 sections." in client.get("/")
    result = json.loads(client.get(f"{running}/output/audit.json"))["result"]
    assert {name: section["status"] for name, section in result["sections"].items()} == {
        "profile": "done",
        "splits": "skipped",
    }
    assert "Read the report" in page


def test_queued_audit_waits_and_can_be_cancelled(client, running, small):
    other = client.create()
    client.upload(other, "data", "e.tsv", small(12))
    client.post(f"{other}/start", **SLOW)
    assert client.state(other)["message"] == "Waiting: another audit is running."
    client.post(f"{other}/cancel")
    client.post(f"{running}/cancel")
    client.post(f"{running}/cancel")  # at once
    assert client.wait(other)["status"] == "cancelled"
    assert client.wait(running)["status"] == "cancelled"


def test_bundled_data_starts_with_one_button(client):
    audit = client.post("/demo")
    entry = client.server.store.get(audit.rpartition("/")[2])
    assert [(file["kind"], file["name"]) for file in entry.files()] == [
        ("data", "arct.tsv.gz"),
        ("predictions", "predictions.tsv.gz"),
    ]
    assert client.state(audit)["status"] in ("waiting", "running")
    client.post(f"{audit}/cancel")
    client.post(f"{audit}/cancel")
    client.wait(audit)


def test_a_worker_that_does_not_leave_its_section_is_ended(tmp_path, monkeypatch):
    entry = VersionStore(tmp_path).create()
    code = "import time; time.sleep(60)"
    monkeypatch.setattr(
        "assay.web.work.jobs.start_worker",
        lambda *_: subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE),
    )
    monkeypatch.setattr("assay.web.work.jobs.STOP_SECONDS", 0.2)
    jobs = Jobs()
    jobs.start(entry)
    while jobs.status(entry) == "waiting":
        time.sleep(0.01)
    thread = jobs._jobs[entry.id].thread
    jobs.cancel(entry)
    thread.join(30)
    assert jobs.status(entry) == "cancelled"
    assert "another run continues from there" in entry.read("outcome.json")["error"]


def test_audits_keep_finished_sections_when_the_server_stops(serving, small, tmp_path):
    with serving(tmp_path) as client:
        audit = client.create()
        client.upload(audit, "data", "d.tsv", small(3000))
        client.post(f"{audit}/start", **SLOW)
        client.wait(audit, "running")
    outcome = VersionStore(tmp_path).get(audit.rpartition("/")[2]).read("outcome.json")
    assert outcome["status"] == "cancelled"


def test_worker_ends_when_its_server_is_gone(small, tmp_path):
    entry = VersionStore(tmp_path).create(
        files=[{"kind": "data", "name": "d.tsv", "file": "data-1-aaaaaa.tsv", "bytes": 1}]
    )
    entry.path(entry.files()[0]).write_text(small(400))
    child = start_worker("audit", entry)
    child.stdin.close()
    assert child.wait(60) == 0
    assert entry.read("outcome.json")["status"] == "cancelled"


def test_worker_that_is_done_exits_cleanly(tmp_path):
    entry = VersionStore(tmp_path).create()
    with start_worker("audit", entry) as child:
        assert child.wait(60) == 0
    assert entry.read("outcome.json")["error"] == "There is no data yet. Choose a data file."


def test_audit_killed_with_its_server_is_shown_as_stopped(client, small, tmp_path):
    entry = client.server.store.create(name="d.tsv", started="2026-01-01T00:00:00+00:00")
    assert client.state(f"/versions/{entry.id}")["status"] == "stopped"
    assert "It was stopped before it ended." in client.get(f"/versions/{entry.id}")


def test_worker_without_outcome_is_a_failure_with_a_reason(tmp_path, monkeypatch):
    entry = VersionStore(tmp_path).create()
    monkeypatch.setattr(
        "assay.web.work.jobs.start_worker",
        lambda *_: subprocess.Popen([sys.executable, "-c", "import os; os._exit(3)"]),
    )
    jobs = Jobs()
    jobs.start(entry)
    jobs.stop()
    outcome = entry.read("outcome.json")
    assert outcome["status"] in ("failed", "cancelled")
    assert describe_exit(-9)["error"] == "The process was ended by signal 9. Is there enough memory for this file?"


def test_time_left_assumes_the_speed_so_far():
    noted = {"section": "splits", "share": 0.5, "elapsed": 10.0, "start": time.time() - 20}
    assert describe_progress("running", noted, ["profile", "splits"])["time"] == "20 s so far, about 20 s left"
    assert describe_progress("stopping", noted, ["profile", "splits"])["message"].startswith("Stopping")


def test_an_unexpected_error_of_a_job_is_one_line_to_report(tmp_path):
    from types import SimpleNamespace

    from assay.web.work.sources import write_error

    message = write_error(KeyError("x\x1b[2J\ny"), SimpleNamespace(files=list))
    assert message.startswith("This is a bug in assay ")
    assert "KeyError: 'x\\x1b[2J" in message


def test_a_dropped_interrupt_is_raised_at_the_next_step(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr("os.read", partial(lambda source, _, size: source(read, size), os.read))
    interrupted = threading.Event()
    monkeypatch.setattr("_thread.interrupt_main", interrupted.set)  # as in a callback, where Python drops it
    watch = CancellationWatch()
    watch.start()
    watch.check()
    os.close(write)
    assert interrupted.wait(30)
    with pytest.raises(KeyboardInterrupt):
        watch.check()
    watch.stop()
    watch.check()  # the results are being written
    os.close(read)
