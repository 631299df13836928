"""Run benchmarks: all that take minutes, or those named. `python -m benchmarks [NAME…]`; `--list` names them.

Each runs in a process of its own, so that one that fails or takes too long does not end the others. A table at the end
has the outcome and the processor time of each; `--write` puts it into docs/benchmarks.md. The exit status is 1 if any
failed.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
HEADING = "## Last run"
MAX_SECONDS = 3600
# These work on files that only their own command line names (python -m benchmarks.NAME …), or need a GPU or an hour:
# they run when asked for.
WITH_INPUTS = ("cluster_", "compare_versions", "faults", "evidence_", "export_", "forecast_evidence", "gpu_", "paper_")


@dataclass(frozen=True)
class Run:
    """How a benchmark ended, and the processor time that it took."""

    name: str
    outcome: str
    seconds: float

    @property
    def is_failed(self) -> bool:
        """Return whether it did not end well."""
        return self.outcome != "done"


def names() -> list[str]:
    """Name the benchmarks: every module next to this one that has something to run."""
    here = (path for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    return sorted(path.stem for path in here if "\ndef main(" in path.read_text(encoding="utf-8"))


def run_benchmark(name: str) -> Run:
    """Run a benchmark with its own defaults; what it prints goes where this process prints."""
    print(f"== {name}", flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = f"import sys; sys.argv = ['benchmarks.{name}']; from benchmarks.{name} import main; main()"
    try:
        status = subprocess.run([sys.executable, "-c", program], cwd=HERE.parent, timeout=MAX_SECONDS, check=False)
        outcome = f"failed with status {status.returncode}" if status.returncode else "done"
    except subprocess.TimeoutExpired:
        outcome = f"ended after {MAX_SECONDS:,} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(name, outcome, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def write_table(runs: list[Run]) -> str:
    """Return the outcomes as a Markdown table."""
    rows = [f"| `{run.name}` | {run.outcome} | {run.seconds:,.0f} |" for run in runs]
    return "\n".join(["| name | outcome | processor s |", "|---|---|---|", *rows, ""])


def main(wanted: list[str]) -> int:
    """Run the benchmarks and return the exit status."""
    options = {"--list", "--write"}
    if unknown := set(wanted) - {*names(), *options}:
        print(f"No benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names())}.", file=sys.stderr)
        return 2
    if "--list" in wanted:
        print("\n".join(names()))
        return 0
    named = [name for name in wanted if name not in options]
    runs = [run_benchmark(name) for name in named or [name for name in names() if not name.startswith(WITH_INPUTS)]]
    table = write_table(runs)
    print(f"\n{table}")
    if "--write" in wanted:
        page = PAGE.read_text(encoding="utf-8").partition(f"\n{HEADING}\n")[0]
        PAGE.write_text(
            f"{page.rstrip()}\n\n{HEADING}\n\n`python -m benchmarks --write` wrote this.\n\n{table}", encoding="utf-8"
        )
    return int(any(run.is_failed for run in runs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
