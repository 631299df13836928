"""Items that are probably bad, as a finding and as columns of the item table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from assay.checks.findings import Outcome, Severity, judge_stake, make_finding
from assay.suspects import Suspects, compare_with_review
from assay.suspects.results import MIN_SUSPICION
from assay.suspects.reviews import describe_review
from assay.suspects.view import describe_expected, describe_suspected

MIN_PRECISION = 0.5  # expected share of bad items among the suspects


def describe_suspects(suspects: Suspects, verdicts: pl.DataFrame | None = None) -> Suspects:
    """Return the suspects without their rows, which are in the item table, compared with people's verdicts."""
    review = None if verdicts is None else compare_with_review(suspects.choose()["id"].to_list(), verdicts)
    return replace(suspects, items=None, items_top=[], review=review)


def list_suspicion(suspects: Suspects, prefix: str = "") -> pl.DataFrame:
    """Return id, suggested label, suspicion and reasons of all items; the suggestion only of suspects."""
    is_suspect = pl.col("suspicion") >= MIN_SUSPICION
    return suspects.to_frame().select(
        "id",
        pl.when(is_suspect).then(pl.col("suggested")).alias(f"{prefix}suggested"),
        pl.col("suspicion").alias(f"{prefix}suspicion"),
        pl.when(is_suspect).then(pl.col("reasons")).alias(f"{prefix}doubts"),
    )


def report_suspects(suspects: Suspects) -> Iterator[Outcome]:
    """Report suspects by their number and expected precision."""
    if not suspects.suspected.count:
        return
    claim = f"{describe_suspected(suspects)} {describe_expected(suspects)}"
    if suspects.review is not None:
        claim += f" {describe_review(suspects.review)}"
    share = suspects.bad_share
    yield make_finding(
        _judge_suspects(suspects),
        claim,
        "Review these items, the most suspicious first (assay suspects gives reasons, assay repair applies fixes).",
        share,
        n=max(suspects.n_judged, 1),
        items=suspects.suspected.ids,
        evidence={"evidence": ", ".join(suspects.sources)},
        stake=share.value,
    )


def _judge_suspects(suspects: Suspects) -> Severity:
    return judge_stake(suspects.bad_share.low) if suspects.precision >= MIN_PRECISION else "note"
