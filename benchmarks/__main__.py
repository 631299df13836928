"""Run benchmarks: all of them, or those named. `python -m benchmarks [NAME…]`; `--list` names them.

Each runs in a process of its own, so that one that fails or takes too long does not end the others. Those that would
take long run with the arguments of `BRIEF`; `--full` leaves these out. A table at the end has the outcome of each, how
many of its bars were held or missed, and its processor time. `--write` puts the rows of those that ran into the table of
docs/benchmarks.md after each of them, and keeps the rows of others. The exit status is 1 if any failed.
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
# These work on files that only their own command line names (python -m benchmarks.NAME …), need a GPU or an hour, or
# have a target of make of their own: they run when asked for.
WITH_INPUTS = ("cluster_", "compare_versions", "faults", "evidence_", "export_", "forecast_evidence", "gpu_", "paper_")
OWN_TARGETS = (
    *("atlas", "atlas_checks", "atlas_picture", "reproductions"),
    *("forecast_tables", "forecast_families", "information_studies", "new_samples"),
    *("sds_folds", "split_studies", "stress_kinds"),
)
# Arguments with which a benchmark ends in minutes.
BRIEF = {
    "clusters": "--rows 100000 --methods contamination --ways one jobs",
    "conclusions": "--seeds 1",
    "contamination": "clean speed",
    "contamination_findings": "2",
    "coverage": "200",
    "decisions": "200",
    "first_run": "trec",
    "first_screens": "--items 200 --cases questions votes",
    "hit_rate": "--resamples 20000",
    "information": "40 0 1000 1",
    "intervals": "10 10000 200 5",
    "item_functioning": "--runs 4",
    "kappa_coverage": "400",
    "kind_metrics": "--items 1000 --systems 5",
    "large_audit": "200000",
    "linear": "trec msrp",
    "next_to_others": "--only assay",
    "out_of_core": "0.1",
    "permuted_kinds": "--seeds 1 --items 300",
    "planted": "1 500 0 1",
    "planted_kinds": "--seeds 1",
    "planted_tokens": "--only trec",
    "profiling": "100",
    "quick_audit": "--rounds 1 trec msrp",
    "ranks": "--runs 20 --only-ranks",
    "reading": "20",
    "report": "1970 14000",
    "response_findings": "40",
    "review_simulation": "20",
    "score_tables": "--systems 300 --datasets 100",
    "sds": "quick",
    "stability": "--seeds 1 --items 400",
    "suspects": "systems calibration",
    "votes": "40",
    "web_items": "100000",
}


@dataclass(frozen=True)
class Run:
    """How a benchmark ended, and the processor time that it took."""

    name: str
    outcome: str
    seconds: float
    bars: tuple[int, int] = (0, 0)  # held and missed
    arguments: str = ""

    def describe(self) -> str:
        """Return the row of the table."""
        held, missed = self.bars
        bars = f"{held} of {held + missed} held" if held + missed else ""
        return f"| `{f'{self.name} {self.arguments}'.strip()}` | {self.outcome} | {bars} | {self.seconds:,.0f} |"

    @property
    def is_failed(self) -> bool:
        """Return whether it did not end well."""
        return self.outcome != "done"


def names() -> list[str]:
    """Name the benchmarks: every module next to this one that has something to run."""
    here = (path for path in HERE.glob("*.py") if not path.stem.startswith("_"))
    return sorted(path.stem for path in here if "\ndef main(" in path.read_text(encoding="utf-8"))


def choose_names() -> list[str]:
    """Name the benchmarks that run if none is named."""
    return [name for name in names() if not name.startswith(WITH_INPUTS) and name not in OWN_TARGETS]


def run_benchmark(name: str, arguments: str = "") -> Run:
    """Run a benchmark; what it prints is printed, and the bars in it are counted."""
    print(f"== {name} {arguments}".rstrip(), flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["timeout", str(MAX_SECONDS), sys.executable, "-m", f"benchmarks.{name}", *arguments.split()]
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
    return Run(name, outcome, seconds, (bars["held"], bars["missed"]), arguments)


def write_table(rows: list[str]) -> str:
    """Return rows as a Markdown table."""
    return "\n".join(["| name | outcome | bars | processor s |", "|---|---|---|---|", *rows, ""])


def update_page(page: str, run: Run) -> str:
    """Return the page with the row of a benchmark replaced or added, in the order of names."""
    text, _, table = page.partition(f"\n{HEADING}\n")
    rows = {line.split("`")[1].split()[0]: line for line in table.splitlines() if line.startswith("| `")}
    rows[run.name] = run.describe()
    table = write_table([rows[name] for name in sorted(rows)])
    how = "Each row was written by `python -m benchmarks --write NAME`, with the arguments that follow the name."
    return f"{text.rstrip()}\n\n{HEADING}\n\n{how}\n\n{table}"


def main(wanted: list[str]) -> int:
    """Run the benchmarks and return the exit status."""
    options = {"--list", "--write", "--full"}
    if unknown := set(wanted) - {*names(), *options}:
        print(f"No benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names())}.", file=sys.stderr)
        return 2
    if "--list" in wanted:
        print("\n".join(names()))
        return 0
    named = [name for name in wanted if name not in options]
    runs = []
    for name in named or choose_names():
        runs.append(run_benchmark(name, "" if "--full" in wanted else BRIEF.get(name, "")))
        if "--write" in wanted:
            PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), runs[-1]), encoding="utf-8")
    print(f"\n{write_table([run.describe() for run in runs])}")
    return int(any(run.is_failed for run in runs))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
