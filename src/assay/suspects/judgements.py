"""Kinds of evidence, each turned into the probability that an item is bad, with a reason in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.wording import count_noun, quote
from assay.suspects.calibration import MODEL, VOTES, Calibrated, calibrate
from assay.suspects.chance import draw_chance
from assay.suspects.probabilities import Doubt, average_probabilities, measure_doubt
from assay.suspects.residuals import LARGE, measure_residuals
from assay.suspects.results import LabelEvidence
from assay.suspects.text_faults import Conflicts, TextFaults
from assay.suspects.votes import MAX_SKILL_CORRELATION, ROUNDED, AnswerVotes, count_votes

if TYPE_CHECKING:
    from assay.evaluation import Predictions
    from assay.statistics import Interval

MIN_KAPPA = 0.1  # agreement beyond chance with the labels, below which a model says nothing about them
MIN_FLOOR_KAPPA = 0.55  # from which a model's confident errors say how many labels are wrong at random
MAX_KAPPA_ITEMS = 20_000
MIN_EFFECTIVE_SYSTEMS = 4.0  # whose common errors say how many labels are wrong at random
MIN_SUGGESTED_LEAD = 0.3  # of votes, from which the other answer is suggested; below it the item is ambiguous
WORDED_FROM = 0.05  # suspicion of what only hints at a bad item


@dataclass(frozen=True)
class Judgement:
    """What one kind of evidence says about every item: nan if it says nothing.

    `order` tells apart items with equal probability; `suggested` is the label it prefers to the gold label. `low` and
    `high` are the ends of the interval of the number of bad items, divided by the expected number.
    """

    evidence: LabelEvidence
    probability: Array = field(repr=False)
    order: Array = field(repr=False)
    suggested: pl.Series = field(repr=False)
    explain: Callable[[int], str]
    low: float = 0.0
    high: float = 2.0


def judge_by_votes(predictions: Predictions, labels: Sequence[str | None]) -> Judgement:
    """Judge items by the systems' answers."""
    votes = count_votes(predictions)
    known = np.isfinite(votes.doubt)
    doubt = np.round(np.where(known, votes.doubt, -1.0), ROUNDED)
    floor = votes.n_effective >= MIN_EFFECTIVE_SYSTEMS
    (chance,) = draw_chance(votes, [known])
    result = calibrate(np.abs(doubt[known]), doubt[known] > 0, doubt[known], VOTES, use_floor=floor, chance=chance)
    has_answers = predictions.gold is not None
    chosen = np.where((np.nan_to_num(votes.lead) >= MIN_SUGGESTED_LEAD) & has_answers, votes.other, -1)
    detail = f"skill-weighted votes of {count_noun(len(predictions.systems), 'system')}"
    evidence = LabelEvidence("systems", int(known.sum()), int(votes.disagrees.sum()), detail, result.floor)

    def explain(row: int) -> str:
        return explain_votes(votes, row, labels[row]) if has_answers else _explain_outcomes(votes, row)

    return _make_judgement(evidence, result, known, doubt, _take_names(votes.answers, chosen), explain)


def explain_votes(votes: AnswerVotes, row: int, label: str | None) -> str:
    """Say how systems vote on an item, in words; empty if all give the gold label."""
    n, n_gold, n_other = int(votes.n_answered[row]), int(votes.n_gold[row]), int(votes.n_other[row])
    if not n_other:
        return ""
    answer, gold = quote(votes.answers[votes.other[row]]), quote(label or "")
    if votes.lead[row] > 0:
        who = (
            f"{n_other} of {count_noun(n, 'system')}" if n_other > n_gold else f"the better systems ({n_other} of {n})"
        )
        text = f"{who} answer {answer}; the gold label is {gold}"
    elif votes.n_distinct[row] > 1:
        n_wrong, n_distinct = n - n_gold, int(votes.n_distinct[row])
        text = f"{n_wrong} of {count_noun(n, 'system')} disagree with {gold}, with {n_distinct} other answers"
    else:
        text = f"{n_other} of {count_noun(n, 'system')} answer {answer}; the gold label is {gold}"
    if votes.skill_correlation[row] < MAX_SKILL_CORRELATION and n >= 6:
        text += "; better systems fail more often"
    return text


def _explain_outcomes(votes: AnswerVotes, row: int) -> str:
    n_wrong = int(votes.n_answered[row] - votes.n_gold[row])
    return f"{n_wrong} of {count_noun(int(votes.n_answered[row]), 'system')} are wrong" if n_wrong else ""


@dataclass(frozen=True)
class ModelTable:
    """Out-of-sample probabilities (rows × labels) of some items, from one model, with its weight in averages."""

    name: str
    rows: Array = field(repr=False)
    table: Array = field(repr=False)
    weight: float = 1.0


