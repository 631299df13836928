"""Give the same planted defects to this package and to other tools, and write what each finds into the documentation.

    python -m benchmarks.next_to_others [--write] [--python PATH] [--folder DIR] [--only TOOL…]

PATH is the interpreter of an environment with the other tools (cleanlab[datalab], semhash, datasketch, evidently,
fg-data-profiling, evalstats, girth, wordllama); by default the current one. Tools that it does not have are named as
not installed. Reports are kept in DIR, so that a run that was stopped goes on. Without `--write` the tables are printed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import next_to_others_tools as tools
from benchmarks.next_to_others_cases import make_cases

PAGE = Path(__file__).parents[1] / "docs" / "next-to-others.md"
START, END = "<!-- table: python -m benchmarks.next_to_others --write -->", "<!-- end of table -->"
DEFECTS = (
    *("leaks", "near copies", "paraphrases", "wrong labels", "shortcut", "drift", "contamination"),
    *("wrong gold", "saturated board", "equal systems"),
)
COLUMNS = ("defect", "tool", "reported", "of the planted items", "right of those named", "false alarms", "seconds")


@dataclass(frozen=True)
class Row:
    """How a tool does on one defect: cases that are reported, items that are found, and alarms without the defect."""

    defect: str
    tool: str
    n_reported: int | None
    n_planted: int
    recall: float | None
    precision: float | None
    n_false: int | None
    n_clean: int
    seconds: float
    n_noted: int = 0
    n_false_notes: int = 0

    def write(self) -> str:
        """Return the row of the table."""
        cells = [
            self.defect,
            self.tool,
            write_count(self.n_reported, self.n_planted, self.n_noted) or "order only",
            "–" if self.recall is None else f"{self.recall:.2f}",
            "–" if self.precision is None else f"{self.precision:.2f}",
            write_count(self.n_false, self.n_clean, self.n_false_notes) or "–",
            f"{self.seconds:.1f}",
        ]
        return f"| {' | '.join(cells)} |"


def write_count(count: int | None, n: int, n_notes: int) -> str:
    """Write how many cases have an alarm, and how many have a note instead.

    >>> write_count(1, 6, 0), write_count(0, 6, 2), write_count(None, 6, 0)
    ('1 of 6', '0 of 6 (2 notes)', '')
    """
    if count is None:
        return ""
    return f"{count} of {n}" + (f" ({n_notes} note{'s' if n_notes > 1 else ''})" if n_notes else "")


def run_tool(name: str, python: str, cases: Path, reports: Path) -> bool:
    """Run a tool in its environment; return False if it is not installed there."""
    interpreter = sys.executable if name == "assay" else python
    check = f"import importlib.metadata as m; m.version({tools.TOOLS[name][0]!r})"
    if subprocess.run([interpreter, "-c", check], capture_output=True, check=False).returncode:
        return False
    script = Path(tools.__file__)
    subprocess.run([interpreter, str(script), name, str(cases), str(reports)], check=True)
    return True


def read_reports(path: Path) -> list[dict[str, Any]]:
    """Return the reports of a tool."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def compare(defect: str, tool: str, reports: Sequence[dict[str, Any]], truths: dict[str, set[str]]) -> Row | None:
    """Count what a tool finds of one defect; of a tool that only orders items, as many as are planted are taken."""
    mine = [report for report in reports if report["defect"] == defect]
    planted = [report for report in mine if not report["case"].endswith(("-clean", "clean board"))]
    clean = [report for report in mine if report not in planted]
    if not planted:
        return None
    ordered = any(report["is_reported"] is None for report in planted)
    shares: list[tuple[float, float]] = []
    for report in planted:
        truth = truths[report["case"]]
        if report["items"] is None or not truth:
            continue
        named = report["items"][: len(truth)] if ordered or defect == "wrong gold" else report["items"]
        hits = len(truth & set(named))
        shares.append((hits / len(truth), hits / len(named) if named else float("nan")))
    known = [precision for _, precision in shares if precision == precision]
    return Row(
        defect,
        tool,
        None if ordered else sum(report["is_reported"] for report in planted),
        len(planted),
        statistics.mean(recall for recall, _ in shares) if shares else None,
        statistics.mean(known) if known else None,
        None if ordered else sum(report["is_reported"] for report in clean),
        len(clean),
        statistics.mean(report["seconds"] for report in planted),
        count_notes(planted),
        count_notes(clean),
    )


def count_notes(reports: Sequence[dict[str, Any]]) -> int:
    """Count the cases that have a note and no alarm."""
    return sum(bool(report.get("is_noted")) and not report["is_reported"] for report in reports)


def write_tables(folder: Path, names: Sequence[str], missing: Sequence[str], truths: dict[str, set[str]]) -> str:
    """Return the table of all defects and tools, the versions, and what is not installed."""
    reports = {name: read_reports(folder / f"{name}.jsonl") for name in names}
    rows = [compare(defect, name, reports[name], truths) for defect in DEFECTS for name in names]
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS), *(row.write() for row in rows if row)]
    versions = [f"{name} {rows[0]['version']}" for name, rows in reports.items() if rows and name != "assay"]
    lines += ["", f"Versions: {', '.join(versions)}. Not installed: {', '.join(missing) or 'none'}."]
    return "\n".join(lines)


def main() -> None:
    """Run every tool, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="write the table into docs/next-to-others.md")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the other tools")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "assay-next-to-others")
    parser.add_argument("--only", nargs="*", choices=list(tools.TOOLS), default=list(tools.TOOLS), metavar="TOOL")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / "cases.json"
    if not path.exists():
        path.write_text(json.dumps([case.to_json() for case in make_cases()]), encoding="utf-8")
    cases = json.loads(path.read_text(encoding="utf-8"))
    is_here = {name: run_tool(name, options.python, path, options.folder / f"{name}.jsonl") for name in options.only}
    truths = {case["name"]: set(case["truth"]) for case in cases}
    present, missing = ([name for name, here in is_here.items() if here is wanted] for wanted in (True, False))
    table = write_tables(options.folder, present, missing, truths)
    if not options.write:
        print(table)
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
