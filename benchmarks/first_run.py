"""Processor time of the first and of a later run, with and without the compiled code that comes with a wheel.

    python -m benchmarks.first_run [DATASET…]

Each run is a process of its own, `assay profile` and `assay audit --no-cache`. "compiled" is the second run; "first"
compiles everything, "with code" has the code of `scripts/compile_loops.py` if it is there, and an empty cache of numba.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

DATASETS = ("trec", "msrp", "atis")
COMMANDS = {"profile": (), "audit": ("--no-cache",)}


def measure(command: str, path: Path, cache: str, *, with_code: bool) -> float:
    """Return the processor seconds of one command."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache} | ({} if with_code else {"ASSAY_COMPILE": "1"})
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = [sys.executable, "-P", "-m", "assay", command, str(path), *COMMANDS[command]]
    subprocess.run(program, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print one row per command and dataset."""
    shared = Path(__file__).parents[2] / "shared" / "data"
    print(f"{'command':<9}{'dataset':<12}{'first s':>9}{'compiled s':>12}{'with code s':>13}{'ratio':>7}")
    for name in sys.argv[1:] or DATASETS:
        for command in COMMANDS:
            with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as empty:
                first = measure(command, shared / name, own, with_code=False)
                later = measure(command, shared / name, own, with_code=False)
                shipped = measure(command, shared / name, empty, with_code=True)
            print(
                f"{command:<9}{name:<12}{first:>9.1f}{later:>12.1f}{shipped:>13.1f}{shipped / later:>7.2f}", flush=True
            )


if __name__ == "__main__":
    main()
