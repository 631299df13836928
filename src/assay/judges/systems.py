"""The scores that judges give to systems, corrected for the judges' known errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.judges.verdicts import Verdicts
from assay.statistics import Interval, effective_wilson, normal_quantile, rogan_gladen, wilson
from assay.views.results import Result

MIN_CONSTANT_ITEMS = 20  # answers of one and the same length that make a constant answer


@dataclass(frozen=True)
class JudgedSystem(Result):
    """The mean verdict on one system: share of wins (ties half) or of right answers, or mean score.

    `is_constant` marks a system that gave the same answer to every item.
    """

    _properties = ("score",)

    judge: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    n: int
    mean: Interval
    is_constant: bool

    @property
    def score(self) -> float:
        """The mean verdict."""
        return self.mean.value


@dataclass(frozen=True)
class CorrectedScore(Result):
    """A score that is free of a judge's errors, as far as items with a gold verdict show them.

    `observed` is the judge's score on the `n` items without gold (on all if every item has one); `system` is None
    if verdicts are on one system only. Without a `value` there is a `reason`.
    """

    judge: str = field(metadata=NAME)
    system: str | None = field(metadata=NAME)
    n: int
    n_gold: int
    observed: float
    sensitivity: float
    specificity: float
    value: float
    low: float
    high: float
    method: str = field(metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)


def score_systems(verdicts: Verdicts, confidence: float) -> tuple[JudgedSystem, ...]:
    """Return the mean verdict of every judge on every system, if systems are named."""
    outcomes = _list_outcomes(verdicts.frame)
    if outcomes is None:
        return ()
    rows = []
    constant = _find_constant(outcomes)
    groups = outcomes.filter(pl.col("outcome").is_not_null()).group_by(["judge", "answered_by"], maintain_order=True)
    for (judge, system), part in groups:
        interval = average_verdicts(
            part["outcome"].to_numpy(), part["id"].to_numpy(), confidence, is_share=verdicts.kind != "scores"
        )
        rows.append(JudgedSystem(str(judge), str(system), part.height, interval, str(system) in constant))
    return tuple(rows)


def correct_scores(verdicts: Verdicts, confidence: float) -> tuple[CorrectedScore, ...]:
    """Correct the share of positive verdicts of each judge, and system, by its errors on items with gold."""
    if verdicts.kind == "scores" or not verdicts.frame["gold"].is_not_null().any():
        return ()
    frame = verdicts.frame.filter(pl.col("verdict").is_not_null())
    system_column = _find_scored_system(frame)
    if verdicts.kind == "pairs" and system_column is None:
        return ()  # which answer is a, and which b, says nothing about a system
    keys = ["judge", *([system_column] if system_column else [])]
    rows = []
    for names, part in frame.group_by(keys, maintain_order=True):
        errors = frame.filter((pl.col("judge") == names[0]) & pl.col("gold").is_not_null())
        system = str(names[1]) if len(names) > 1 else None
        rows.append(_correct(str(names[0]), system, part, errors, confidence))
    return tuple(rows)


def _find_scored_system(frame: pl.DataFrame) -> str | None:
    """Return the column of the systems whose score is the mean verdict: named alone, or b against one reference."""
    if "system" in frame.columns:
        return "system"
    has_reference = {"system_a", "system_b"} <= set(frame.columns) and frame["system_a"].n_unique() == 1
    return "system_b" if has_reference else None


def _correct(
    judge: str, system: str | None, part: pl.DataFrame, errors: pl.DataFrame, confidence: float
) -> CorrectedScore:
    unlabelled = part.filter(pl.col("gold").is_null())
    scored = unlabelled if unlabelled.height else part

    def explain(reason: str) -> CorrectedScore:
        nothing = math.nan
        counts, unknown = (scored.height, errors.height), (nothing, nothing, nothing)
        return CorrectedScore(judge, system, *counts, *unknown, *unknown, "rogan-gladen", reason)

    values = pl.concat([scored["value"], errors["value"], errors["gold_value"]])
    if values.null_count() or not set(values.unique()) <= {0.0, 1.0}:
        return explain("the correction needs two kinds of verdict, such as right and wrong")
    truth, seen = errors["gold_value"].to_numpy() == 1, errors["value"].to_numpy() == 1
    n_positive, n_negative = int(truth.sum()), int((~truth).sum())
    if not n_positive or not n_negative:
        return explain("the gold verdicts are all alike")
    hits, spared = int((truth & seen).sum()), int((~truth & ~seen).sum())
    positives = float(scored["value"].sum())
    if unlabelled.height:
        corrected = rogan_gladen(positives, scored.height, hits, n_positive, spared, n_negative, confidence)
    else:  # every item has gold: the true share is known
        corrected = wilson(float(part["gold_value"].sum()), part.height, confidence)
    reason = None
    if math.isnan(corrected.value):
        reason = "the judge is hardly better than chance on the items with gold"
    return CorrectedScore(
        judge,
        system,
        scored.height,
        errors.height,
        positives / scored.height,
        hits / n_positive,
        spared / n_negative,
        corrected.value,
        corrected.low,
        corrected.high,
        corrected.method if unlabelled.height else "gold",
        reason,
    )


def _list_outcomes(frame: pl.DataFrame) -> pl.DataFrame | None:
    """Return one row per judged answer: who gave it, its outcome for that system, and its length."""
    if "system" in frame.columns:
        columns = [pl.col("system").alias("answered_by"), pl.col("value").alias("outcome")]
        return frame.select("judge", "id", *columns, _choose_length(frame))
    if not {"system_a", "system_b"} <= set(frame.columns):
        return None
    sides = [
        frame.select(
            "judge",
            "id",
            pl.col(f"system_{side}").alias("answered_by"),
            outcome.alias("outcome"),
            pl.col(f"length_{side}").alias("chars"),
        )
        for side, outcome in (("a", 1 - pl.col("value")), ("b", pl.col("value")))
    ]
    return pl.concat(sides)


def _choose_length(frame: pl.DataFrame) -> pl.Expr:
    return pl.coalesce("length", "length_b").alias("chars") if "length_b" in frame.columns else pl.col("length")


def _find_constant(outcomes: pl.DataFrame) -> set[str]:
    """Return the systems all of whose answers, on different items, have one length."""
    answers = outcomes.filter(pl.col("chars").is_not_null()).unique(["answered_by", "id"])
    sizes = answers.group_by("answered_by").agg(pl.len(), pl.col("chars").n_unique().alias("n_lengths"))
    chosen = sizes.filter((pl.col("len") >= MIN_CONSTANT_ITEMS) & (pl.col("n_lengths") == 1))
    return set(chosen["answered_by"].to_list())


def average_verdicts(values: Array, clusters: Array, confidence: float, *, is_share: bool) -> Interval:
    """Return the mean of verdicts with an interval over items."""
    mean = float(values.mean())
    _, groups = np.unique(clusters.astype(str), return_inverse=True)
    sums = np.bincount(groups, values - mean)
    n = len(sums)
    if n < 2:
        return Interval(mean, math.nan, math.nan, confidence)
    error = math.sqrt(float((sums**2).sum()) * n / (n - 1)) / len(values)
    if is_share:
        return effective_wilson(mean, error, n, confidence)
    half = normal_quantile(confidence) * error
    return Interval(mean, mean - half, mean + half, confidence, "normal")
