"""First screens of every kind, read sentence by sentence: how many statements are true, misleading, false or unchecked.

Every case is audited by the command, as a user would. The JSON and the page it writes are compared with the raw files by
a computation that shares no code with the package (`first_screen_claims`, `first_screen_findings`; models are trained
again in `first_screen_models`). "Unchecked" are numbers that are only compared with the evidence in the JSON.

Run with: python -m benchmarks.first_screens [--items 400] [--cases questions votes] [--folder FOLDER] [--again]
    [--unchecked]
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks import first_screen_edges, first_screen_findings  # noqa: F401, register cases and claims
from benchmarks._bars import print_bar
from benchmarks.first_screen_claims import Screen, Statement, Verdict, judge
from benchmarks.first_screen_inputs import CASES, N_ITEMS, Case, write_cases
from benchmarks.first_screen_raw import Raw

NO_QUOTES = dict.fromkeys(map(ord, "\"'“”’"))  # the page marks names instead
VERDICTS: tuple[Verdict, ...] = ("true", "misleading", "false", "unchecked")


def audit_case(case: Case, folder: Path, again: bool = False) -> Screen | None:
    """Audit a case with the command, or read what was written before; None if it fails."""
    files = {name: folder / f"{case.name}.{name}" for name in ("json", "html", "txt")}
    command = [sys.executable, "-m", "assay", "audit", *case.arguments, "--json", files["json"], "-o", files["html"]]
    environment = {**os.environ, "ASSAY_CACHE": str(folder / "cache"), "NO_COLOR": "1", "COLUMNS": "300"}
    if not (again and files["json"].exists()):
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        files["txt"].write_text(done.stdout + done.stderr, encoding="utf-8")
    if not files["json"].exists():
        return None
    result = json.loads(files["json"].read_text(encoding="utf-8"))["result"]
    return Screen(case.name, case.kind, result, Raw(case.arguments), read_subtitle(files["html"]))


def read_subtitle(page: Path) -> str:
    """Return the line below the title of a page."""
    match = re.search(r'<p class="about">(.*?)</p>', page.read_text(encoding="utf-8"), re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", match.group(1))).strip() if match else ""


def compare_outputs(screen: Screen, folder: Path) -> list[tuple[Statement, Verdict, str]]:
    """Return whether the terminal and the page have the rows of the JSON."""
    printed = " ".join((folder / f"{screen.name}.txt").read_text(encoding="utf-8").split())
    page = re.sub(r"<[^>]+>", "", (folder / f"{screen.name}.html").read_text(encoding="utf-8"))
    page = " ".join(html.unescape(page).split())
    rows = []
    for row in screen.rows.values():
        for place, text in (("terminal", printed), ("page", page)):
            said = " ".join((row["number"] or row["reason"][:60]).split())
            holds = said.translate(NO_QUOTES) in text.translate(NO_QUOTES)
            rows.append((Statement(place, said, row["topic"]), "true" if holds else "false", "rows of the JSON"))
    return rows  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=N_ITEMS)
    parser.add_argument("--cases", nargs="*", choices=list(CASES), default=list(CASES))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--again", action="store_true", help="judge the audits that are in the folder")
    parser.add_argument("--unchecked", action="store_true", help="also print the statements that are not recomputed")
    arguments = parser.parse_args()
    shown = ("misleading", "false", "unchecked") if arguments.unchecked else ("misleading", "false")
    folder = arguments.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    total: Counter[str] = Counter()
    for case in write_cases(folder / "inputs", arguments.cases, arguments.items):
        screen = audit_case(case, folder, arguments.again)
        if screen is None:
            print(f"{case.name:18} {case.kind:28} the audit failed", flush=True)
            total["failed audits"] += 1
            continue
        judged = [(statement, *judge(screen, statement)) for statement in screen.list_statements()]
        judged += compare_outputs(screen, folder)
        counts = Counter(verdict for _, verdict, _ in judged)
        total.update(counts)
        print(f"{case.name:18} {case.kind:28} " + ", ".join(f"{counts[name]} {name}" for name in VERDICTS), flush=True)
        for statement, verdict, reason in judged:
            if verdict in shown:
                print(f"    {verdict} ({statement.place}): {statement.text}\n        {reason}", flush=True)
    line = f"{sum(total[name] for name in VERDICTS)} statements on {len(arguments.cases)} screens: {dict(total)}"
    print_bar(line, is_held=not (total["misleading"] or total["false"] or total["failed audits"]))


if __name__ == "__main__":
    main()
