"""How a worker process learns that its audit was cancelled."""

from __future__ import annotations

import _thread
import os
import threading


class CancellationWatch:
    """Interrupt the main thread when standard input closes: the user cancelled, or the server has ended.

    Python drops an interrupt that arrives in a callback of the garbage collector or of the import system, so the main
    thread also calls `check` between its steps.
    """

    def __init__(self) -> None:
        """Create a watch that has not started."""
        self._active = True
        self._cancelled = False
        self._lock = threading.Lock()

    def start(self) -> None:
        """Watch standard input in a thread."""
        threading.Thread(target=self._watch, daemon=True).start()

    def stop(self) -> None:
        """Interrupt no more, so that the results can be written."""
        with self._lock:
            self._active = False

    def check(self) -> None:
        """Interrupt the caller if the work was cancelled."""
        if self._cancelled and self._active:
            raise KeyboardInterrupt

    def _watch(self) -> None:
        while os.read(0, 1024):  # a buffered read would hold a lock that Python needs to exit
            pass
        with self._lock:
            self._cancelled = True
            if self._active:
                _thread.interrupt_main()
