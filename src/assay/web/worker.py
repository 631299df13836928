"""The process that reads data or runs an audit: `python -m assay.web.worker preview|audit FOLDER`.

Its standard input stays open while the work is wanted. When it closes, an audit stops and keeps the finished sections.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.web.store import Entry


def main(task: str, folder: str) -> None:
    """Preview the data of an audit, or run it."""
    entry = Entry(Path(folder))
    if task == "preview":
        from assay.web.preview import preview_data

        entry.write("preview.json", preview_data(entry))
        return
    from assay.web.audit_run import run_audit
    from assay.web.cancellation import CancellationWatch

    run_audit(entry, CancellationWatch())


if __name__ == "__main__":
    main(*sys.argv[1:])
