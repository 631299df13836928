"""Wait for runs that finish in a folder of logs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.logs import has_logs

LOG_SUFFIXES = (".eval", ".json", ".jsonl", ".parquet")
State = frozenset[tuple[str, int, int]]  # path, size and time of each file


def list_log_files(folder: Path) -> State:
    """Return the files that may be logs, with sizes and times; a file that disappears meanwhile is left out."""
    files = set()
    for home, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(home, name)  # noqa: PTH118, many files
            if name.endswith(LOG_SUFFIXES):
                try:
                    status = os.stat(path)  # noqa: PTH116
                except OSError:
                    continue
                files.add((path, status.st_size, status.st_mtime_ns))
    return frozenset(files)


def wait_for_runs(
    folder: Path,
    every: float,
    settle: float,
    *,
    sleep: Callable[[float], None] = time.sleep,
    known: State | None = None,
) -> Iterator[State]:
    """Yield whenever the logs in a folder have changed and stayed the same for `settle` seconds.

    `known` is the state that counts as audited already; by default an empty folder.
    """
    audited, last, quiet = known or frozenset(), known or frozenset(), 0.0
    while True:
        state = list_log_files(folder)
        quiet = quiet + every if state == last else 0.0
        last = state
        if state and state != audited and quiet >= settle and has_logs(folder):
            yield state
            audited = state
            continue
        sleep(every)
