"""Times, sizes and progress in words."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from assay.report.sections import SECTION_VIEWS

_STATES = {
    "waiting": "Waiting: another audit is at work.",
    "stopping": "Stopping, and keeping what is done. This can take a moment.",
}


def progress_words(status: str, noted: dict[str, Any], sections: Sequence[str]) -> dict[str, Any]:
    """Say which section is at work, how far the audit is and how long it may take.

    The time left supposes that the rest goes as fast as what is done.
    """
    section, share = str(noted.get("section", "reading")), float(noted.get("share", 0.0))
    at = sections.index(section) if section in sections else (len(sections) if share >= 1 else -1)
    words = _STATES.get(status) or at_work(section, at, len(sections))
    since = max(time.time() - float(noted.get("began", time.time())), 0.0)
    return {
        "section": section,
        "done": list(sections[:at]) if at >= 0 else [],
        "share": share,
        "words": words,
        "time": time_words(since, time_left(noted, since)) if status == "running" else "",
    }


def at_work(section: str, at: int, n: int) -> str:
    """Name the section at work.

    >>> at_work("splits", 1, 6), at_work("reading", -1, 6)
    ('Split (2 of 6)', 'Reading the data')
    """
    if section in SECTION_VIEWS:
        return f"{SECTION_VIEWS[section].title} ({at + 1} of {n})"
    return "Reading the data" if section == "reading" else "Writing the report"


def time_left(noted: dict[str, Any], since: float) -> float | None:
    """Return the seconds that are left, or None where nothing tells yet.

    >>> round(time_left({"share": 0.25, "elapsed": 10.0}, 20.0))
    20
    """
    share, elapsed = float(noted.get("share", 0.0)), float(noted.get("elapsed", 0.0))
    if not 0.02 < share < 1:
        return None
    return max(elapsed / share - since, 0.0)


def time_words(since: float, left: float | None) -> str:
    """Write the time an audit took so far, and what is left."""
    told = f"{clock(since)} so far"
    return told if left is None else f"{told}, about {clock(max(left, 1.0))} left"


def clock(seconds: float) -> str:
    """Write a span of time.

    >>> clock(8.4), clock(95), clock(4030)
    ('8 s', '1 min 35 s', '1 h 7 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def size_words(n_bytes: int) -> str:
    """Write the size of a file.

    >>> size_words(900), size_words(52_300), size_words(2_000_000_000)
    ('900 B', '52.3 KB', '2 GB')
    """
    size = float(n_bytes)
    for unit in ("B", "KB", "MB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def when(moment: str) -> str:
    """Write a time for people; what is none stays away.

    >>> when("2026-11-15T09:05:00+00:00")[:11], when("yesterday")
    ('15 Nov 2026', '')
    """
    try:
        return f"{datetime.fromisoformat(moment):%d %b %Y, %H:%M}".removeprefix("0")
    except ValueError:
        return ""
