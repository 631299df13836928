"""Decide from the scores of a judge on all items and the labels of people on some."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError, join_names
from assay.data import Dataset
from assay.data.readers.frames import read_frame
from assay.decisions.estimation import scale_interval
from assay.decisions.needs import find_effect
from assay.decisions.pairs import POINTS, choose_systems
from assay.decisions.results import DecidedMetric, Decision, JudgeSupport
from assay.decisions.settings import DecisionSettings
from assay.decisions.verdicts import choose_verdict
from assay.judges import read_verdicts
from assay.statistics import Interval, PredictionPowered, count_labels, estimate_powered_mean
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    import polars as pl

N_SUGGESTED = 20
N_BINS = 4
POWER_SHARE = 1.959964 / (1.959964 + 0.841621)  # half width over effect, for 80% power
PROBABILITY = "draw_probability"


@dataclass(frozen=True, eq=False)
class JudgedDifferences:
    """The difference of two systems on each item by the judge, and by people; nan if people did not label it."""

    ids: list[str]
    judged: Array
    labelled: Array
    weights: Array | None  # 1 / the probability of being labelled; None if all items had the same
    baseline: str
    candidate: str
    factor: float
    unit: str
    span: float
    scores: tuple[tuple[Array, Array], ...] = ()  # of each system: by the judge, and by people
    notes: tuple[str, ...] = ()


def decide_judged(
    judge: Any, gold: str | None, others: Any, baseline: str | None, candidate: str | None, settings: DecisionSettings
) -> Decision:
    """Decide from a judge and few labels; `others` are tables in which the column `gold` may be instead."""
    if gold is None:
        raise UsageError("The column with the labels of people is not named.", hint="Name it with {gold}.")
    items = read_judged(judge, gold, others, baseline, candidate)
    has_label = np.isfinite(items.labelled)
    if has_label.sum() < 3:
        fact = f"the column '{gold}' labels {has_label.sum()} items of both systems"
        raise AssayError(fact, hint="At least 3 labelled items are needed.")
    powered = _combine(items, settings.alpha)
    factor = items.factor
    interval = _scale(powered, factor, 1 - settings.alpha, "prediction-powered")
    verdict = choose_verdict(interval, settings.margin).value
    means = [_estimate_score(items, scores) for scores in items.scores] or [float("nan")] * 2
    effect = find_effect(interval.value, settings.margin) / factor
    labels_needed = count_labels(
        powered.sd_residuals, powered.sd_predictions, powered.tuning, len(items.ids), effect * POWER_SHARE
    )
    support = JudgeSupport(
        n_labelled=powered.n_labelled,
        n_judged=len(items.ids),
        tuning=powered.tuning,
        relative_width=powered.relative_width,
        labels=scale_interval(powered.labels, factor),
        judge=factor * float(items.judged.mean()),
        labels_needed=labels_needed,
        spend_on=tuple(suggest_labels(items, powered.tuning, settings.random_state)),
    )
    labels = items.labelled[has_label]
    return Decision(
        verdict=verdict,
        difference=interval,
        baseline=items.baseline,
        candidate=items.candidate,
        metric=gold,
        baseline_score=means[0],
        candidate_score=means[1],
        margin=settings.margin,
        alpha=settings.alpha,
        unit=items.unit,
        n_items=len(items.ids),
        n_repeats=1,
        items_needed=None,
        repeats_needed=None,
        wins=int((labels > 0).sum()),
        losses=int((labels < 0).sum()),
        ties=int((labels == 0).sum()),
        metrics=(DecidedMetric(gold, verdict, interval, means[0], means[1], items.unit),),
        judge=support,
        notes=items.notes,
    )


def _combine(items: JudgedDifferences, alpha: float) -> PredictionPowered:
    return _estimate(items, items.judged, items.labelled, 1 - alpha, items.span)


def _estimate(
    items: JudgedDifferences, judged: Array, labelled: Array, confidence: float = 0.95, span: float = 0.0
) -> PredictionPowered:
    known = np.isfinite(labelled)
    weights = None if items.weights is None else items.weights[known]
    if weights is not None and not np.isfinite(weights).all():
        fact = f"{count_noun(int(np.isnan(weights).sum()), 'labelled item')} without a {PROBABILITY} between 0 and 1"
        raise AssayError(fact, hint="Give the probability with which each labelled item was drawn.")
    return estimate_powered_mean(labelled[known], judged[known], judged[~known], confidence, weights, span)


def _estimate_score(items: JudgedDifferences, scores: tuple[Array, Array]) -> float:
    judged, labelled = scores
    known = np.isfinite(labelled)
    if known.sum() < 3:
        return float("nan")
    return _estimate(items, judged, labelled).value


def _scale(powered: PredictionPowered, factor: float, confidence: float, method: str) -> Interval:
    return Interval(factor * powered.value, factor * powered.low, factor * powered.high, confidence, method)


def read_judged(judge: Any, gold: str, others: Any, baseline: str | None, candidate: str | None) -> JudgedDifferences:
    """Read scores of both systems (id, system, score), or verdicts between two answers (id, verdict)."""
    import polars as pl

    frame, name = read_frame(judge, "judge")
    frame = _make_long(frame, baseline, candidate, gold)
    if gold not in frame.columns:
        frame = _join_gold(frame, gold, others, name)
    verdicts = read_verdicts(frame, gold=gold)
    table = verdicts.frame.filter(pl.col("value").is_not_null())
    if not table.height:
        raise AssayError("the judge gives no scores, and no verdicts between two answers", place=name)
    weights = None
    if PROBABILITY in frame.columns:
        shares = frame[PROBABILITY].cast(pl.Float64, strict=False)
        pairs = zip(frame["id"], shares, strict=True)
        weights = {str(key): 1 / share for key, share in pairs if share is not None and 0 < share <= 1}
    if verdicts.kind == "pairs":
        return _take_pairs(table, baseline, candidate, weights, verdicts.notes)
    if "system" not in table.columns:
        raise AssayError("no column names the systems", place=name, hint="Call it system or model.")
    return _take_scores(table, baseline, candidate, weights, verdicts.notes)


def _make_long(frame: pl.DataFrame, baseline: str | None, candidate: str | None, gold: str) -> pl.DataFrame:
    """Return one row per item and system if the table has one column per system."""
    if baseline is None or candidate is None or not {baseline, candidate, "id"} <= set(frame.columns):
        return frame
    kept = [name for name in ("id", gold, PROBABILITY) if name in frame.columns]
    return frame.unpivot([baseline, candidate], index=kept, variable_name="system", value_name="score")


def _join_gold(frame: pl.DataFrame, gold: str, others: Any, name: str) -> pl.DataFrame:
    """Take the labels of people from another table, by id, and by system if both tables have it."""
    import polars as pl

    for source in _list_tables(others):
        table = source.frame if isinstance(source, Dataset) else read_frame(source, "labels")[0]
        systems = [column for column in ("system", "model") if column in table.columns and column in frame.columns]
        keys = ["id", *systems[:1]]
        if gold in table.columns and set(keys) <= set(frame.columns):
            labels = table.select(*keys, gold).filter(pl.col(gold).is_not_null()).unique(keys, keep="first")
            return frame.join(labels, on=keys, how="left", maintain_order="left")
    hint = f"Its columns: {join_names(frame.columns, 12)}."
    raise AssayError(f"no column '{gold}' with the labels of people", place=name, option="gold", hint=hint)


def _list_tables(others: Any) -> list[Any]:
    return [table for other in others for table in (other if isinstance(other, list) else [other]) if table is not None]


def _take_pairs(
    table: pl.DataFrame,
    baseline: str | None,
    candidate: str | None,
    weights: dict[str, float] | None,
    notes: tuple[str, ...],
) -> JudgedDifferences:
    """Return net wins: 1 if the candidate wins, −1 if it loses. Without names, the second answer is the candidate's."""
    import polars as pl

    first, second = baseline or "a", candidate or "b"
    if {"system_a", "system_b"} <= set(table.columns):
        known = list(dict.fromkeys([*table["system_a"], *table["system_b"]]))
        first, second = choose_systems([str(name) for name in known], baseline, candidate)
        straight = (pl.col("system_a") == first) & (pl.col("system_b") == second)
        turned = (pl.col("system_a") == second) & (pl.col("system_b") == first)
        table = table.filter(straight | turned).with_columns(sign=pl.when(straight).then(1.0).otherwise(-1.0))
    else:
        table = table.with_columns(sign=pl.lit(1.0))
    net = [(pl.col("sign") * (2 * pl.col(name) - 1)).alias(name) for name in ("value", "gold_value")]
    means = table.with_columns(net).group_by("id").agg(pl.col("value").mean(), pl.col("gold_value").mean()).sort("id")
    return _build_items(means, weights, (first, second, POINTS, "points", 2.0), notes)