def judge_by_models(tables: Sequence[ModelTable], codes: Array, names: list[str]) -> Judgement | None:
    """Judge items by out-of-sample probabilities, averaged where several models cover an item.

    Items that are covered by different models are calibrated apart. None if the most probable labels hardly agree
    with the labels beyond chance: such a model says nothing about labels.
    """
    n = len(codes)
    probability, order = np.full(n, np.nan), np.full(n, -np.inf)
    own, best, chosen = np.full(n, np.nan), np.full(n, np.nan), np.full(n, -1)
    results: list[Calibrated] = []
    n_covered = n_against = 0
    for rows, table in _average_by_coverage(tables, n):
        doubt = measure_doubt(table, codes[rows])
        kappa = _measure_agreement(doubt, codes[rows])
        if kappa.low <= MIN_KAPPA:
            continue
        against = doubt.mark_disagreement(codes[rows])
        use_floor = kappa.value >= MIN_FLOOR_KAPPA
        result = calibrate(doubt.confidence, against, doubt.order, MODEL, use_floor=use_floor)
        probability[rows], order[rows], own[rows], best[rows] = result.probabilities, doubt.order, doubt.own, doubt.best
        chosen[rows] = np.where(against, doubt.preferred, -1)
        results.append(result)
        n_covered, n_against = n_covered + len(rows), n_against + int(against.sum())
    if not results:
        return None
    detail = "out-of-sample probabilities of " + " and ".join(table.name for table in tables)
    evidence = LabelEvidence("text models", n_covered, n_against, detail, max(result.floor for result in results))

    def explain(row: int) -> str:
        if chosen[row] < 0:
            return ""
        label, other = quote(names[codes[row]]), quote(names[chosen[row]])
        return f"text models give {label} a probability of {own[row]:.2f} and {other} {best[row]:.2f}"

    expected = max(sum(result.expected for result in results), 1e-9)
    low, high = (sum(getattr(result, end) for result in results) / expected for end in ("low", "high"))
    return Judgement(evidence, probability, order, _take_names(names, chosen), explain, low, high)


def judge_by_residuals(predicted: Array, gold: Array) -> Judgement:
    """Judge gold grades by their distance from what systems predict (systems × items)."""
    residuals = measure_residuals(predicted, gold)
    size = np.nan_to_num(np.abs(residuals.deviation), nan=0.0)
    known = np.isfinite(residuals.deviation)
    detail = f"residuals of {count_noun(len(predicted), 'system')}; not calibrated on known errors"
    evidence = LabelEvidence("residuals", int(known.sum()), int((size > LARGE).sum()), detail)
    suggested = pl.Series(
        [f"{value:.3g}" if far else None for value, far in zip(residuals.predicted, size > LARGE, strict=True)],
        dtype=pl.String,
    )

    def explain(row: int) -> str:
        if size[row] <= LARGE:
            return ""
        return f"the gold grade is {gold[row]:.3g}; systems predict {residuals.predicted[row]:.3g}"

    return Judgement(evidence, np.where(known, residuals.probability, np.nan), size, suggested, explain)


def judge_by_copies(
    conflicts: Conflicts, ids: Sequence[str], labels: Sequence[str | None], names: list[str]
) -> Judgement:
    """Judge items whose copies have another label."""
    against = conflicts.probability > 0
    evidence = LabelEvidence("copies", len(against), int(against.sum()), "copies of a text with different labels")
    chosen = np.where(against, conflicts.common, -1)

    def explain(row: int) -> str:
        other = int(conflicts.copy[row])
        return f"a copy (id {ids[other]}) has the label {quote(labels[other] or '')}" if other >= 0 else ""

    return Judgement(evidence, conflicts.probability, conflicts.probability, _take_names(names, chosen), explain)


def judge_by_texts(broken: TextFaults) -> Judgement:
    """Judge items by whether their text can be read at all."""
    probability = broken.probability
    evidence = LabelEvidence("texts", len(probability), int((probability > 0).sum()), "texts that are empty or damaged")

    def explain(row: int) -> str:
        if broken.is_empty[row]:
            return "the text is empty"
        return "the text has characters that could not be decoded" if broken.is_damaged[row] else ""

    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(probability))
    return Judgement(evidence, probability, probability, nothing, explain)


def _make_judgement(
    evidence: LabelEvidence,
    result: Calibrated,
    known: Array,
    order: Array,
    suggested: pl.Series,
    explain: Callable[[int], str],
) -> Judgement:
    probability = np.full(len(known), np.nan)
    probability[known] = result.probabilities
    expected = max(result.expected, 1e-9)
    return Judgement(evidence, probability, order, suggested, explain, result.low / expected, result.high / expected)


def _average_by_coverage(tables: Sequence[ModelTable], n: int) -> list[tuple[Array, Array]]:
    """Return for every set of models the rows that exactly these cover, with the average of their probabilities."""
    covered = np.zeros(n, np.int64)
    places = []
    for number, table in enumerate(tables):
        covered[table.rows] += 1 << number
        place = np.full(n, -1)
        place[table.rows] = np.arange(len(table.rows))
        places.append(place)
    averages = []
    for pattern in np.unique(covered[covered > 0]).tolist():
        rows = np.flatnonzero(covered == pattern)
        chosen = [number for number in range(len(tables)) if pattern >> number & 1]
        parts = [_take_rows(tables[number].table, places[number][rows]) for number in chosen]
        averages.append((rows, average_probabilities(parts, [tables[number].weight for number in chosen])))
    return averages


def _take_rows(table: Array, rows: Array) -> Array:
    """Return some rows, without a copy where these are all of them in order."""
    return table if len(rows) == len(table) and bool((np.diff(rows) == 1).all()) else table[rows]


def _measure_agreement(doubt: Doubt, codes: Array) -> Interval:
    from assay.statistics import cohen_kappa

    step = max(1, len(codes) // MAX_KAPPA_ITEMS)
    return cohen_kappa(doubt.preferred[::step], codes[::step])


def _take_names(names: Sequence[str], codes: Array) -> pl.Series:
    """Return the name of each code, null if it is negative."""
    index = pl.Series(codes, dtype=pl.Int64).set(pl.Series(codes < 0), None)
    return pl.Series(names, dtype=pl.String).gather(index)
