"""Audit judges: agreement, biases, and what their scores are worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl

from assay.base.entry_points import entry_point, list_strings
from assay.base.marks import NAME, OWN
from assay.data.left_out import LeftOut
from assay.judges.agreement import (
    JudgePair,
    compare_judges,
    compare_with_gold,
    compare_with_others,
    measure_alpha,
    measure_fleiss,
)
from assay.judges.biases import measure_family_share, measure_first_share, measure_flips, measure_longer_share
from assay.judges.calibration import JudgeCalibration, measure_calibration
from assay.judges.systems import CorrectedScore, JudgedSystem, average_verdicts, correct_scores, score_systems
from assay.judges.verdicts import Verdicts, read_verdicts
from assay.statistics import Interval, wilson
from assay.views.blocks import Block
from assay.views.results import Result


@dataclass(frozen=True)
class Judge(Result):
    """One judge: agreement with the reference, accuracy if gold exists, and its biases; nan if unknown.

    `longer_gold_share` is how often the longer answer is truly better, `own_family_others` how often judges of other
    families prefer the answers of this judge's family on the same items. `right` is the share of verdicts equal to
    gold; the others are shares of items whose verdict changes with the order of the answers, and of wins.
    """

    _properties = ("accuracy", "position_flip_rate", "first_position_share", "longer_wins_share")

    judge: str = field(metadata=NAME)
    n: int
    agreement: float
    kappa: float
    kappa_low: float
    kappa_high: float
    right: Interval
    correlation: float
    n_both_orders: int
    position_flips: Interval
    first_wins: Interval
    longer_wins: Interval
    longer_gold_share: float
    own_family_wins: Interval
    own_family_others: float

    @property
    def accuracy(self) -> float:
        """The share of verdicts equal to gold."""
        return self.right.value

    @property
    def position_flip_rate(self) -> float:
        """The share of items whose verdict changes with the order of the answers."""
        return self.position_flips.value

    @property
    def first_position_share(self) -> float:
        """How often the answer shown first wins."""
        return self.first_wins.value

    @property
    def longer_wins_share(self) -> float:
        """How often the longer answer wins."""
        return self.longer_wins.value


@dataclass(frozen=True)
class ConstantVerdict(Result):
    """The accuracy of always giving the most frequent gold verdict: what a judge has to beat."""

    _properties = ("accuracy",)

    verdict: str = field(metadata=NAME)
    share: Interval
    n: int

    @property
    def accuracy(self) -> float:
        """The share of items for which this verdict is right."""
        return self.share.value


@dataclass(frozen=True)
class JudgeAudit(Result):
    """All judges, their pairwise agreement, alpha over all, the scores of systems, their correction, and calibration.

    `reference` says what agreement and kappa of a judge are with: gold, or the majority of the other judges.
    """

    _table: ClassVar[str] = "judges"

    judges: tuple[Judge, ...]
    pairs: tuple[JudgePair, ...]
    alpha: Interval
    fleiss_kappa: Interval
    systems: tuple[JudgedSystem, ...]
    corrected: tuple[CorrectedScore, ...]
    constant_verdict: ConstantVerdict | None
    kind: str = field(metadata=OWN)
    reference: str = field(metadata=OWN)
    n_items: int
    n_verdicts: int
    confidence: float = 0.95
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    calibration: tuple[JudgeCalibration, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield judges, the scores that they give, and the verdict."""
        from assay.judges.view import show_judges

        yield from show_judges(self)


