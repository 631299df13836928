"""Audit judges: agreement, biases, and what their scores are worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from assay.base.entry_points import entry_point
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

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Judge(Result):
    """One judge: agreement with the reference, accuracy if gold exists, and its biases; nan if unknown.

    `longer_gold_share` is how often the longer answer is truly better, `own_family_others` how often judges of other
    families prefer the answers of this judge's family on the same items.
    """

    judge: str = field(metadata=NAME)
    n: int
    agreement: float
    kappa: float
    kappa_low: float
    kappa_high: float
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    correlation: float
    n_both_orders: int
    position_flip_rate: float
    position_flip_low: float
    position_flip_high: float
    first_position_share: float
    first_position_low: float
    first_position_high: float
    longer_wins_share: float
    longer_wins_low: float
    longer_wins_high: float
    longer_gold_share: float
    own_family_share: float
    own_family_low: float
    own_family_high: float
    own_family_others: float

    @property
    def right(self) -> Interval:
        """The share of verdicts equal to gold."""
        return Interval(self.accuracy, self.accuracy_low, self.accuracy_high)

    @property
    def position_flips(self) -> Interval:
        """The share of items whose verdict changes with the order of the answers."""
        return Interval(self.position_flip_rate, self.position_flip_low, self.position_flip_high)

    @property
    def first_wins(self) -> Interval:
        """How often the answer shown first wins."""
        return Interval(self.first_position_share, self.first_position_low, self.first_position_high)

    @property
    def longer_wins(self) -> Interval:
        """How often the longer answer wins."""
        return Interval(self.longer_wins_share, self.longer_wins_low, self.longer_wins_high)

    @property
    def own_family_wins(self) -> Interval:
        """How often an answer of the judge's own family wins."""
        return Interval(self.own_family_share, self.own_family_low, self.own_family_high)


@dataclass(frozen=True)
class ConstantVerdict(Result):
    """The accuracy of always giving the most frequent gold verdict: what a judge has to beat."""

    verdict: str = field(metadata=NAME)
    accuracy: float
    low: float
    high: float
    n: int


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
    judges: Sequence[str] = (),
    swapped: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: int = 0,
) -> JudgeAudit:
    """Measure how far judges agree with gold and with each other, what biases them, and correct their scores.

    `verdicts` is a table (path, frame, dict) with `id`, `judge`, `verdict`, or `id` and one column per judge; `judges`
    names these columns and `gold` that of the gold verdicts. `order` (ab, ba) in the table, or a second table
    `swapped`, says how answers were shown. Verdicts name answers, not positions.

    >>> table = {"id": [1, 2, 3, 4], "gold": list("abab"), "x": list("abbb"), "y": list("abab")}
    >>> result = audit_judges(table)
    >>> [(row.judge, row.accuracy, round(row.kappa, 2)) for row in result.judges], round(result.alpha.value, 2)
    ([('x', 0.75, 0.5), ('y', 1.0, 1.0)], 0.53)
    """
    table = read_verdicts(verdicts, gold=gold, judges=judges, swapped=swapped)
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
        accuracy=accuracy.value,
        accuracy_low=accuracy.low,
        accuracy_high=accuracy.high,
        correlation=agreement.correlation,
        n_both_orders=n_both,
        position_flip_rate=flips.value,
        position_flip_low=flips.low,
        position_flip_high=flips.high,
        first_position_share=first.value,
        first_position_low=first.low,
        first_position_high=first.high,
        longer_wins_share=longer.value,
        longer_wins_low=longer.low,
        longer_wins_high=longer.high,
        longer_gold_share=longer_gold.value,
        own_family_share=family.value,
        own_family_low=family.low,
        own_family_high=family.high,
        own_family_others=others,
    )


def _measure_accuracy(rows: pl.DataFrame, confidence: float) -> Interval:
    """Return the share of verdicts equal to gold, with an interval over items."""
    import polars as pl

    judged = rows.filter(pl.col("gold").is_not_null())
    if not judged.height:
        return Interval(math.nan, math.nan, math.nan, confidence)
    right = (judged["verdict"] == judged["gold"]).to_numpy().astype(float)
    if judged["unit"].n_unique() == judged.height:
        return wilson(float(right.sum()), judged.height, confidence)
    return average_verdicts(right, judged["unit"].to_numpy(), confidence, is_share=True)


def _find_constant_verdict(table: Verdicts, confidence: float) -> ConstantVerdict | None:
    import polars as pl

    gold = table.frame.filter(pl.col("gold").is_not_null()).unique("unit", maintain_order=True)["gold"]
    if table.kind == "scores" or not len(gold):
        return None
    counts = gold.value_counts().sort(["count", "gold"], descending=[True, False])
    interval = wilson(float(counts["count"][0]), len(gold), confidence)
    return ConstantVerdict(str(counts["gold"][0]), interval.value, interval.low, interval.high, len(gold))


def _note_order(table: Verdicts) -> tuple[str, ...]:
    if table.kind != "pairs" or table.has_order:
        return ()
    return (f"{table.name}: no column order; answer a is taken as the one shown first.",)
