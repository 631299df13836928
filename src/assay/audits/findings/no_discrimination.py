"""Datasets that no longer tell systems apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.base.wording import count_noun, format_estimate, quote
from assay.discrimination.lambdas.verdicts import (
    CANNOT_TELL,
    DOES_NOT_DISCRIMINATE,
    MIN_LAMBDA_SVA,
    MIN_LAMBDA_VAR,
)
from assay.statistics import Interval

MOST = 3  # datasets to speak of one by one
MOST_NAMED = 10
THRESHOLDS = {"lambda_var": ("λ_var", MIN_LAMBDA_VAR), "lambda_sva": ("λ_sva", MIN_LAMBDA_SVA)}
MORE_ITEMS = "More items narrow the intervals: four times as many halve them."
# λ_sva is the spread times the room above the mean, so the two may differ.
APART = {
    ("below", "above"): "Scores lie close together with much room above them: more items would tell systems apart.",
    ("above", "below"): "Scores differ, but near the top: harder items would tell systems apart.",
}
Row = dict[str, Any]


def find(seen: Seen) -> Iterator[Finding]:
    """Report datasets whose λ lies surely below the thresholds of paper 000; where it may or may not, say so.

    Of quick models only the former: nobody asks whether they can be told apart. Many datasets make one finding.
    """
    result = seen.result("discrimination")
    quick = result.get("basis") == "quick models"
    rows = [row for row in result.get("datasets", []) if row["n_systems"] > 2 and row["lambda_var"] is not None]
    for verdict, tell in ((DOES_NOT_DISCRIMINATE, silent), (CANNOT_TELL, unsure)):
        judged = [row for row in rows if row["verdict"] == verdict]
        if quick and verdict == CANNOT_TELL:
            continue
        if len(judged) > MOST:
            yield together(judged, len(rows), verdict)
        else:
            yield from (tell(row, quick) for row in judged)


def silent(row: Row, quick: bool) -> Finding:
    """Say that a dataset does not tell systems apart."""
    number = interval(row, "lambda_var")
    claim = (
        f"{named(row)} does not tell {who(row, quick)} apart: {placed(row)} ({row['verdict_basis']}, percent scale)."
    )
    severity = "note" if quick or row["verdict_basis"] != "interval" else "warning"
    action = (
        "Measure it with real systems (--predictions) before judging." if quick else "Add harder items, or retire it."
    )
    return NO_DISCRIMINATION.finding(severity, claim, number, action, evidence(row))


def unsure(row: Row, quick: bool) -> Finding:
    """Say that nobody can tell, and what would help."""
    number = interval(row, "lambda_var")
    claim = f"Cannot tell whether {named(row)} tells {who(row, quick)} apart: {placed(row)}."
    action = APART.get((side(row, "lambda_var"), side(row, "lambda_sva")), MORE_ITEMS)
    return NO_DISCRIMINATION.finding("note", claim, number, action, evidence(row))


def together(judged: list[Row], n: int, verdict: str) -> Finding:
    """Say it of many datasets at once, those with the lowest λ first."""
    judged = sorted(judged, key=lambda row: row["lambda_var"])
    names = ", ".join(named(row) for row in judged[:5])
    of = f"{len(judged)} of {count_noun(n, 'dataset')} (each metric by itself)"
    bars = f"λ_var {MIN_LAMBDA_VAR:g} and λ_sva {MIN_LAMBDA_SVA:g}"
    if verdict == DOES_NOT_DISCRIMINATE:
        claim = f"{of} do not tell their systems apart (below {bars}): {names}"
        action = "Add harder items to them, or retire them; discrimination.proposals names each."
    else:
        claim = f"Cannot tell of {of} whether they tell systems apart ({bars}): {names}"
        action = "Give the predictions of the systems for intervals (--predictions); look at the scores themselves."
    more = f" and {len(judged) - 5} more." if len(judged) > 5 else "."
    told = {"datasets": [row["dataset"] for row in judged[:MOST_NAMED]], "count": len(judged), "n": n}
    return NO_DISCRIMINATION.finding("note", claim + more, exact(float(len(judged))), action, told)


def placed(row: Row) -> str:
    """Say where each λ lies."""
    said = []
    for name, (sign, bar) in THRESHOLDS.items():
        if row.get(name) is None:
            continue
        number = format_estimate(interval(row, name), 2 if bar < 10 else 0)
        said.append(f"{sign} {number} is {side(row, name)} {bar:g}")
    return ", ".join(said)


def side(row: Row, name: str) -> str:
    """Tell on which side of its threshold a λ lies: around, where the interval holds it."""
    if row.get(name) is None:
        return ""
    number, bar = interval(row, name), THRESHOLDS[name][1]
    low, high = (number.value,) * 2 if math.isnan(number.low) else (number.low, number.high)
    return "above" if low >= bar else "below" if high < bar else "around"


def interval(row: Row, name: str) -> Interval:
    """Return a λ with its interval, nan where there is none."""
    low, high = (math.nan if row.get(name + end) is None else row[name + end] for end in ("_low", "_high"))
    return Interval(row[name], low, high)


def named(row: Row) -> str:
    """Name a dataset, and its metric where a table of scores tells it."""
    return quote(row["dataset"]) + (f" ({row['metric']})" if row.get("metric") and not row.get("n_items") else "")


def who(row: Row, quick: bool) -> str:
    """Say which systems are meant."""
    return count_noun(row["n_systems"], "quick model" if quick else "system")


def evidence(row: Row) -> dict[str, Any]:
    """Return what the claim rests on."""
    names = ("dataset", "n_systems", "lambda_var", "lambda_sva")
    return {**{name: row.get(name) for name in names}, "n": row["n_items"], "basis": row["verdict_basis"]}


NO_DISCRIMINATION = Check("A501", "discrimination", "Does not discriminate", find)
