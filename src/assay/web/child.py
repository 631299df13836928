"""The process that reads and measures: `python -m assay.web.child look|audit FOLDER`.

Its standard input stays open as long as it is wanted. When that ends, it interrupts itself and keeps what is done.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assay.web.shelf import Entry


def main(verb: str, folder: str) -> None:
    """Do one thing for one audit."""
    entry = Entry(Path(folder))
    if verb == "look":
        from assay.web.looking import look

        entry.write("look.json", look(entry))
        return
    from assay.web.auditing import run_audit
    from assay.web.lifeline import Lifeline

    run_audit(entry, Lifeline())


if __name__ == "__main__":
    main(*sys.argv[1:])
