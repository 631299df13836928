"""Processor time of the first and of a later run, with and without the compiled code that comes with a wheel.

    python -m benchmarks.first_run [--with-code] [DATASET…]

Each run is a process of its own, `assay profile` and `assay audit --no-cache`. "compiled" is the second run; "first"
compiles everything, "with code" has the code of `scripts/compile_loops.py` if it is there, and an empty cache of numba.
With `--with-code`, nothing is compiled that has code: "compiled" is then the run after "with code".
The second table has an audit that is finished, and the same command again, which repeats it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path

DATASETS = ("trec", "msrp", "atis")
COMMANDS = {"profile": (), "audit": ("--no-cache",)}


def measure(command: str, path: Path, cache: str, *, with_code: bool) -> float:
    """Return the processor seconds of one command."""
    environment = {"NUMBA_CACHE_DIR": cache} | ({} if with_code else {"ASSAY_COMPILE": "1"})
    return run([command, str(path), *COMMANDS[command]], environment)


def run(arguments: list[str], environment: dict[str, str]) -> float:
    """Return the processor seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = [sys.executable, "-P", "-m", "assay", *arguments]
    subprocess.run(program, env=os.environ | environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def repeat(path: Path, folder: str, *options: str) -> tuple[float, float]:
    """Return the processor seconds of an audit, and of the same command again."""
    environment = {"ASSAY_CACHE": folder, "XDG_STATE_HOME": folder}
    first, second = (run(["audit", str(path), *options], environment) for _ in range(2))
    return first, second


def main() -> None:
    """Print one row per command and dataset."""
    parser = ArgumentParser()
    parser.add_argument("--with-code", action="store_true")
    parser.add_argument("names", nargs="*", default=DATASETS, metavar="DATASET")
    options = parser.parse_args()
    shared = Path(__file__).parents[2] / "shared" / "data"
    print(f"{'command':<9}{'dataset':<12}{'first s':>9}{'compiled s':>12}{'with code s':>13}{'ratio':>7}")
    for name in options.names:
        for command in COMMANDS:
            with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as empty:
                shipped = measure(command, shared / name, empty, with_code=True)
                if options.with_code:
                    first, later = float("nan"), measure(command, shared / name, empty, with_code=True)
                else:
                    first, later = (measure(command, shared / name, own, with_code=False) for _ in range(2))
            print(
                f"{command:<9}{name:<12}{first:>9.1f}{later:>12.1f}{shipped:>13.1f}{shipped / later:>7.2f}", flush=True
            )
    print(f"\n{'dataset':<12}{'audit s':>9}{'repeated s':>12}{'with report s':>15}{'repeated s':>12}")
    for name in options.names:
        with tempfile.TemporaryDirectory() as folder:
            plain = repeat(shared / name, folder)
            written = repeat(shared / name, folder, "-o", f"{folder}/report.html")
        print(f"{name:<12}{plain[0]:>9.1f}{plain[1]:>12.2f}{written[0]:>15.1f}{written[1]:>12.2f}", flush=True)


if __name__ == "__main__":
    main()
