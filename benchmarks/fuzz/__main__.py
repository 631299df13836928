"""Damage files of every reader: `python -m benchmarks.fuzz [N] [--seed S] [--keep DIR] [--only TEXT] [--jobs J]`.

A mutant that is read with fewer rows, systems or tasks than the whole file must have a note that says so. Nothing may
end in an exception that the package does not know, take more than ten seconds or allocate more than 1 GB.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.fuzz.cases import Case
from benchmarks.fuzz.running import FAILED, READ, REFUSED, Failure, Report, run_fuzz, save_failures

OPTIONAL = {"openpyxl": "workbooks (.xlsx)"}  # packages without which cases cannot be read


def list_cases() -> list[Case]:
    """Return all cases: data, logs, saved files and options of commands."""
    from benchmarks.fuzz.command_cases import list_command_cases
    from benchmarks.fuzz.data_cases import list_data_cases
    from benchmarks.fuzz.log_cases import list_log_cases
    from benchmarks.fuzz.saved_cases import list_saved_cases

    return [*list_data_cases(), *list_log_cases(), *list_saved_cases(), *list_command_cases()]


def print_report(report: Report) -> None:
    """Print a table with a row per case, and the shortest mutant of every failure."""
    names = sorted({name for name, _ in report.counts})
    print(f"{'mutants':>7} {'read':>6} {'refused':>7} {'failed':>6}  case")
    for name in names:
        read, refused, failed = (report.counts[name, result] for result in (READ, REFUSED, FAILED))
        print(f"{read + refused + failed:7} {read:6} {refused:7} {failed:6}  {name}")
    totals = [sum(report.counts[name, result] for name in names) for result in (READ, REFUSED, FAILED)]
    print(f"{sum(totals):7} {totals[0]:6} {totals[1]:7} {totals[2]:6}  all")
    for number, failure in enumerate(report.find_shortest()):
        print(f"{number + 1:3}  {failure.case}: {failure.mutant.kind} (mutant {failure.number}): {failure.reason}")


def print_progress(n_tried: int, failure: Failure | None) -> None:
    """Print each failure at once, and every hundredth mutant, to standard error."""
    if failure is not None:
        line = f"{failure.case}: {failure.mutant.kind} (mutant {failure.number}): {failure.reason}"
        print(line, file=sys.stderr, flush=True)
    elif n_tried % 100 == 0:
        print(f"{n_tried} mutants", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzer; 1 if a mutant failed."""
    parser = argparse.ArgumentParser(description="Damage files of every reader.")
    parser.add_argument("n", type=int, nargs="?", default=3_000, help="number of mutants")
    parser.add_argument("--seed", type=int, nargs="+", default=[0], help="random seeds, one run each")
    parser.add_argument("--keep", type=Path, help="folder for the files of each failure")
    parser.add_argument("--only", default="", help="only the cases whose names contain this")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    options = parser.parse_args(arguments)
    keep = options.keep.resolve() if options.keep else None
    cases = [case for case in list_cases() if options.only in case.name]
    for package, names in OPTIONAL.items():
        if find_spec(package) is None:
            print(f"Not tried: {names}, as {package} is not installed.")
    failed = False
    for seed in options.seed:
        report = run_fuzz(cases, options.n, seed, options.jobs, on_result=print_progress)
        print(f"Seed {seed}")
        print_report(report)
        failed |= bool(report.failures)
        if keep is not None:
            save_failures(report.find_shortest(), cases, keep / f"seed-{seed}")
    return int(failed)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    sys.exit(main())
