"""Audit public benchmarks and write one row for each into `docs/atlas.md`.

    python -m benchmarks.atlas [NAME…] [--write] [--cache DIR]

Finished audits are kept as JSON in the cache folder and reused; delete the folder to measure everything again. Only
aggregate figures are written, no texts of items. Without `--write` the table is printed.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from assay.wording.numbers import format_interval
from benchmarks.atlas_entries import CACHE, ENTRIES, Entry

PAGE = Path(__file__).parents[1] / "docs" / "atlas.md"
START, END = "<!-- table: python -m benchmarks.atlas --write -->", "<!-- end of table -->"


def audit_entry(name: str, cache: Path) -> Any:
    """Return the audit of a benchmark, from the cache if it is there."""
    import assay
    from assay.audits import Audit
    from assay.cli.output import write_json
    from assay.views.results import wrap_result

    path = cache / f"{name}.json"
    if path.exists():
        return Audit.from_json(path)
    start = time.perf_counter()
    result = assay.audit(**ENTRIES[name].read())
    write_json(str(path), wrap_result("audit", result, {"quick": True, "seed": 0}))
    print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return result


def write_row(entry: Entry, audit: Any) -> str:
    """Return the row of a benchmark: only counts, shares and our own words."""
    evidence = audit.evidence
    n_systems = evidence.discrimination.n_systems if evidence.discrimination is not None else 0
    if evidence.discrimination is not None and evidence.discrimination.basis == "quick models":
        n_systems = 0
    n_items = audit.data.rows or (evidence.discrimination.n_test if evidence.discrimination is not None else None)
    if evidence.discrimination is not None and evidence.discrimination.basis == "scores":
        items = f"{len(evidence.discrimination.datasets)} datasets"
    else:
        items = f"{n_items:,}" if n_items else "–"
    kind = entry.kind or (audit.data.task.replace("-", " ") if audit.data.rows else "leaderboard")
    cells = [
        entry.title,
        kind,
        items,
        f"{n_systems:,}" if n_systems else "none",
        describe_leakage(evidence),
        describe_shortcuts(evidence),
        describe_suspects(evidence),
        describe_discrimination(evidence),
        describe_saturation(evidence),
        describe_forecast(evidence),
        describe_responses(evidence),
        entry.count_reviews() if entry.count_reviews is not None else "not checked",
        entry.change,
    ]
    return f"| {' | '.join(cells)} |"


def describe_leakage(evidence: Any) -> str:
    """Return the share of test items that are in train, or of copies within the data."""
    profile = evidence.profile
    if profile is None or not profile.data.n_items:
        return "no texts"
    near = {(row.part, row.kind): row.items for row in profile.overlaps if row.part == "test"} or {
        (row.part, row.kind): row.items for row in profile.overlaps
    }
    if not near:
        return f"one part; {percent(profile.copies.share)} copies"
    part = next(iter(near))[0]
    counts = [f"{kind} {percent(near[part, kind].share)}" for kind in ("exact", "near") if (part, kind) in near]
    return f"{part}: {', '.join(counts)}"


def describe_shortcuts(evidence: Any) -> str:
    """Return what the best trivial baseline scores compared with chance, or what shortcuts alone score."""
    information, task = evidence.information, evidence.task
    if information is not None:
        majority = next((row.accuracy.value for row in information.shortcuts.baselines if row.name == "majority"), None)
        beside = "" if majority is None else f" (majority {percent(majority)})"
        return f"shortcut model {percent(information.shortcuts.shortcut_model.accuracy)}{beside}"
    if task is not None and task.baselines:
        usable = [row for row in task.baselines if row.shortcut != "model"] or task.baselines
        best = max(usable, key=lambda row: row.value)
        chance = f" (chance {percent(task.chance)})" if task.chance == task.chance else ""
        return f"{best.baseline.replace('-', ' ')} {percent(best.value)}{chance}"
    return "–"


def describe_suspects(evidence: Any) -> str:
    """Return the expected number of bad items."""
    discrimination, information = evidence.discrimination, evidence.information
    found = discrimination.suspects if discrimination is not None and discrimination.n_systems > 1 else None
    if found is None and information is not None:
        found = getattr(information, "suspects", None)
    if found is None or found.expected_bad.value != found.expected_bad.value:
        return "–"
    return format_interval(found.expected_bad, "rounded:0")


def describe_discrimination(evidence: Any) -> str:
    """Return λ_hit or the number of datasets, and how many systems may be first."""
    found = evidence.discrimination
    if found is None:
        return "–"
    if found.basis == "quick models" or found.n_systems < 2:
        return "no systems to rank"
    parts = []
    row = found.datasets[0]
    if len(found.datasets) == 1 and row.lambda_hit.value == row.lambda_hit.value:
        parts.append(f"λ_hit {row.lambda_hit.value:.3f} ({row.lambda_hit_null:.2f} if equal)")
    ranked = [system for system in found.systems if system.rank_low is not None]
    if ranked:
        n_first = sum(system.rank_low == 1 for system in ranked)
        parts.append(f"{n_first:,} may be first")
    return "; ".join(parts) or "too few systems"


def describe_saturation(evidence: Any) -> str:
    """Return the headroom, and the share of items that all systems get right."""
    found = evidence.discrimination
    if found is None or found.basis == "quick models" or found.n_systems < 2:
        return "–"
    if len(found.datasets) > 1:
        n_full = sum(row.headroom < 2 for row in found.datasets)
        return f"{n_full} of {len(found.datasets)} with headroom < 2"
    text = f"headroom {found.datasets[0].headroom:.1f}"
    for items in (found.items or ())[:1]:
        text += f"; all right on {percent(items.n_all_right / items.n_items)}"
    return text


def describe_forecast(evidence: Any) -> str:
    """Return λ_var as forecast from the data alone."""
    found = evidence.forecast
    if found is None:
        return "–"
    text = f"λ_var {found.lambda_var.value:.1f} [{found.lambda_var.low:.1f}, {found.lambda_var.high:.1f}]"
    return f"{text}, out of range" if found.out_of_range else text


def describe_responses(evidence: Any) -> str:
    """Return the share of responses without a conclusion, and answers that are stated and were not extracted."""
    found = evidence.responses
    if found is None or not found.n_responses:
        return "not checked"
    whole = sum(row.states.get(name, 0) for row in found.systems for name in ("complete", "run-on"))
    lost = sum(row.recovered for row in found.systems)
    text = f"{percent(1 - whole / found.n_responses)} of {found.n_responses:,} without a conclusion"
    return f"{text}; {lost:,} answers not extracted" if found.has_extraction else text


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.0512), percent(0.41)
    ('5.1%', '41%')
    """
    return f"{100 * share:.1f}%" if 0 < share < 0.1 else f"{100 * share:.0f}%"


COLUMNS = (
    *("benchmark", "kind", "items", "systems", "leakage", "shortcuts", "suspects", "discrimination", "saturation"),
    *("forecast", "responses", "reviews", "what we would change"),
)


def write_table(rows: list[str]) -> str:
    """Return the table in Markdown."""
    return "\n".join([f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS), *rows])


def replace_rows(table: str, rows: dict[str, str]) -> list[str]:
    """Return the rows of all benchmarks: the new ones, and those of the page for benchmarks that were not measured."""
    known = {line.split(" | ")[0].removeprefix("| "): line for line in table.strip().splitlines()[2:]}
    titles = [entry.title for entry in ENTRIES.values()]
    return [(rows | {title: known[title] for title in known if title not in rows})[title] for title in titles]


def main() -> None:
    """Audit what is named, or everything, and print or write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help="write the rows into docs/atlas.md; other rows stay")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of finished audits")
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    names = options.names or list(ENTRIES)
    rows = {ENTRIES[name].title: write_row(ENTRIES[name], audit_entry(name, options.cache)) for name in names}
    if not options.write:
        print(write_table(list(rows.values())))
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    table, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{START}\n{write_table(replace_rows(table, rows))}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
