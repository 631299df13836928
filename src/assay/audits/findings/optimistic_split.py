"""A random split that promises more than harder splits keep."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import difference
from assay.base.wording import format_percent, format_points

CHALLENGING = ("length", "rare-words", "wasserstein", "sds-k-means")
LEAST_DROP = 0.02
FAMILIES_TRIED = len(CHALLENGING)


def find(seen: Seen) -> Iterator[Finding]:
    """Report the largest drop from random folds to a challenging split, if surely above 2 points.

    Intervals are Bonferroni's over the splits tried.
    """
    rows = [row for row in seen.result("splits").get("families", []) if row["model"] == "linear"]
    scores = {row["split"]: (row["accuracy"], row["n"]) for row in rows}
    if "random" not in scores:
        return
    confidence = 1 - 0.05 / FAMILIES_TRIED
    drops = {name: difference(scores["random"], scores[name], confidence) for name in CHALLENGING if name in scores}
    if not drops:
        return
    worst = max(drops, key=lambda name: drops[name].low)
    drop = drops[worst]
    if drop.low > LEAST_DROP:
        claim = (
            f"A random split is optimistic: the quick model scores {format_percent(scores['random'][0])} there and "
            f"{format_percent(scores[worst][0])} under the {worst} split, {format_points(drop)} less."
        )
        action = "Report scores under challenging folds too (assay split; --folds-out writes recommended ones)."
        n = {name: row[1] for name, row in scores.items()}
        yield OPTIMISTIC.finding(
            "warning", claim, drop, action, {"split": worst, "n": n[worst], "n_random": n["random"]}
        )


OPTIMISTIC = Check("A201", "splits", "Random split optimistic", find)
