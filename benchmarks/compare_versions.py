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
# Fields of the second version, and where they are since results are the evidence.
MOVED = [
    (r"^(difficulty)/evidence/(?=counts|by_part|median|n_items|n_undefined)", r"\1/evidence/items/"),
    (r"^(difficulty)/evidence/obvious/", r"\1/evidence/items/obvious_share/"),
    (r"^(difficulty)/evidence/systems/(.*?)/(low|high)$", r"\1/evidence/systems/\2/accuracy/\3"),
    (r"^(difficulty.*/by_part)/\[(.*?)\]/", r"\1/\2/"),
    (r"positive_obvious$", "Po"),
    (r"positive_non_obvious$", "Pn"),
    (r"negative_obvious$", "No"),
    (r"negative_non_obvious$", "Nn"),
    (
        r"^(discrimination)/evidence/differences/(.*?)/(low|high|difference)$",
        r"\1/evidence/comparisons/\2/difference_\3",
    ),
    (r"difference_difference$", "difference/value"),
    (r"^(discrimination)/evidence/differences/(.*?)/p$", r"\1/evidence/comparisons/\2/p_adjusted"),
    (r"^(discrimination)/evidence/(has_shares)$", r"\1/evidence/difference/\2"),
    (r"^(discrimination)/evidence/gap_first_two$", r"\1/evidence/difference/gap"),
    (r"^(discrimination|information)/evidence/suspects/expected/", r"\1/evidence/suspects/expected_bad/"),
    (r"^(discrimination|information)/evidence/suspects/items/", r"\1/evidence/suspects/suspected/"),
    (r"^(information)/evidence/(?=baselines|control|cues|entropy|n_items|shortcut_model)", r"\1/evidence/shortcuts/"),
    (r"^(information/.*/baselines/.*?)/(low|high)$", r"\1/accuracy/\2"),
    (r"^(information/.*/control/.*?)/information/", r"\1/tsi/"),
    (r"^(information/.*/control/.*?)/loss$", r"\1/nll"),
    (r"^(information/evidence/word_cues/.*?)/(coverage|n_items|p)$", r"\1/cue/\2"),
    (
        r"^(profile)/evidence/(?=label_entropy|label_words|labels|length|n_items|n_unlabelled|top_words)",
        r"\1/evidence/data/",
    ),
    (r"^(discrimination/evidence/items)/\[.*?\]/", r"\1/[all]/"),
    (r"^(task/evidence)/(?=figures|defects)", r"\1/facts/"),
    (r"^(task/evidence)/counts/\[(.*), (.*?)\]/count$", r"\1/facts/distributions/[\2]/counts/\3"),
    (r"^(task/evidence)/counts/\[(.*), (.*?)\]/expected$", r"\1/facts/distributions/[\2]/expected/\3"),
    (r"^(task/evidence/baselines/.*?)/score/", r"\1/"),
    (r"^(profile|splits)/evidence/parts/\[(.*?)\]/n$", r"profile/evidence/data/parts/\2"),
    (r"^(profile)/evidence/features/\[(\w+), (\w+)\]/value$", r"\1/evidence/data/features/\3/\2"),
    (r"^(profile)/evidence/features/\[(\w+), (\w+)\]/(low|high)$", r"\1/evidence/data/features/intervals/\3.\2/\4"),
    (r"^(profile)/evidence/features/\[(\w+)\]/value$", r"\1/evidence/data/features/all/\2"),
    (r"^(profile)/evidence/features/\[(\w+)\]/(low|high)$", r"\1/evidence/data/features/intervals/all.\2/\3"),
    (r"^(profile)/evidence/labels/\[(.*?)\]/", r"\1/evidence/data/labels/\2/"),
    (r"^(splits)/evidence/fold_sizes/", r"\1/evidence/fold_labels/"),
]
PERCENTS = re.compile(r"^discrimination/evidence/differences/.*/(low|high|difference)$")  # points before, shares since
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
        old = {path: number / 100 if number and PERCENTS.match(path) else number for path, number in old.items()}
        matches = dict(match_numbers(old, new))
        counts = dict.fromkeys(("same", "moved", "different", "gone"), 0)
        for path, number in old.items():
            if path in matches and is_equal(number, new[matches[path]]):
                kind = "same"
            elif find_value(number, path, new):
                kind = "moved"
            else:
                kind = "different" if path in matches else "gone"
                other = new[matches[path]] if path in matches else "-"
                fields[f"{kind}: {describe_field(path)}"].append(f"{name}: {path} {number} -> {other}")
            counts[kind] += 1
        rows.append((name, len(old), *counts.values(), len(new.keys() - set(matches.values()))))
    print("| case | numbers | same | elsewhere | different | gone | new |\n|---|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    for field in sorted(fields):
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
    """Return names for the rows of a list: the fewest of their first texts that tell them apart, or else positions."""
    texts = [[cell for cell in row.values() if isinstance(cell, str)] if isinstance(row, dict) else [] for row in rows]
    for n_texts in (1, 2, 3):
        names = [f"[{', '.join(cells[:n_texts])[:80]}]" for cells in texts]
        if len(set(names)) == len(names) and "[]" not in names:
            return names
    return [f"#{place}" for place in range(len(rows))]


def match_numbers(old: dict[str, Number], new: dict[str, Number]) -> Iterator[tuple[str, str]]:
    """Yield the paths of one number in both versions: the same, one that moved, or that of an interval."""
    for path in old:
        moved = path
        for pattern, replacement in MOVED:
            moved = re.sub(pattern, replacement, moved)
        names = [name for each in (path, moved) for name in (each, ENDS.sub(r"/\1", each))]
        other = next((each for name in names for each in (name, f"{name}/value") if each in new), None)
        if other is not None:
            yield path, other


def find_value(value: Number, path: str, new: dict[str, Number]) -> str | None:
    """Return where the value of a number is in its section of the new version, if it has enough digits to tell."""
    if value is None or float(f"{value:.3g}") == value:
        return None
    section = path.partition("/")[0]
    return next((each for each, other in new.items() if each.startswith(section) and is_equal(value, other)), None)


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
