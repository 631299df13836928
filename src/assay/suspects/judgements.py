"""Kinds of evidence, each turned into the probability that an item is bad, with a reason in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.suspects import learned
from assay.suspects.probabilities import Doubt, average_probabilities, measure_doubt
from assay.suspects.residuals import LARGE, measure_residuals, weigh_residual_shares
from assay.suspects.results import LabelEvidence
from assay.suspects.shares.estimation import MAX_NONE_BY_VOTES, ShareEstimate, estimate_share
from assay.suspects.shares.levels import compare_levels
from assay.suspects.shares.models import doubt_other_labels, weigh_model_shares
from assay.suspects.shares.reviewed import CAUTION, measure_spread, spread_reviewed
from assay.suspects.shares.votes import MIN_AGREEMENT, replace_labels, weigh_vote_shares
from assay.suspects.text_faults import Conflicts, TextFaults
from assay.suspects.votes import AnswerVotes, count_votes, measure_agreement
from assay.wording.sentences import count_noun, quote

if TYPE_CHECKING:
    from assay.evaluation import Predictions
    from assay.statistics import Interval

MIN_KAPPA = 0.1  # agreement beyond chance with the labels, below which a model says nothing about them
MIN_REVIEWED_KAPPA = 0.7  # from which a model is compared with the one that judged a reviewed benchmark
MAX_KAPPA_ITEMS = 20_000
MAX_PROBABILITY = 0.97
MIN_SUGGESTED_LEAD = 0.3  # of votes, from which the other answer is suggested; below it the item is ambiguous
WORDED_FROM = 0.05  # suspicion of what only hints at a bad item


@dataclass(frozen=True)
class Judgement:
    """One kind of evidence on every item: nan if it says nothing.

    `order` tells apart items with equal probability; `suggested` is the label it prefers to the gold label. `estimate`
    is the share of labels that are wrong, by this evidence alone, and `log_likelihood` what it adds to other evidence.
    `max_unclear` is the number of bad items that may be no wrong labels, such as questions with two right answers.
    """

    evidence: LabelEvidence
    probability: Array = field(repr=False)
    order: Array = field(repr=False)
    suggested: pl.Series = field(repr=False)
    explain: Callable[[int], str]
    estimate: ShareEstimate = field(default_factory=lambda: estimate_share([]))
    log_likelihood: Array | None = field(default=None, repr=False)
    max_unclear: float = 0.0


def compare_votes(votes: AnswerVotes, wrong: Sequence[AnswerVotes]) -> Array:
    """Return how many times as often wrong labels have votes like those of each item, nan if nobody answered.

    `wrong` are the votes as they would be on wrong labels.
    """
    ratio = np.full(len(votes.gold), np.nan)
    known = np.flatnonzero(np.isfinite(votes.doubt))
    if len(known):
        of_wrong = [each.doubt[np.isfinite(each.doubt)] for each in wrong]
        ratio[known] = compare_levels(votes.doubt[known], np.concatenate(of_wrong or [np.ones(1)]))
    return ratio


def judge_by_votes(predictions: Predictions, labels: Sequence[str | None]) -> Judgement:
    """Judge items by the systems' answers."""
    votes = count_votes(predictions)
    known = np.flatnonzero(np.isfinite(votes.doubt))
    wrong = list(replace_labels(votes))
    agrees = measure_agreement(votes) >= MIN_AGREEMENT
    log_likelihood = weigh_vote_shares(votes, wrong) if agrees and len(known) else None
    estimate = estimate_share([] if log_likelihood is None else [log_likelihood], MAX_NONE_BY_VOTES)
    probability = np.minimum(CAUTION * estimate.share.value * compare_votes(votes, wrong), MAX_PROBABILITY)
    spread = measure_spread(votes)
    reviewed = spread * spread_reviewed(votes.doubt[known])
    probability[known] = np.maximum(probability[known], reviewed)
    has_answers = predictions.gold is not None
    chosen = np.where((np.nan_to_num(votes.lead) >= MIN_SUGGESTED_LEAD) & has_answers, votes.other, -1)
    detail = f"skill-weighted votes of {count_noun(len(predictions.systems), 'system')}"
    evidence = LabelEvidence("systems", len(known), int(votes.disagrees.sum()), detail, estimate.describe())

    def explain(row: int) -> str:
        return explain_votes(votes, row, labels[row]) if has_answers else _explain_outcomes(votes, row)

    return Judgement(
        evidence,
        probability,
        np.nan_to_num(votes.doubt, nan=-np.inf),
        _take_names(votes.answers, chosen),
        explain,
        estimate,
        log_likelihood,
        max_unclear=learned.MAX_BAD * spread * len(known),
    )


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
    """Judge items by out-of-sample probabilities, averaged if several models cover an item.

    Items that are covered by different models are calibrated apart. None if the most probable labels hardly agree
    with the labels beyond chance: such a model says nothing about labels.
    """
    n = len(codes)
    probability, order = np.full(n, np.nan), np.full(n, -np.inf)
    own, best, chosen = np.full(n, np.nan), np.full(n, np.nan), np.full(n, -1)
    reviewed = np.zeros(n)
    log_likelihoods = []
    n_covered = n_against = n_reviewed = 0
    for rows, table in _average_by_coverage(tables, n):
        doubt = measure_doubt(table, codes[rows])
        kappa = _measure_agreement(doubt, codes[rows])
        if kappa.low <= MIN_KAPPA:
            continue
        against = doubt.mark_disagreement(codes[rows])
        log_likelihood = weigh_model_shares(doubt, codes[rows], len(names))
        log_likelihoods += [] if log_likelihood is None else [log_likelihood]
        ratio = compare_levels(doubt.order, doubt_other_labels(table, codes[rows]))
        if kappa.value >= MIN_REVIEWED_KAPPA:
            reviewed[rows] = spread_reviewed(np.where(doubt.own < 0.5, 1 - 2 * doubt.own, -1.0))
            n_reviewed += len(rows)
        probability[rows], order[rows], own[rows], best[rows] = ratio, doubt.order, doubt.own, doubt.best
        chosen[rows] = np.where(against, doubt.preferred, -1)
        n_covered, n_against = n_covered + len(rows), n_against + int(against.sum())
    if not n_covered:
        return None
    estimate = estimate_share(log_likelihoods)
    probability = np.maximum(np.minimum(CAUTION * probability * estimate.share.value, MAX_PROBABILITY), reviewed)
    detail = "out-of-sample probabilities of " + " and ".join(table.name for table in tables)
    evidence = LabelEvidence("text models", n_covered, n_against, detail, estimate.describe())

    quoted = [quote(name) for name in names]

    def explain(row: int) -> str:
        if chosen[row] < 0:
            return ""
        label, other = quoted[codes[row]], quoted[chosen[row]]
        return f"text models give {label} a probability of {own[row]:.2f} and {other} {best[row]:.2f}"

    total = np.sum(log_likelihoods, axis=0) if log_likelihoods else None
    return Judgement(
        evidence,
        probability,
        order,
        _take_names(names, chosen),
        explain,
        estimate,
        total,
        max_unclear=learned.MAX_BAD * n_reviewed,
    )


