"""How a process learns that nobody wants its work any more."""

from __future__ import annotations

import _thread
import os
import threading


class Lifeline:
    """Interrupt the main thread when standard input ends: the user cancelled, or the server is gone."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        self._wanted = True
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Watch from now on."""
        threading.Thread(target=self._watch, daemon=True).start()

    def cut(self) -> None:
        """Interrupt no more: what is there is to be written, whatever the user does."""
        with self._lock:
            self._wanted = False

    def _watch(self) -> None:
        while os.read(0, 1024):  # a buffered read would hold a lock that Python wants when it ends
            pass
        with self._lock:
            if self._wanted:
                _thread.interrupt_main()
