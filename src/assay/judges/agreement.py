"""Agreement of judges with gold verdicts, and with each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.judges.verdicts import Verdicts
from assay.statistics import Interval, cohen_kappa, fleiss_kappa, krippendorff_alpha
from assay.views.results import Result

MAX_PAIRS = 2500  # pairs of judges that are compared one by one
MIN_NUMBERS = 3  # for a correlation


@dataclass(frozen=True)
class JudgePair(Result):
    """How two judges agree on the items that both judged; `correlation` is for scores."""

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    n: int
    agreement: float
    kappa: Interval
    correlation: float


@dataclass(frozen=True)
class Agreement:
    """Agreement of one judge with a reference: share of equal verdicts, kappa, and correlation of scores."""

    n: int
    agreement: float
    kappa: Interval
    correlation: float


def compare_verdicts(joined: pl.DataFrame, confidence: float) -> Agreement:
    """Compare columns `verdict` and `other` (with `value`, `other_value`) of rows; `unit` groups dependent rows."""
    rows = joined.filter(pl.col("verdict").is_not_null() & pl.col("other").is_not_null())
    if not rows.height:
        nothing = Interval(math.nan, math.nan, math.nan, confidence)
        return Agreement(0, math.nan, nothing, math.nan)
    equal = int((rows["verdict"] == rows["other"]).sum())
    codes = pl.concat([rows["verdict"], rows["other"]]).rank("dense").to_numpy().astype(int)
    units = rows["unit"].rank("dense").to_numpy()
    kappa = cohen_kappa(codes[: rows.height], codes[rows.height :], confidence, clusters=units)
    correlation = _correlate(*(rows[name].fill_null(math.nan).to_numpy() for name in ("value", "other_value")))
    return Agreement(rows.height, equal / rows.height, kappa, correlation)


def compare_with_gold(rows: pl.DataFrame, confidence: float) -> Agreement:
    """Compare the verdicts of a judge with the gold verdicts."""
    return compare_verdicts(
        rows.with_columns(pl.col("gold").alias("other"), pl.col("gold_value").alias("other_value")), confidence
    )


def compare_with_others(verdicts: Verdicts, judge: str, confidence: float) -> Agreement:
    """Compare the verdicts of a judge with the majority of the others; items on which the others tie are left out."""
    keys = ["unit", "swapped"]
    others = verdicts.frame.filter((pl.col("judge") != judge) & pl.col("verdict").is_not_null())
    counts = others.group_by([*keys, "verdict"]).len().sort([*keys, "len"], descending=[False, False, True])
    top = counts.group_by(keys, maintain_order=True).agg(
        pl.col("verdict").first().alias("other"), (pl.col("len") == pl.col("len").first()).sum().alias("n_top")
    )
    means = others.group_by(keys).agg(pl.col("value").mean().alias("other_value"))
    majority = top.filter(pl.col("n_top") == 1).drop("n_top").join(means, on=keys, nulls_equal=True)
    joined = verdicts.take_judge(judge).join(majority, on=keys, nulls_equal=True)
    return compare_verdicts(joined, confidence)


def compare_judges(verdicts: Verdicts, confidence: float) -> tuple[JudgePair, ...]:
    """Compare every two judges on what both judged, in the same order of answers."""
    n_judges = len(verdicts.judges)
    if n_judges * (n_judges - 1) // 2 > MAX_PAIRS:
        return ()
    codes, values, units = _tabulate(verdicts)
    rows = []
    for first, second in combinations(range(n_judges), 2):
        both = (codes[first] >= 0) & (codes[second] >= 0)
        names = (verdicts.judges[first], verdicts.judges[second])
        if not both.any():
            rows.append(JudgePair(*names, 0, math.nan, Interval(math.nan, math.nan, math.nan, confidence), math.nan))
            continue
        one, two = codes[first, both], codes[second, both]
        kappa = cohen_kappa(one, two, confidence, clusters=units[both])
        correlation = _correlate(values[first, both], values[second, both])
        agreement = float((one == two).mean())
        rows.append(JudgePair(*names, int(both.sum()), agreement, kappa, correlation))
    return tuple(rows)


def _tabulate(verdicts: Verdicts) -> tuple[Array, Array, Array]:
    """Return numbers of verdicts (−1 = none) and values, judges × (item and order), and the item of each column."""
    frame = verdicts.frame.filter(pl.col("verdict").is_not_null())
    names = pl.Series(verdicts.judges)
    judges = frame["judge"].replace_strict(names, pl.int_range(len(names), eager=True)).to_numpy()
    columns = frame.select(pl.struct("unit", "swapped").rank("dense")).to_series().to_numpy().astype(int) - 1
    codes = np.full((len(names), columns.max() + 1), -1)
    values = np.full(codes.shape, np.nan)
    units = np.zeros(codes.shape[1], dtype=int)
    codes[judges, columns] = frame["verdict"].rank("dense").to_numpy().astype(int)
    values[judges, columns] = frame["value"].fill_null(math.nan).to_numpy()
    units[columns] = frame["unit"].rank("dense").to_numpy().astype(int)
    return codes, values, units


def _correlate(first: Array, second: Array) -> float:
    """Return the correlation of values, nan if there are too few or all are alike."""
    known = np.isfinite(first) & np.isfinite(second)
    one, two = first[known], second[known]
    if len(one) < MIN_NUMBERS or np.ptp(one) == 0 or np.ptp(two) == 0:
        return math.nan
    return float(np.corrcoef(one, two)[0, 1])


def measure_alpha(verdicts: Verdicts, confidence: float, n_resamples: int, random_state: int) -> Interval:
    """Return Krippendorff's alpha of all judges: of names, or of numbers if verdicts are scores."""
    level: Literal["nominal", "interval"] = "interval" if verdicts.kind == "scores" else "nominal"
    options: dict[str, Any] = {"confidence": confidence, "n_resamples": n_resamples, "random_state": random_state}
    return krippendorff_alpha(_collect_ratings(verdicts), level, **options)


def measure_fleiss(verdicts: Verdicts, confidence: float) -> Interval:
    """Return Fleiss' kappa of all judges."""
    return fleiss_kappa(_collect_ratings(verdicts), confidence)


def _collect_ratings(verdicts: Verdicts) -> list[list[Any]]:
    """Return the verdicts of all judges on each item and order of answers."""
    column = "value" if verdicts.kind == "scores" else "verdict"
    rows = verdicts.frame.filter(pl.col("verdict").is_not_null())
    lists = rows.group_by(["unit", "swapped"], maintain_order=True).agg(pl.col(column))
    ratings: list[list[Any]] = lists[column].to_list()
    return ratings
