"""The process that reads and measures: `python -m assay.web.child look|audit FOLDER`.

Its standard input stays open as long as it is wanted. When that ends, because the user cancelled or
the server is gone, it interrupts itself and keeps what is done.
"""

from __future__ import annotations

import _thread
import sys
import threading
from pathlib import Path

from assay.web.shelf import Entry


class Lifeline:
    """Interrupt the main thread when standard input ends, until it is cut."""

    def __init__(self) -> None:
        """Watch from now on."""
        self._wanted = True
        self._lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def cut(self) -> None:
        """Interrupt no more."""
        with self._lock:
            self._wanted = False

    def _watch(self) -> None:
        sys.stdin.buffer.read()
        with self._lock:
            if self._wanted:
                _thread.interrupt_main()


def main(verb: str, folder: str) -> None:
    """Do one thing for one audit."""
    entry = Entry(Path(folder))
    if verb == "look":
        from assay.web.looking import look

        entry.write("look.json", look(entry))
        return
    from assay.web.auditing import run_audit

    run_audit(entry, Lifeline().cut)


if __name__ == "__main__":
    main(*sys.argv[1:])
