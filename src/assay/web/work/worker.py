"""The process that reads data, audits, draws items to review or repairs: `python -m assay.web.work.worker TASK FOLDER`.

Its standard input stays open while the work is wanted. When it closes, an audit stops and keeps the finished sections.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from assay.system.processes import obey_parent
from assay.web.store import Version


def main(task: str, folder: str) -> None:
    """Carry out a task on a version."""
    version = Version(Path(folder))
    if task != "audit":  # which sees that its input closes, and keeps the finished sections
        obey_parent()
    if task == "preview":
        write_preview(version)
    elif task == "repair":
        from assay.web.work.repair_run import run_repair

        run_repair(version)
    elif task == "review":
        from assay.web.work.review_run import run_review

        run_review(version)
    elif task == "apply":
        from assay.web.work.applying import apply_suppressions

        apply_suppressions(version)
    else:
        from assay.web.work.audit_run import run_audit
        from assay.web.work.cancellation import CancellationWatch

        run_audit(version, CancellationWatch())


def write_preview(version: Version) -> None:
    """Recognise the files, and preview the data."""
    from assay.web.work.preview import preview_data, recognise_files

    kinds = recognise_files(version)
    known = replace(version, kinds=kinds)  # the server, which alone writes the record, adds them to it
    version.write("preview.json", {**preview_data(known), "kinds": kinds})


if __name__ == "__main__":
    main(*sys.argv[1:])
