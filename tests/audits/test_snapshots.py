"""The numbers of whole audits, compared with those stored in `snapshots/`.

`python -m tests.audits.test_snapshots` writes them again; what changed belongs in the commit message.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.audits import Audit
from assay.data.bundled import find_bundled

SNAPSHOTS = Path(__file__).parent / "snapshots"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
SEED = 0
DIGITS = 10
RELATIVE, ABSOLUTE = 1e-6, 1e-8  # medians of float32 similarities differ this much between processors
MAX_LINES = 25
MAX_BYTES = 400_000
NAMED_BY_DATA = ("label", "word", "token", "system", "dataset", "benchmark", "group", "ids")
Numbers = dict[str, float]


def audit_arct() -> Audit:
    """Audit the bundled benchmark with the predictions of its systems."""
    return assay.audit(find_bundled(), find_bundled("predictions"), quick=True, random_state=SEED)


def audit_trec() -> Audit:
    return assay.audit(find_shared("trec/trec.tsv.gz"), quick=True, random_state=SEED)


def audit_msrp() -> Audit:
    return assay.audit(find_shared("msrp/msrp.tsv.gz"), quick=True, random_state=SEED)


def audit_scores() -> Audit:
    """Audit the tables of scores of two benchmarks of many datasets."""
    table = pl.read_csv(find_shared("leaderboards/leaderboards.tsv.gz"), separator="\t")
    rows = table.filter(pl.col("benchmark").is_in(["GLUE", "SuperGLUE"])).to_dicts()
    data = {"text": ["a good film", "a bad film"], "label": ["1", "0"]}
    return assay.audit(data, scores=rows, only=["discrimination"], quick=True, random_state=SEED)


AUDITS: dict[str, Callable[[], Audit]] = {
    "arct": audit_arct,
    "trec": audit_trec,
    "msrp": audit_msrp,
    "scores": audit_scores,
}


def find_shared(name: str) -> Path:
    """Return the path of a file of real data, or skip if it is missing."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs the real data file ../shared/data/{name}")
    return path


def collect_numbers(audit: Audit) -> dict[str, Any]:
    """Return the findings, the counts of proposals, and every number of the sections by its path."""
    plain = audit.to_dict()
    names = set(walk_names(plain["sections"]))
    findings = [
        [finding.code, finding.severity, *(shorten(number) for number in (finding.value, finding.low, finding.high))]
        for finding in audit.findings
    ]
    sections = dict(walk_numbers(plain["sections"], names))
    return {"findings": findings, "items": plain["items_summary"], "sections": sections}


def walk_names(value: Any, column: str = "") -> Iterator[str]:
    """Yield what the data calls its labels, words, systems and datasets."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk_names(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from walk_names(inner, column)
    elif isinstance(value, str) and column in NAMED_BY_DATA:
        yield value


def walk_numbers(value: Any, names: Collection[str], path: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of nested values by their path; keys that are names of the data become positions."""
    if isinstance(value, dict):
        for place, (key, inner) in enumerate(value.items()):
            yield from walk_numbers(inner, names, f"{path}/#{place}" if key in names else f"{path}/{key}".lstrip("/"))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from walk_numbers(inner, names, f"{path}/{place}")
    elif isinstance(value, (int, float)) and (number := shorten(value)) is not None:
        yield path, number


def shorten(number: float) -> float | None:
    """Round to ten significant digits; None if a number is undefined."""
    return float(f"{number:.{DIGITS}g}") if math.isfinite(number) else None


def flatten(snapshot: dict[str, Any]) -> Numbers:
    """Return all numbers of a snapshot by their path."""
    flat = {f"items/{name}": number for name, number in snapshot["items"].items()}
    counts: dict[str, int] = {}
    for code, severity, *numbers in snapshot["findings"]:
        name = f"findings/{code} {severity}"
        counts[name] = counts.get(name, 0) + 1
        for end, number in zip(("value", "low", "high"), numbers, strict=True):
            flat[f"{name} {counts[name]}/{end}"] = math.nan if number is None else number
    return flat | snapshot["sections"]


