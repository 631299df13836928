"""Stop an audit when its budget of time is spent, also in the middle of a section."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from types import TracebackType


class Deadline:
    """Interrupt the main thread after some seconds; `is_over` then tells this apart from a user's interrupt.

    Elsewhere than in the main thread nothing is interrupted, and the deadline is checked between sections only.
    """

    def __init__(self, seconds: float | None) -> None:
        """Create a deadline so many seconds from now; None for none."""
        self._end = None if seconds is None else time.monotonic() + seconds
        self._active = False
        self._fired = False
        self._lock = threading.Lock()

    @property
    def is_over(self) -> bool:
        """Whether the time is spent."""
        return self._end is not None and time.monotonic() >= self._end

    def __enter__(self) -> Deadline:
        """Start to watch the time."""
        if self._end is not None and threading.current_thread() is threading.main_thread():
            self._active = True
            # A process in the background of a script ignores interrupts, and would ignore this one.
            self._handler = signal.getsignal(signal.SIGINT)
            if self._handler in (signal.SIG_IGN, signal.SIG_DFL):
                signal.signal(signal.SIGINT, signal.default_int_handler)
            timer = threading.Timer(max(0.0, self._end - time.monotonic()), self._interrupt)
            timer.daemon = True
            timer.start()
            self._timer = timer
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop to watch, and take back an interrupt that has not arrived."""
        with self._lock:
            watched, self._active = self._active, False
        if watched:
            self._timer.cancel()
        if self._fired and kind is not KeyboardInterrupt:
            time.sleep(0.05)  # a pending interrupt is raised here, inside the caller's try
        if watched and self._handler in (signal.SIG_IGN, signal.SIG_DFL):
            signal.signal(signal.SIGINT, self._handler)

    def _interrupt(self) -> None:
        with self._lock:
            if self._active:
                self._fired = True
                _thread.interrupt_main()