@entry_point()
def audit_judges(
    verdicts: Any,
    *,
    gold: str | None = None,
    judges: str | Sequence[str] = (),
    swapped: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> JudgeAudit:
    """Measure how well judges agree with gold verdicts and with each other, and their biases, and correct their scores.

    `verdicts` is a table (path, frame, dict) with `id`, `judge`, `verdict`, or `id` and one column per judge; `judges`
    names these columns and `gold` the column of gold verdicts. `order` (ab, ba) in the table, or a second table
    `swapped`, says how answers were shown. Verdicts name answers, not positions.

    >>> table = {"id": [1, 2, 3, 4], "gold": list("abab"), "x": list("abbb"), "y": list("abab")}
    >>> result = audit_judges(table)
    >>> [(row.judge, row.accuracy, round(row.kappa, 2)) for row in result.judges], round(result.alpha.value, 2)
    ([('x', 0.75, 0.5), ('y', 1.0, 1.0)], 0.53)
    """
    table = read_verdicts(verdicts, gold=gold, judges=list_strings(judges), swapped=swapped)
    has_gold = table.frame["gold"].is_not_null().any()
    rows = tuple(_describe_judge(table, judge, bool(has_gold), confidence) for judge in table.judges)
    several = len(table.judges) > 1
    undefined = Interval(math.nan, math.nan, math.nan, confidence)
    return JudgeAudit(
        judges=rows,
        pairs=compare_judges(table, confidence),
        alpha=measure_alpha(table, confidence, n_resamples, random_state) if several else undefined,
        fleiss_kappa=measure_fleiss(table, confidence) if several and table.kind != "scores" else undefined,
        systems=score_systems(table, confidence),
        corrected=correct_scores(table, confidence),
        constant_verdict=_find_constant_verdict(table, confidence),
        kind=table.kind,
        reference="gold" if has_gold else "other judges" if several else "none",
        n_items=table.frame["unit"].n_unique(),
        n_verdicts=int(table.frame["verdict"].is_not_null().sum()),
        confidence=confidence,
        notes=(*table.notes, *_note_order(table)),
        calibration=measure_calibration(table, confidence, random_state),
        left_out=table.left_out,
    )


def _describe_judge(table: Verdicts, judge: str, has_gold: bool, confidence: float) -> Judge:
    rows = table.take_judge(judge)
    agreement = compare_with_gold(rows, confidence) if has_gold else compare_with_others(table, judge, confidence)
    undefined = Interval(math.nan, math.nan, math.nan, confidence)
    accuracy = _measure_accuracy(rows, confidence) if has_gold else undefined
    flips = first = longer = longer_gold = family = undefined
    n_both, others = 0, math.nan
    if table.kind == "pairs":
        flips, n_both = measure_flips(rows, confidence)
        first = measure_first_share(rows, confidence)
        longer = measure_longer_share(rows, confidence)
        longer_gold = measure_longer_share(rows.unique("unit", maintain_order=True), confidence, "gold")
        family, others = measure_family_share(table, judge, confidence)
    kappa = agreement.kappa
    return Judge(
        judge=judge,
        n=rows.height,
        agreement=agreement.agreement,
        kappa=kappa.value,
        kappa_low=kappa.low,
        kappa_high=kappa.high,
        right=accuracy,
        correlation=agreement.correlation,
        n_both_orders=n_both,
        position_flips=flips,
        first_wins=first,
        longer_wins=longer,
        longer_gold_share=longer_gold.value,
        own_family_wins=family,
        own_family_others=others,
    )


def _measure_accuracy(rows: pl.DataFrame, confidence: float) -> Interval:
    """Return the share of verdicts equal to gold, with an interval over items."""
    judged = rows.filter(pl.col("gold").is_not_null())
    if not judged.height:
        return Interval(math.nan, math.nan, math.nan, confidence)
    right = (judged["verdict"] == judged["gold"]).to_numpy().astype(float)
    if judged["unit"].n_unique() == judged.height:
        return wilson(float(right.sum()), judged.height, confidence)
    return average_verdicts(right, judged["unit"].to_numpy(), confidence, is_share=True)


def _find_constant_verdict(table: Verdicts, confidence: float) -> ConstantVerdict | None:
    gold = table.frame.filter(pl.col("gold").is_not_null()).unique("unit", maintain_order=True)["gold"]
    if table.kind == "scores" or not len(gold):
        return None
    counts = gold.value_counts().sort(["count", "gold"], descending=[True, False])
    interval = wilson(float(counts["count"][0]), len(gold), confidence)
    return ConstantVerdict(str(counts["gold"][0]), interval, len(gold))


def _note_order(table: Verdicts) -> tuple[str, ...]:
    if table.kind != "pairs" or table.has_order:
        return ()
    return (f"{table.name}: no column order; answer a is taken as the one shown first.",)