def describe_differences(stored: Numbers, computed: Numbers) -> list[str]:
    """Return a line for each number that is missing, new or changed, at most 25 of a kind.

    >>> describe_differences({"a": 1.0, "b": 2.0, "c": 3.0}, {"b": 2.0, "c": 4.0, "d": 5.0})
    ['1 missing:', '  a: 1', '1 new:', '  d: 5', '1 changed:', '  c: 3 -> 4']
    """
    kinds = {
        "missing": [f"  {path}: {stored[path]:.{DIGITS}g}" for path in stored if path not in computed],
        "new": [f"  {path}: {computed[path]:.{DIGITS}g}" for path in computed if path not in stored],
        "changed": [
            f"  {path}: {stored[path]:.{DIGITS}g} -> {computed[path]:.{DIGITS}g}"
            for path in stored
            if path in computed and not is_close(stored[path], computed[path])
        ],
    }
    lines: list[str] = []
    for kind, found in kinds.items():
        if found:
            lines += [f"{len(found)} {kind}:", *found[:MAX_LINES]]
            lines += [f"  and {len(found) - MAX_LINES} more"] * (len(found) > MAX_LINES)
    return lines


def is_close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (math.isnan(a) and math.isnan(b))


def read_snapshot(name: str) -> dict[str, Any]:
    return dict(json.loads(gzip.decompress((SNAPSHOTS / f"{name}.json.gz").read_bytes())))


def write_snapshots() -> None:
    """Audit everything again, print what changed, and store the numbers."""
    for name, run in AUDITS.items():
        numbers = collect_numbers(run())
        path = SNAPSHOTS / f"{name}.json.gz"
        if path.exists():
            lines = describe_differences(flatten(read_snapshot(name)), flatten(numbers))
            print(f"{name}:", *(lines or ["unchanged"]), sep="\n")
        path.write_bytes(gzip.compress(json.dumps(numbers, allow_nan=False).encode(), 9, mtime=0))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "msrp")) for name in AUDITS])
def test_the_numbers_of_an_audit_are_as_stored(name):
    pytest.importorskip("lightgbm")
    lines = describe_differences(flatten(read_snapshot(name)), flatten(collect_numbers(AUDITS[name]())))
    assert not lines, "\n".join([f"{name} has changed:", *lines])


def test_a_changed_a_missing_and_a_new_number_are_told_apart():
    stored, computed = (
        {"a": 1.0, "b": 2.0, "c": 3.0, "d": math.nan},
        {"b": 2.0 + 1e-8, "c": 3.1, "d": math.nan, "e": 5.0},
    )
    lines = describe_differences(stored, computed)
    assert lines == ["1 missing:", "  a: 1", "1 new:", "  e: 5", "1 changed:", "  c: 3 -> 3.1"]


def test_names_of_the_data_are_stored_as_positions():
    nested = {"labels": {"sport": {"count": 3}, "food": {"count": 4}}, "sizes": [5, None, "text"], "ok": True}
    assert set(walk_names({"rows": [{"label": "sport", "kind": "exact"}, {"word": "ball"}]})) == {"sport", "ball"}
    assert dict(walk_numbers(nested, {"sport", "food"})) == {
        "labels/#0/count": 3.0,
        "labels/#1/count": 4.0,
        "sizes/0": 5.0,
        "ok": 1.0,
    }


def test_the_snapshots_are_small_and_hold_no_words_but_our_own():
    assert sum(path.stat().st_size for path in SNAPSHOTS.iterdir()) < MAX_BYTES
    sources = Path(assay.__file__).parent.rglob("*.py")
    known = set(re.findall(r"[^\W\d_]+", " ".join(path.read_text(encoding="utf-8") for path in sources)))
    for name in AUDITS:
        words = set(re.findall(r"[^\W\d_]+", " ".join(flatten(read_snapshot(name)))))
        assert words <= known, f"{name}: {sorted(words - known)}"


if __name__ == "__main__":
    write_snapshots()
