"""Run benchmarks: all that take minutes, or those named. `python -m benchmarks [NAME…]`; `--list` names them.

Each runs in a process of its own, so that one that fails or takes too long does not end the others. A table at the end
has the outcome of each, how many of its bars were held or missed, and its processor time. `--write` puts the rows of
those that ran into the table of docs/benchmarks.md after each of them, and keeps the rows of others. The exit status is
1 if any failed.
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
TIMED_OUT = 124  # the status of timeout
# These work on files that only their own command line names (python -m benchmarks.NAME …), or need a GPU or an hour:
# they run when asked for.
WITH_INPUTS = ("cluster_", "compare_versions", "faults", "evidence_", "export_", "forecast_evidence", "gpu_", "paper_")


@dataclass(frozen=True)
class Run:
    """How a benchmark ended, and the processor time that it took."""

    name: str
    outcome: str
    seconds: float
    bars: tuple[int, int] = (0, 0)  # held and missed

    def describe(self) -> str:
        """Return the row of the table."""
        held, missed = self.bars
        bars = f"{held} of {held + missed} held" if held + missed else ""
        return f"| `{self.name}` | {self.outcome} | {bars} | {self.seconds:,.0f} |"

    @property
    def is_failed(self) -> bool:
        """Return whether it did not end well."""
        return self.outcome != "done"


def names() -> list[str]:
    """Name the benchmarks: every module next to this one that has something to run."""
    here = (path for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    return sorted(path.stem for path in here if "\ndef main(" in path.read_text(encoding="utf-8"))


def run_benchmark(name: str) -> Run:
    """Run a benchmark with its own defaults; what it prints is printed, and the bars in it are counted."""
    print(f"== {name}", flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    program = f"import sys; sys.argv = ['benchmarks.{name}']; from benchmarks.{name} import main; sys.exit(main())"
    command = ["timeout", str(MAX_SECONDS), sys.executable, "-c", program]
    bars = {"held": 0, "missed": 0}
    with subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.split()[-1:]
            if last and last[0] in bars:
                bars[last[0]] += 1
    status = process.returncode
    outcome = f"failed with status {status}" if status else "done"
    if status == TIMED_OUT:
        outcome = f"ended after {MAX_SECONDS:,} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(name, outcome, seconds, (bars["held"], bars["missed"]))


def write_table(rows: list[str]) -> str:
    """Return rows as a Markdown table."""
    return "\n".join(["| name | outcome | bars | processor s |", "|---|---|---|---|", *rows, ""])


def update_page(page: str, run: Run) -> str:
    """Return the page with the row of a benchmark replaced or added, in the order of names."""
    text, _, table = page.partition(f"\n{HEADING}\n")
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
    rows[run.name] = run.describe()
    table = write_table([rows[name] for name in sorted(rows)])
    return f"{text.rstrip()}\n\n{HEADING}\n\nEach row was written by `python -m benchmarks --write NAME`.\n\n{table}"


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
    runs = []
    for name in named or [name for name in names() if not name.startswith(WITH_INPUTS)]:
        runs.append(run_benchmark(name))
        if "--write" in wanted:
            PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), runs[-1]), encoding="utf-8")
    print(f"\n{write_table([run.describe() for run in runs])}")
    return int(any(run.is_failed for run in runs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
