"""One audit in a process of its own, with the same calls and the same files as on the command line."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.base.codec import to_json, to_plain
from assay.base.errors import AssayError
from assay.base.files import open_for_writing
from assay.base.results import wrap_result
from assay.web.cancellation import CancellationWatch
from assay.web.sources import read_data, read_score_table, read_systems, write_error
from assay.web.store import Entry, current_time

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.data import Dataset

DEFAULT_OPTIONS: dict[str, Any] = {"quick": True, "sections": [], "seed": 0, "private": False, "ignore": []}


def run_audit(entry: Entry, watch: CancellationWatch) -> None:
    """Run the audit, write its files, and record the outcome: done, cancelled or failed."""
    start = time.monotonic()
    try:
        watch.start()
        data, result = audit_files(entry, watch)
        outcome = {**summarise_audit(result), "notes": []}
        if result.settings.interrupted:  # the server sees that the section was left, and waits for the files
            entry.write("outcome.json", {**outcome, "finished": current_time(), "seconds": time.monotonic() - start})
        outcome["notes"] = write_outputs(entry, data, result)
    except KeyboardInterrupt:
        outcome = {"status": "cancelled", "error": "Stopped before anything was measured."}
    except Exception as error:  # the page shows one line, whatever went wrong
        outcome = {"status": "failed", "error": write_error(error, entry)}
    entry.write("outcome.json", {**outcome, "finished": current_time(), "seconds": time.monotonic() - start})


def audit_files(entry: Entry, watch: CancellationWatch) -> tuple[Dataset, Audit]:
    """Read the files and audit them, recording the progress."""
    from assay.audits import audit

    options = {**DEFAULT_OPTIONS, **(entry.record().get("options") or {})}
    start = time.time()

    def record_progress(section: str, share: float) -> None:
        if not section:  # everything is measured
            watch.stop()
        name, _, step = section.partition(": ")
        progress = {"section": name or "writing", "step": step, "share": share, "start": start}
        progress["elapsed"] = time.time() - start
        entry.write("progress.json", progress)

    record_progress("reading", 0.0)
    data = read_data(entry)
    result = audit(
        data,
        read_systems(entry, data),
        read_score_table(entry),
        quick=options["quick"],
        only=options["sections"] or None,
        private=options["private"],
        ignore=options["ignore"],
        cache=True,
        random_state=options["seed"],
        progress=record_progress,
    )
    return data, name_uploaded_file(entry, result)


def name_uploaded_file(entry: Entry, result: Audit) -> Audit:
    """Name the file of the data as its owner does; the store keeps it under another name."""
    files = entry.files("data")
    if result.data.file is None or len(files) != 1:
        return result
    return replace(result, data=replace(result.data, file=files[0]["name"]))


def write_outputs(entry: Entry, data: Dataset, result: Audit) -> list[str]:
    """Write every output file, and return notes on the folds."""
    from assay.audits.outputs import write_items, write_recommended_folds
    from assay.report import render_page, write_card

    settings = result.settings
    call = {"quick": settings.quick, "private": settings.private or None, "seed": settings.seed}
    write_file(entry, "audit.json", to_json(wrap_result("audit", result, call, data)))
    write_file(entry, "report.html", render_page(result))
    write_file(entry, "card.md", write_card(result))
    if result.items is not None:  # always so for a new audit
        for name in ("items.tsv", "items.parquet"):
            write_items(entry.folder / name, result.items)
    if settings.interrupted:
        return ["No folds are recommended by an audit that was stopped."]
    try:
        note = write_recommended_folds(entry.folder / "folds.tsv", data, settings.seed)
        return [note.replace(f"{entry.folder / 'folds.tsv'}: ", "Folds: ")]
    except AssayError as error:
        return [write_error(error, entry)]


def write_file(entry: Entry, name: str, content: str) -> None:
    """Write a file completely or not at all."""
    with open_for_writing(entry.folder / name) as file:
        file.write(content)


def summarise_audit(result: Audit) -> dict[str, Any]:
    """Return what the list of audits and the page of one audit show."""
    from assay.report.content import count_items

    return {
        "status": "cancelled" if result.settings.interrupted else "done",
        "error": None,
        "verdict": result.verdict,
        "severities": dict(Counter(finding.severity for finding in result.findings)),
        "sections": {name: [section.status, section.reason] for name, section in result.sections.items()},
        "rows": result.data.rows,
        "size": count_items(result.data),
        "items": to_plain(result.items_summary),
        "systems": len(result.settings.systems),
    }
