"""Items that are probably bad, as evidence and as columns of the item table."""

from __future__ import annotations

import polars as pl

from assay.audits.evidence.common import MAX_IDS, ItemCount, SuspectItems
from assay.statistics import Interval
from assay.suspects import Suspects, compare_with_review
from assay.suspects.results import MIN_SUSPICION


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
