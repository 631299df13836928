"""Scores of systems corrected by a review: on good items, and with the right labels; and the ranks that follow."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.evaluation import Predictions
from assay.evaluation.predictions.types import to_labels
from assay.kinds import kind_of
from assay.reviews.planning import ReviewInputs, find_places
from assay.reviews.results import CorrectedSystem
from assay.reviews.samples import ReviewSample
from assay.reviews.verdicts import ReviewedLabels
from assay.reviews.weighted_counts import Totals
from assay.statistics import Interval

METHOD = "design-based, mid-p gamma"


@dataclass(frozen=True)
class ReviewedAnswers:
    """Scores of systems × reviewed items: with the gold labels as they are, and with the right labels.

    `right` is nan if no right label is known. `sums` and `counts` are over all items that each system answered.
    `n_wrong` and `n_right` (strata × systems) count the items not reviewed that it answered wrong or right; None if the
    strata of these items are not known.
    """

    names: list[str]
    given: Array
    right: Array
    sums: Array
    counts: Array
    n_wrong: Array | None = None
    n_right: Array | None = None

    @property
    def scores(self) -> Array:
        """The scores with the gold labels as they are."""
        return np.asarray(self.sums / self.counts)


def score_reviewed(
    inputs: ReviewInputs, rows: Array, right_labels: list[str | None], place: str, strata: Array | None = None
) -> ReviewedAnswers:
    """Score the answers to reviewed items, `rows` of the data, with their gold labels and with the right ones.

    `strata` are the strata of all items, if they are known.
    """
    predictions, outcomes = inputs.predictions, inputs.outcomes
    assert predictions is not None
    columns = find_places(inputs.data.ids.gather(rows), predictions.ids)
    given = np.where(columns >= 0, outcomes[:, columns], np.nan)
    labels = read_right_labels(inputs.data, rows, right_labels, place)
    right = np.full_like(given, np.nan)
    chosen = np.flatnonzero([label is not None and column >= 0 for label, column in zip(labels, columns, strict=True)])
    if len(chosen) and predictions.gold is not None:
        gold = [labels[number] for number in chosen.tolist()]
        corrected = _set_gold(predictions.take(columns[chosen]), gold)
        if corrected is not None:
            right[:, chosen] = corrected.outcomes()
    answered = np.isfinite(outcomes)
    return ReviewedAnswers(
        predictions.names,
        given,
        right,
        np.where(answered, outcomes, 0.0).sum(axis=1).round(9),  # the same in any order of the rows
        answered.sum(axis=1).astype(float),
        *(None, None) if strata is None else _count_outcomes(inputs, rows, strata),
    )


def _count_outcomes(inputs: ReviewInputs, rows: Array, strata: Array) -> tuple[Array, Array]:
    """Return how many items not reviewed of each stratum every system answered wrong, and right."""
    assert inputs.predictions is not None
    hidden = strata.copy()
    hidden[rows] = -1
    places = find_places(pl.Series(inputs.predictions.ids.tolist(), dtype=pl.String), inputs.data.ids)
    numbers = np.where(places >= 0, hidden[places], -1)
    members = np.stack([numbers == stratum for stratum in range(int(strata.max()) + 1)]).astype(np.float32)
    is_wrong, is_right = ((side).T.astype(np.float32) for side in (inputs.outcomes < 1, inputs.outcomes > 0))
    return members @ is_wrong, members @ is_right


def _set_gold(predictions: Predictions, gold: list[str | None]) -> Predictions | None:
    """Return the predictions with other gold labels, None if the kind of task has no way to set them."""
    data = predictions.data
    if data is not None:
        changed = kind_of(data).gold.set_gold(data, gold)
        if changed is None:
            return None
        data = changed
    return replace(predictions, gold=to_labels(gold), data=data)


def read_right_labels(data: Dataset, rows: Array, cells: list[str | None], place: str) -> list[str | None]:
    """Return right labels in the form of gold, such as letters for numbers; raise for one that is not a label."""
    given = np.flatnonzero([cell is not None for cell in cells])
    if not len(given):
        return cells
    items, kind = data.take(rows[given]), kind_of(data)
    texts = [cells[number] for number in given.tolist()]
    labels = list(kind.answers.read_answers(items, texts))
    known = set(data.label_names)
    result: list[str | None] = [None] * len(cells)
    for number, label, text, id_ in zip(given.tolist(), labels, texts, items.ids.to_list(), strict=True):
        if label is None or (kind.gold.has_classes and known and label not in known):
            hint = f"Its labels: {', '.join(sorted(known)[:20])}. " if kind.gold.has_classes and known else ""
            fact = f"the right label '{text}' of item '{id_}' is not a label"
            raise AssayError(fact, place=place, hint=f"{hint}Leave it empty if no label is right.")
        result[number] = label
    return result


def correct_systems(
    sample: ReviewSample, verdicts: ReviewedLabels, answers: ReviewedAnswers, confidence: float
) -> list[CorrectedSystem]:
    """Return the scores of all systems with intervals, the best corrected score first."""
    has_right = np.asarray(np.isfinite(answers.right).any(axis=0))
    good = correct_scores(sample, verdicts, answers, np.zeros_like(has_right), confidence)
    corrected = correct_scores(sample, verdicts, answers, has_right, confidence)
    surely_better = _compare(sample, verdicts, answers, corrected, confidence)
    values, before = corrected.totals.value, answers.scores
    ranks, ranks_before = _rank(values), _rank(before)
    lows = 1 + surely_better.sum(axis=0)
    highs = len(values) - surely_better.sum(axis=1)
    systems = [
        CorrectedSystem(
            system=name,
            score=Interval(float(before[n]), float(before[n]), float(before[n]), confidence, "all items"),
            good=_make_interval(good.totals, n, confidence),
            corrected=_make_interval(corrected.totals, n, confidence),
            rank=int(ranks[n]),
            rank_low=int(min(lows[n], ranks[n])),
            rank_high=int(max(highs[n], ranks[n])),
            rank_before=int(ranks_before[n]),
            rank_changes=not lows[n] <= ranks_before[n] <= highs[n],
        )
        for n, name in enumerate(answers.names)
    ]
    return sorted(systems, key=lambda system: system.rank)


@dataclass(frozen=True)
class Correction:
    """Corrected scores, and how much one more bad item like each reviewed one would change them (systems × items)."""

    totals: Totals
    effects: Array


def correct_scores(
    sample: ReviewSample, verdicts: ReviewedLabels, answers: ReviewedAnswers, has_right: Array, confidence: float
) -> Correction:
    """Correct the scores: bad items with a right label are scored by it, others are left out.

    The corrected score is (sum + gained) / (items - left out), with both totals estimated from the sample. Its
    interval is the interval of the linearised score.
    """
    answered = np.isfinite(answers.given)
    given, right = np.where(answered, answers.given, 0.0), np.nan_to_num(answers.right)
    gains = np.where(has_right, np.where(answered, right - given, 0.0), -given)
    drops = answered & ~has_right
    weighted = (sample.known_weights + sample.stratum_weights[sample.strata]) * verdicts.value
    n_kept = np.maximum(answers.counts - (drops * weighted).sum(axis=1), 1e-9)
    scores = (answers.sums + (gains * weighted).sum(axis=1)) / n_kept
    effects = (gains + scores[:, None] * drops) / n_kept[:, None]
    usual = (scores / n_kept, (1 - scores) / n_kept)  # of an item that is left out
    totals = _estimate_effects(sample, verdicts, effects, usual, confidence, (answers.n_wrong, answers.n_right))
    shift = scores - totals.value
    return Correction(
        Totals(scores, np.clip(totals.low + shift, 0, scores), np.clip(totals.high + shift, scores, 1)), effects
    )


def _estimate_effects(
    sample: ReviewSample,
    verdicts: ReviewedLabels,
    effects: Array,
    usual: tuple[Array, Array],
    confidence: float,
    eligible: tuple[Array | None, Array | None],
) -> Totals:
    """Estimate the totals of the effects of bad items; undecided verdicts count as what lowers or raises them."""
    totals = sample.estimate_signed((effects * verdicts.value).T, usual, confidence, eligible)
    if verdicts.are_certain:
        return totals
    lows, highs = (
        np.where(effects > 0, effects * first, effects * second)
        for first, second in ((verdicts.low, verdicts.high), (verdicts.high, verdicts.low))
    )
    low = sample.estimate_signed(lows.T, usual, confidence, eligible).low
    high = sample.estimate_signed(highs.T, usual, confidence, eligible).high
    return Totals(totals.value, np.minimum(low, totals.low), np.maximum(high, totals.high))


def _compare(
    sample: ReviewSample,
    verdicts: ReviewedLabels,
    answers: ReviewedAnswers,
    corrected: Correction,
    confidence: float,
) -> Array:
    """Return which systems (rows) have a better corrected score than others (columns), certain for all pairs together.

    A bad item raises a system above another only if the system answered it wrong.
    """
    n = len(answers.names)
    first, second = np.triu_indices(n, 1)
    better = np.zeros((n, n), dtype=bool)
    if not len(first):
        return better
    level = 1 - (1 - confidence) / len(first)
    effects = corrected.effects[first] - corrected.effects[second]
    n_kept = np.minimum(answers.counts[first], answers.counts[second])
    usual = 1 / np.maximum(n_kept, 1)
    wrong = answers.n_wrong
    eligible = (None, None) if wrong is None else (wrong[:, first], wrong[:, second])
    totals = _estimate_effects(sample, verdicts, effects, (usual, usual), level, eligible)
    gap = corrected.totals.value[first] - corrected.totals.value[second]
    shift = gap - totals.value
    better[first, second] = totals.low + shift > 0
    better[second, first] = totals.high + shift < 0
    return better


def _rank(scores: Array) -> Array:
    """Return the rank of each score, 1 for the highest; equal scores share the better rank."""
    rounded = np.round(scores, 12)
    return np.asarray((rounded[:, None] < rounded[None, :]).sum(axis=1) + 1)


def _make_interval(totals: Totals, n: int, confidence: float) -> Interval:
    return Interval(float(totals.value[n]), float(totals.low[n]), float(totals.high[n]), confidence, METHOD)