def judge_by_residuals(predicted: Array, gold: Array) -> Judgement:
    """Judge gold grades by their distance from what systems predict (systems × items)."""
    residuals = measure_residuals(predicted, gold)
    size = np.nan_to_num(np.abs(residuals.deviation), nan=0.0)
    known = np.flatnonzero(np.isfinite(residuals.deviation))
    log_likelihood = weigh_residual_shares(size[known], residuals.of_wrong)
    estimate = estimate_share([] if log_likelihood is None else [log_likelihood])
    probability = np.full(len(size), np.nan)
    ratio = compare_levels(size[known], residuals.of_wrong)
    probability[known] = np.minimum(estimate.share.value * ratio, MAX_PROBABILITY)
    detail = f"distance from what {count_noun(len(predicted), 'system')} predict"
    evidence = LabelEvidence("residuals", len(known), int((size > LARGE).sum()), detail, estimate.describe())
    suggested = pl.Series(
        [f"{value:.3g}" if far else None for value, far in zip(residuals.predicted, size > LARGE, strict=True)],
        dtype=pl.String,
    )

    def explain(row: int) -> str:
        if size[row] <= LARGE:
            return ""
        return f"the gold grade is {gold[row]:.3g}; systems predict {residuals.predicted[row]:.3g}"

    return Judgement(evidence, probability, size, suggested, explain, estimate, log_likelihood)


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
    """Say which texts cannot be read: a reason of its own, which says nothing about the label."""
    is_broken = broken.is_broken
    evidence = LabelEvidence("texts", len(is_broken), int(is_broken.sum()), "texts that are empty or damaged")

    def explain(row: int) -> str:
        if broken.is_empty[row]:
            return "the text is empty"
        return "the text has characters that could not be decoded" if broken.is_damaged[row] else ""

    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, len(is_broken))
    return Judgement(evidence, np.zeros(len(is_broken)), np.zeros(len(is_broken)), nothing, explain)


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
    """Return some rows, without a copy if these are all of them in order."""
    return table if len(rows) == len(table) and bool((np.diff(rows) == 1).all()) else table[rows]


def _measure_agreement(doubt: Doubt, codes: Array) -> Interval:
    from assay.statistics import cohen_kappa

    step = max(1, len(codes) // MAX_KAPPA_ITEMS)
    return cohen_kappa(doubt.preferred[::step], codes[::step])


def _take_names(names: Sequence[str], codes: Array) -> pl.Series:
    """Return the name of each code, null if it is negative."""
    index = pl.Series(codes, dtype=pl.Int64).set(pl.Series(codes < 0), None)
    return pl.Series(names, dtype=pl.String).gather(index)
