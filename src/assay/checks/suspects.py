"""Items that are probably bad, as a finding and as columns of the item table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from assay.base.errors import join_names
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import MIN_STAKE, Outcome, Severity, judge_stake, make_finding, name_limit
from assay.checks.information.results import InformationEvidence
from assay.checks.measured import Measurements
from assay.statistics import Interval
from assay.suspects import Suspects, compare_with_review
from assay.suspects.results import MIN_SUSPICION
from assay.suspects.reviews import describe_review
from assay.suspects.shares.contradictions import Contradictions
from assay.suspects.view import describe_expected, describe_suspected
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun

MIN_PRECISION, NEAR_PRECISION = 0.5, 0.1  # expected share of bad items among the suspects
NEAR_SHARE = 0.5  # of the lower half of the interval of wrong labels: a lower end so little above a threshold is close


def describe_suspects(
    suspects: Suspects, verdicts: pl.DataFrame | None = None, contradictions: Contradictions | None = None
) -> Suspects:
    """Return the suspects without their rows, which are in the item table, compared with people's verdicts.

    Contradictions that need more wrong labels than the single items show give the expected number of bad items.
    """
    review = None if verdicts is None else compare_with_review(suspects.choose()["id"].to_list(), verdicts)
    described = replace(suspects, items=None, items_top=[], review=review)
    if contradictions is None or not contradictions.is_decisive:
        return described
    share, n = contradictions.wrong_share, suspects.n_judged
    if suspects.bad_share.low >= share.low:
        return described
    expected = replace(share, value=n * share.value, low=n * share.low, high=n * share.high)
    return replace(described, expected_bad=expected, order_only=False)


def list_suspicion(suspects: Suspects, prefix: str = "") -> pl.DataFrame:
    """Return id, suggested label, suspicion and reasons of all items; the suggestion only of suspects."""
    is_suspect = pl.col("suspicion") >= MIN_SUSPICION
    return suspects.to_frame().select(
        "id",
        pl.when(is_suspect).then(pl.col("suggested")).alias(f"{prefix}suggested"),
        pl.col("suspicion").alias(f"{prefix}suspicion"),
        pl.when(is_suspect).then(pl.col("reasons")).alias(f"{prefix}doubts"),
    )


def find_judgement(measured: Measurements) -> tuple[str, Suspects] | None:
    """Return the suspects that an audit reports, and the rule that reports them; None if nothing judged the labels.

    An audit judges labels by all evidence, and by the systems' answers alone. Two numbers of bad items would answer one
    question, so the judgement of more items counts, and of the same items the one by all evidence.
    """
    information, discrimination = measured.find(InformationEvidence), measured.find(DiscriminationEvidence)
    judgements = {
        "A108": None if information is None else information.suspects,
        "A509": None if discrimination is None else discrimination.suspects,
    }
    known = [(code, suspects) for code, suspects in judgements.items() if suspects is not None]
    return max(known, key=lambda row: row[1].n_judged, default=None)


def report_suspects(suspects: Suspects, contradictions: Contradictions | None = None) -> Iterator[Outcome]:
    """Report suspects by their number and expected precision, or by the contradictions that give their number."""
    by_contradictions = contradictions is not None and suspects.expected_bad.method == contradictions.wrong_share.method
    if not suspects.suspected.count and not by_contradictions:
        return
    sentences = [describe_expected(suspects)]
    if suspects.suspected.count:
        sentences.insert(0, describe_suspected(suspects))
    if contradictions is not None and by_contradictions:
        sentences.insert(0, contradictions.describe())
    if suspects.review is not None:
        sentences.append(describe_review(suspects.review))
    share, n_suspects = suspects.bad_share, suspects.suspected.count
    reviewed = count_noun(n_suspects, "item") if n_suspects else "items"
    yield make_finding(
        judge_stake(share.low, "warning") if by_contradictions else _judge_suspects(suspects),
        " ".join(sentences),
        f"Review the {reviewed} with evidence from {join_names(suspects.sources)}, the "
        "most suspicious first (assay suspects gives reasons, assay repair applies fixes).",
        share,
        n=max(suspects.n_judged, 1),
        items=suspects.suspected.ids,
        evidence={"evidence": ", ".join(suspects.sources)},
        stake=share.value,
        limit=_find_near_limit(share)
        if by_contradictions
        else name_limit(suspects.precision, MIN_PRECISION, NEAR_PRECISION, "half of the suspects being bad"),
    )


def _find_near_limit(share: Interval) -> str:
    """Name the threshold of a warning if the lower end of a share is above it by little of the interval's width."""
    is_near = 0 <= share.low - MIN_STAKE <= NEAR_SHARE * (share.value - share.low)
    return f"{format_percent(MIN_STAKE)} for a warning" if is_near else ""


def _judge_suspects(suspects: Suspects) -> Severity:
    return judge_stake(suspects.bad_share.low) if suspects.precision >= MIN_PRECISION else "note"
