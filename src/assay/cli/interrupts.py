"""SIGTERM ends a command as Ctrl-C does: finished work is kept."""

from __future__ import annotations

import os
import signal
from types import FrameType

_received: list[int] = []


def catch_termination() -> None:
    """Turn the first SIGTERM into an interrupt; a second one ends the process at once."""
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        owner = os.getpid()

        def interrupt(number: int, frame: FrameType | None) -> None:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            if os.getpid() != owner:  # a forked worker, which has nothing to keep
                os.kill(os.getpid(), number)
            _received.append(number)
            signal.default_int_handler(signal.SIGINT, frame)

        signal.signal(signal.SIGTERM, interrupt)


def raise_dropped_interrupt() -> None:
    """Interrupt the caller if SIGTERM has come: Python drops an interrupt in callbacks of imports and of its collector."""
    if _received:
        raise KeyboardInterrupt


def get_interrupt_status() -> int:
    """Return the exit status of an interrupted command, as a shell has it: 128 and the number of the signal.

    >>> get_interrupt_status()
    130
    """
    return 128 + (_received[0] if _received else signal.SIGINT)
