"""Compare the numbers of the same audits by two versions of assay: `python -m benchmarks.compare_versions OLD NEW`.

OLD and NEW are source folders, each with a package `assay`; they are used through the command line only. Results stay in
--out and are used again. Rows are sorted by id first, because samples of some versions depend on the order of rows.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.first_screen_inputs import Case, write_cases

NAMES = (
    *("questions", "dated", "paraphrases", "arguments", "stars", "exam", "common_sense", "emotions", "entities"),
    *("passages", "translations", "abstracts", "preferences", "inspect_logs", "leaderboard", "votes", "judges"),
)
N_ITEMS = 300
RELATIVE, ABSOLUTE = 1e-9, 1e-12
ENDS = re.compile(r"_(low|high|value)$")
Number = float | None


def main() -> None:
    """Run the audits that are missing, and print a table of cases and the numbers that differ by field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs=2, metavar="SOURCE")
    parser.add_argument("--out", type=Path, required=True, help="folder of inputs, results and compiled code")
    parser.add_argument("--cases", nargs="+", default=NAMES, choices=NAMES)
    parser.add_argument("--items", type=int, default=N_ITEMS, help="items per case, roughly")
    parser.add_argument("--examples", type=int, default=2, help="differences to print per field")
    options = parser.parse_args()
    rows = []
    fields: dict[str, list[str]] = defaultdict(list)
    for name in options.cases:
        case = write_case(options.out / "inputs", name, options.items)
        old, new = (read_numbers(run_audit(case, source, options.out)) for source in options.sources)
        matches = dict(match_numbers(old, new))
        changed = [path for path, other in matches.items() if not is_equal(old[path], new[other])]
        for path in changed:
            line = f"{name}: {path} {old[path]} -> {new[matches[path]]}"
            fields[describe_field(path)].append(line)
        for path in old.keys() - matches.keys():
            fields[f"(gone) {describe_field(path)}"].append(f"{name}: {path} {old[path]}")
        n_new = len(new.keys() - set(matches.values()))
        rows.append((name, len(old), len(matches) - len(changed), len(changed), len(old) - len(matches), n_new))
    print("| case | numbers | equal | different | gone | new |\n|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    for field in sorted(fields, key=lambda each: (each.startswith("(gone)"), each)):
        print(f"{field}: {len(fields[field])}", *fields[field][: options.examples], sep="\n    ")


def write_case(folder: Path, name: str, n_items: int) -> Case:
    """Write the inputs of a case, tables with ids in the order of their ids."""
    (case,) = write_cases(folder, [name], n_items)
    for path in (folder / name).glob("*.tsv"):
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        if header.startswith("id\t"):
            path.write_text("\n".join([header, *sorted(lines, key=split_id)]) + "\n", encoding="utf-8")
    return case


def split_id(line: str) -> tuple[str, int]:
    """Return the id at the beginning of a line, with the number at its end by value."""
    stem, number = re.fullmatch(r"(.*?)(\d*)", line.partition("\t")[0]).groups()  # type: ignore[union-attr]
    return stem, int(number or -1)


def run_audit(case: Case, source: Path, folder: Path) -> Path:
    """Audit a case with the package in a source folder, unless that was done before; return the JSON."""
    place = folder / re.sub(r"\W+", "-", str(source.resolve())).strip("-")
    path = place / f"{case.name}.json"
    if not path.exists():
        place.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "PYTHONPATH": str(source.resolve()), "NUMBA_CACHE_DIR": str(place / "numba")}
        arguments = ["audit", *case.arguments, "--quick", "--no-cache", "--json", str(path)]
        command = [sys.executable, "-m", "assay", *arguments]
        run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode:
            raise SystemExit(f"{source}: {case.name} ended with status {run.returncode}\n{run.stderr[-2000:]}")
    return path


def read_numbers(path: Path) -> dict[str, Number]:
    """Return the numbers of the sections, findings and items of an audit by their path."""
    audit = json.loads(path.read_text(encoding="utf-8"))["result"]
    numbers = dict(walk_numbers(audit["sections"]))
    counts: dict[str, int] = defaultdict(int)
    for finding in audit["findings"]:
        counts[finding["code"]] += 1
        name = f"findings/{finding['code']}#{counts[finding['code']]}"
        numbers |= {f"{name}/{end}": finding.get(end) for end in ("value", "low", "high") if end in finding}
    return numbers | dict(walk_numbers(audit.get("items_summary", {}), "items"))


def walk_numbers(value: object, path: str = "") -> Iterator[tuple[str, Number]]:
    """Yield the numbers of nested values by their path; rows of a list go by what they are called, if that is unique."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk_numbers(inner, f"{path}/{key}".lstrip("/"))
    elif isinstance(value, list):
        for name, inner in zip(name_rows(value), value, strict=True):
            yield from walk_numbers(inner, f"{path}/{name}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def name_rows(rows: list[object]) -> list[str]:
    """Return names for the rows of a list: their texts, or else their positions."""
    names = [
        "[" + ", ".join(cell for cell in row.values() if isinstance(cell, str))[:80] + "]"
        if isinstance(row, dict)
        else ""
        for row in rows
    ]
    is_named = len(set(names)) == len(names) and "" not in names and "[]" not in names
    return names if is_named else [f"#{place}" for place in range(len(rows))]


def match_numbers(old: dict[str, Number], new: dict[str, Number]) -> Iterator[tuple[str, str]]:
    """Yield the paths of one number in both versions.

    They are the same, that of an interval instead of a flat field, or the only ones of a section with the same end.
    """
    ends: dict[str, list[str]] = defaultdict(list)
    for path in new:
        for end in list_ends(path):
            ends[end].append(path)
    for path in old:
        nested = ENDS.sub(r"/\1", path)
        same = next((other for other in (path, nested, f"{path}/value", f"{nested}/value") if other in new), None)
        if same is None and path.partition("/")[0] not in ("findings", "items"):
            places = (ends[end] for name in (nested, f"{nested}/value") for end in list_ends(name))
            same = next((found[0] for found in places if len(found) == 1), None)
        if same is not None:
            yield path, same


def list_ends(path: str) -> list[str]:
    """Return the ends of a path within its section, longest first; one name alone says too little."""
    section, *names = path.split("/")
    return [f"{section}:{'/'.join(names[place:])}" for place in range(1, len(names) - 1)]


def is_equal(first: Number, second: Number) -> bool:
    """Return True if two numbers are equal up to rounding."""
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (first != first and second != second)


def describe_field(path: str) -> str:
    """Return a path without the names of rows."""
    return re.sub(r"/(\[.*?\]|#\d+)(?=/|$)", "/*", path)


if __name__ == "__main__":
    main()