def _take_scores(
    table: pl.DataFrame,
    baseline: str | None,
    candidate: str | None,
    weights: dict[str, float] | None,
    notes: tuple[str, ...],
) -> JudgedDifferences:
    """Return the differences of the scores of both systems on each item."""
    import polars as pl

    systems = [str(name) for name in table["system"].unique().sort().to_list()]
    first, second = choose_systems(systems, baseline, candidate)
    table = table.filter(pl.col("system").is_in([first, second]))
    means = table.group_by("id", "system").agg(pl.col("value").mean(), pl.col("gold_value").mean())
    parts = [means.filter(pl.col("system") == name).drop("system") for name in (first, second)]
    both = parts[0].join(parts[1], on="id", suffix="_b").sort("id")
    values = pl.concat([both["value"], both["value_b"], both["gold_value"], both["gold_value_b"]]).drop_nulls()
    low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
    has_shares = low >= 0 and high <= 1  # type: ignore[operator]
    scale = (POINTS, "points", 1.0) if has_shares else (1.0, "points of the score", float(high - low))  # type: ignore[operator, arg-type]
    difference = both.select(
        "id", value=pl.col("value_b") - pl.col("value"), gold_value=pl.col("gold_value_b") - pl.col("gold_value")
    )
    arrays = {name: both[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for name in both.columns[1:]}
    scores = ((arrays["value"], arrays["gold_value"]), (arrays["value_b"], arrays["gold_value_b"]))
    return _build_items(difference, weights, (first, second, *scale), notes, scores)


def _build_items(
    table: pl.DataFrame,
    weights: dict[str, float] | None,
    about: tuple[str, str, float, str, float],
    notes: tuple[str, ...],
    scores: tuple[tuple[Array, Array], ...] = (),
) -> JudgedDifferences:
    ids = [str(key) for key in table["id"].to_list()]
    judged, labelled = (table[name].fill_null(float("nan")).to_numpy() for name in ("value", "gold_value"))
    shares = None if weights is None else np.array([weights.get(key, math.nan) for key in ids])
    first, second, factor, unit, span = about
    return JudgedDifferences(ids, judged, labelled, shares, first, second, factor, unit, span, scores, notes)


def suggest_labels(items: JudgedDifferences, tuning: float, seed: int) -> list[str]:
    """Return items to label next: of those without a label, the ones for whose scores the judge erred most so far."""
    known = np.isfinite(items.labelled)
    edges = np.unique(np.quantile(items.judged, np.arange(1, N_BINS) / N_BINS))
    bins = np.searchsorted(edges, items.judged)
    squares = (items.labelled - tuning * items.judged) ** 2
    overall = float(squares[known].mean())
    errors = np.array(
        [
            (squares[known & (bins == bin_)].sum() + 2 * overall) / ((known & (bins == bin_)).sum() + 2)
            for bin_ in range(len(edges) + 1)
        ]
    )
    left = [(-errors[bins[place]], _hash(seed, items.ids[place]), items.ids[place]) for place in np.flatnonzero(~known)]
    return [key for *_, key in sorted(left)[:N_SUGGESTED]]


def _hash(seed: int, key: str) -> str:
    return hashlib.sha256(f"{seed}:{key}".encode()).hexdigest()
