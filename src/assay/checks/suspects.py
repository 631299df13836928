"""Items that are probably bad, as evidence and as columns of the item table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from assay.base.marks import OWN
from assay.base.wording import choose_verb, format_percent
from assay.checks.findings import Outcome, Severity, describe_count, judge_stake, make_finding
from assay.statistics import Interval
from assay.suspects import Review, Suspects, compare_with_review
from assay.suspects.results import MIN_SUSPICION
from assay.suspects.reviews import describe_review
from assay.views.results import Result
from assay.views.values import MAX_IDS, ItemCount

MIN_PRECISION = 0.5  # expected share of bad items among the suspects


@dataclass(frozen=True)
class SuspectItems(Result):
    """Items that are suspected to be bad, or to have a wrong gold label.

    These are the items with a probability of one half or more; if there are fewer than ten, of a quarter or more.
    `expected` is the number of bad items among all `n_judged`, `precision` the expected share among the suspects, and
    `evidence` names the sources of the suspicion. `review` compares them with the verdicts of people.
    """

    items: ItemCount
    n_judged: int
    expected: Interval
    precision: float
    evidence: tuple[str, ...] = field(metadata=OWN)
    review: Review | None = None


def describe_suspects(suspects: Suspects, verdicts: pl.DataFrame | None = None) -> SuspectItems:
    """Count the suspects."""
    chosen = suspects.choose()
    expected = suspects.expected_bad
    precision = chosen["suspicion"].mean()
    return SuspectItems(
        items=ItemCount(len(chosen), suspects.n_judged, tuple(chosen["id"].head(MAX_IDS).to_list())),
        n_judged=suspects.n_judged,
        expected=Interval(expected.value, expected.low, expected.high, method="mixture"),
        precision=float("nan") if not isinstance(precision, float) else precision,
        evidence=tuple(row.name for row in suspects.evidence if row.n_items),
        review=None if verdicts is None else compare_with_review(chosen["id"].to_list(), verdicts),
    )


def list_suspicion(suspects: Suspects, prefix: str = "") -> pl.DataFrame:
    """Return id, suggested label, suspicion and reasons of all items; the suggestion only of suspects."""
    is_suspect = pl.col("suspicion") >= MIN_SUSPICION
    return suspects.to_frame().select(
        "id",
        pl.when(is_suspect).then(pl.col("suggested")).alias(f"{prefix}suggested"),
        pl.col("suspicion").alias(f"{prefix}suspicion"),
        pl.when(is_suspect).then(pl.col("reasons")).alias(f"{prefix}doubts"),
    )


def report_suspects(suspects: SuspectItems) -> Iterator[Outcome]:
    """Report suspects by their number and expected precision."""
    items, n = suspects.items, max(suspects.n_judged, 1)
    if not items.count:
        return
    expected = suspects.expected
    claim = (
        f"{describe_count(items)} {choose_verb(items.count, 'is', 'are')} suspected of a wrong gold label or another "
        f"defect, rightly so for about {format_percent(suspects.precision)} of them. In all, about "
        f"{expected.value:.0f} bad items are expected [{expected.low:.0f}, {expected.high:.0f}]."
    )
    if suspects.review is not None:
        claim += f" {describe_review(suspects.review)}"
    share = Interval(expected.value / n, expected.low / n, expected.high / n, method=expected.method)
    action = "Review these items, the most suspicious first (assay suspects gives reasons, assay repair applies fixes)."
    evidence = {"evidence": ", ".join(suspects.evidence)}
    severity: Severity = judge_stake(share.low) if suspects.precision >= MIN_PRECISION else "note"
    yield make_finding(severity, claim, action, share, n=n, items=items.ids, evidence=evidence, stake=share.value)
