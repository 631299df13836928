"""Datasets that no longer tell systems apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import numbers, quoted
from assay.discrimination.verdict import LAMBDA_VAR, NO, OPEN
from assay.statistics import Interval

MOST = 10


def find(seen: Seen) -> Iterator[Finding]:
    """Report datasets whose λ lies surely below the thresholds of paper 000; where it may or may not, say so."""
    result = seen.result("discrimination")
    rows = [row for row in result.get("datasets", []) if row["n_systems"] > 2]
    judged = [row for row in rows if row["lambda_var"] is not None and row["verdict"] in (NO, OPEN)]
    for row in judged[:MOST]:
        yield from told(row, quick=result["basis"] == "quick models")


def told(row: dict[str, Any], quick: bool) -> Iterator[Finding]:
    """Say what a row's verdict means."""
    value = Interval(row["lambda_var"], row["lambda_var_low"] or float("nan"), row["lambda_var_high"] or float("nan"))
    who = f"{row['n_systems']} {'quick models' if quick else 'systems'}"
    evidence = {
        "dataset": row["dataset"],
        "n": row["n_items"],
        "n_systems": row["n_systems"],
        "basis": row["verdict_basis"],
    }
    if row["verdict"] == NO:
        claim = (
            f"{quoted(row['dataset'])} does not tell {who} apart: λ_var {numbers(value)} on the percent scale, below "
            f"{LAMBDA_VAR:g} ({row['verdict_basis']})."
        )
        severity = "note" if quick or row["verdict_basis"] != "interval" else "warning"
        yield NO_DISCRIMINATION.finding(severity, claim, value, "Add harder items, or retire it.", evidence)
    else:
        name = quoted(row["dataset"])
        claim = f"Cannot tell whether {name} tells {who} apart: λ_var {numbers(value)} around {LAMBDA_VAR:g}."
        action = "More items narrow the interval: four times as many halve it."
        yield NO_DISCRIMINATION.finding("note", claim, value, action, evidence)


NO_DISCRIMINATION = Check("A501", "discrimination", "Does not discriminate", find)
