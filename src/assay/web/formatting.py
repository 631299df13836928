"""Times, sizes and progress as text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from assay.checks import CHECKS
from assay.system.json import JsonObject

_STATES = {
    "waiting": "Waiting: another audit is running.",
    "stopping": "Stopping. Finished sections are kept. This can take a moment.",
}
MIN_SHARE = 0.05  # of the work; with less done the time left is a guess


def describe_progress(status: str, progress: JsonObject, sections: Sequence[str]) -> JsonObject:
    """Return the current step, the share that is done, and the estimated time left.

    The estimate assumes that the rest takes as long per unit of work as before, and grows while a step takes
    longer than expected.
    """
    section, share = str(progress.get("section", "reading")), float(progress.get("share", 0.0))
    position = sections.index(section) if section in sections else (len(sections) if share >= 1 else -1)
    seconds = max(time.time() - float(progress.get("start", time.time())), 0.0)
    return {
        "section": section,
        "done": list(sections[:position]) if position >= 0 else [],
        "share": share,
        "message": _STATES.get(status) or name_step(section, position, len(sections), str(progress.get("step") or "")),
        "time": format_times(seconds, estimate_seconds_left(progress, seconds)) if status == "running" else "",
    }


def name_step(section: str, position: int, n_sections: int, step: str = "") -> str:
    """Name the current step.

    >>> name_step("splits", 1, 6), name_step("splits", 1, 6, "fit folds 2 of 5"), name_step("reading", -1, 6)
    ('Split (2 of 6)', 'Split (2 of 6): fit folds 2 of 5', 'Reading the data')
    """
    if section in CHECKS:
        return f"{CHECKS[section].title} ({position + 1} of {n_sections})" + (f": {step}" if step else "")
    return "Reading the data" if section == "reading" else "Writing the report" + (f": {step}" if step else "")


def estimate_seconds_left(progress: JsonObject, seconds: float) -> float | None:
    """Return the estimated seconds left, or None when it is too early to tell.

    >>> round(estimate_seconds_left({"share": 0.25, "elapsed": 10.0}, 10.0))
    30
    >>> round(estimate_seconds_left({"share": 0.25, "elapsed": 10.0}, 20.0))
    60
    """
    share = float(progress.get("share", 0.0))
    if not MIN_SHARE < share < 1:
        return None
    return seconds * (1 - share) / share


def format_times(seconds: float, seconds_left: float | None) -> str:
    """Write the time spent so far, and the time left."""
    text = f"{format_duration(seconds)} so far"
    return text if seconds_left is None else f"{text}, about {format_duration(max(seconds_left, 1.0))} left"


def format_duration(seconds: float) -> str:
    """Write a duration.

    >>> format_duration(8.4), format_duration(95), format_duration(4030)
    ('8 s', '1 min 35 s', '1 h 7 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def format_size(n_bytes: int) -> str:
    """Write the size of a file.

    >>> format_size(900), format_size(52_300), format_size(2_000_000_000)
    ('900 B', '52.3 KB', '2 GB')
    """
    size = float(n_bytes)
    for unit in ("B", "KB", "MB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def format_date(timestamp: str) -> str:
    """Write a date and time for people; an invalid one becomes empty.

    >>> format_date("2026-11-15T09:05:00+00:00")[:11], format_date("yesterday")
    ('15 Nov 2026', '')
    """
    try:
        return f"{datetime.fromisoformat(timestamp):%d %b %Y, %H:%M}".removeprefix("0")
    except ValueError:
        return ""
