"""What the answers of systems say about gold labels: the lead of the best other answer, weighted by skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.evaluation import Predictions

if TYPE_CHECKING:
    import polars as pl

SKILL_EXPONENT = 3.0
PSEUDO_ERRORS = 10.0  # at the common error rate, added to those of every system: few errors say little about skill
ENOUGH_SYSTEMS = 14  # for the correlation of outcomes with skill to count fully
DISCRIMINATION_WEIGHT = 0.5
SHRINKAGE = 0.05  # of that correlation: a variance of outcomes, added to that of every item
LEAD_WEIGHT = 0.3  # of the best other answer, next to all other answers together
EMPTY_ANSWERS = ("", "NA", "N/A", "nan", "null", "None")
ROUNDED = 9  # digits, so that equal votes are equal whatever the order of systems
MAX_SKILL_CORRELATION = -0.2  # below which better systems are said to fail more often


@dataclass(frozen=True)
class AnswerVotes:
    """The votes of systems on every item, weighted by skill and corrected for systems that err together.

    `lead` is the weighted share of the best other answer less that of the gold label, from -1 to 1, nan if nobody
    answered. `doubt` also counts all other answers together, 0.3 lead + 0.7 (their share less that of the gold label),
    and, if there are many systems, whether the better ones are wrong. `other` numbers the best other answer in
    `answers`, -1 if there is none. The counts are of systems. `codes` numbers what each system answers (systems ×
    items, -1 if there is none), `gold` the gold labels.
    """

    codes: Array = field(repr=False)
    gold: Array = field(repr=False)
    doubt: Array = field(repr=False)
    lead: Array = field(repr=False)
    other: Array = field(repr=False)
    n_gold: Array = field(repr=False)
    n_other: Array = field(repr=False)
    n_answered: Array = field(repr=False)
    n_distinct: Array = field(repr=False)
    skill_correlation: Array = field(repr=False)
    answers: list[str] = field(repr=False)
    weights: dict[str, float]

    @property
    def n_effective(self) -> float:
        """Return how many systems of equal weight the votes are worth."""
        weights = np.array([*self.weights.values()])
        return float(weights.sum() ** 2 / (weights**2).sum())

    @property
    def wrong_share(self) -> Array:
        """Return the share of the systems that do not give the gold label, 0 if nobody answered."""
        return np.asarray(1 - self.n_gold / np.maximum(self.n_answered, 1)) * (self.n_answered > 0)

    @property
    def disagrees(self) -> Array:
        """Mark the items on which the systems are against the gold label."""
        return np.asarray(np.nan_to_num(self.doubt, nan=-1.0) > 0)


def count_votes(predictions: Predictions) -> AnswerVotes:
    """Count the skill-weighted votes of systems for the gold label and for the best other answer of every item.

    The weight of a system is (least error rate / its error rate)³, divided by its summed correlation of errors with
    all systems. Systems with item scores in place of answers vote for or against the gold label.

    >>> answers = {"x": list("aaaaa"), "y": list("aaaba"), "z": list("aabba")}
    >>> votes = count_votes(Predictions.from_arrays(list("aaaab"), answers))
    >>> votes.lead.round(2).tolist(), [votes.answers[code] if code >= 0 else None for code in votes.other]
    ([-1.0, -1.0, -0.48, 0.12, 1.0], [None, None, 'b', 'b', 'a'])
    """
    codes, gold, answers = encode_answers(predictions)
    return tally(codes, gold, answers, predictions.names)


def tally(codes: Array, gold: Array, answers: list[str], names: Sequence[str]) -> AnswerVotes:
    """Count votes from the numbers of answers (systems × items, -1 if there is none) and of gold labels."""
    is_answered, is_right = codes >= 0, codes == gold
    weights = weigh_systems(is_right, is_answered)
    n_items, n_codes = codes.shape[1], len(answers)
    cells = np.flatnonzero(is_answered.ravel())
    items = cells % n_items
    ballots, places = np.unique(items * n_codes + codes.ravel()[cells], return_inverse=True)
    totals = np.bincount(places, weights[cells // n_items], len(ballots))
    counts = np.bincount(places, minlength=len(ballots))
    item, answer = np.divmod(ballots, n_codes)
    is_gold = answer == gold[item]
    for_gold, n_gold = np.zeros(n_items), np.zeros(n_items, np.int64)
    for_gold[item[is_gold]], n_gold[item[is_gold]] = totals[is_gold], counts[is_gold]
    rest = np.flatnonzero(~is_gold)
    best = rest[np.lexsort((-rest, totals[rest]))]  # of equal totals the first answer is written last
    for_other, n_other, other = np.zeros(n_items), np.zeros(n_items, np.int64), np.full(n_items, -1)
    for_other[item[best]], n_other[item[best]], other[item[best]] = totals[best], counts[best], answer[best]
    weight = np.bincount(items, weights[cells // n_items], n_items)
    with np.errstate(invalid="ignore", divide="ignore"):
        lead = np.where(weight > 0, (for_other - for_gold) / weight, np.nan)
        against = np.where(weight > 0, 1 - 2 * for_gold / weight, np.nan)
    doubt = LEAD_WEIGHT * lead + (1 - LEAD_WEIGHT) * against
    correlation = correlate_with_skill(is_right, is_answered)
    return AnswerVotes(
        codes=codes,
        gold=gold,
        doubt=np.clip(doubt - weigh_discrimination(doubt, len(codes)) * correlation, -1.0, 1.0),
        lead=np.asarray(lead),
        other=other,
        n_gold=n_gold,
        n_other=n_other,
        n_answered=is_answered.sum(axis=0),
        n_distinct=np.bincount(item[rest], minlength=n_items),
        skill_correlation=correlation,
        answers=answers,
        weights=dict(zip(names, weights.tolist(), strict=True)),
    )


def encode_answers(predictions: Predictions) -> tuple[Array, Array, list[str]]:
    """Number answers (systems × items, -1 if there is none) and gold labels; numbers are equal by value."""
    import polars as pl

    systems = list(predictions.systems.values())
    if predictions.gold is None:
        outcomes = predictions.outcomes()
        codes = np.where(np.isfinite(outcomes), (outcomes < 0.5).astype(np.int64), -1)
        return codes, np.zeros(len(predictions), np.int64), ["", ""]
    columns = [pl.Series("answer", predictions.gold.tolist(), dtype=pl.String)]
    for system in systems:
        cells = [None] * len(predictions) if system.predicted is None else system.predicted.tolist()
        columns.append(pl.Series("answer", cells, dtype=pl.String))
    is_number = columns[0].str.strip_chars().cast(pl.Float64, strict=False).is_not_null().all()
    pooled = _unify(pl.concat(columns), bool(is_number))
    names = pooled.drop_nulls().unique().sort()
    numbers = pooled.replace_strict(names, pl.int_range(len(names), eager=True), default=-1, return_dtype=pl.Int64)
    table = numbers.to_numpy().reshape(len(columns), len(predictions))
    return table[1:], table[0], names.to_list()


def _unify(answers: pl.Series, are_numbers: bool) -> pl.Series:
    """Strip white space, drop empty answers, and write equal numbers alike."""
    import polars as pl

    frame = answers.str.strip_chars().to_frame("answer")
    frame = frame.with_columns(answer=pl.when(~pl.col("answer").is_in(EMPTY_ANSWERS)).then("answer"))
    if are_numbers:
        value = pl.col("answer").str.replace_all(",", "", literal=True).cast(pl.Float64, strict=False)
        whole = value.is_between(-9e15, 9e15) & (value.round(0) == value)
        written = (
            pl.when(whole).then(value.cast(pl.Int64, strict=False).cast(pl.String)).otherwise(value.cast(pl.String))
        )
        frame = frame.with_columns(answer=pl.coalesce(written, "answer"))
    return frame["answer"]


def weigh_systems(is_right: Array, is_answered: Array) -> Array:
    """Return the weight of every system: high for few errors, low for errors that other systems make too.

    >>> right = np.array([[1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 0, 1]], bool)
    >>> weigh_systems(right, np.ones((3, 4), bool)).round(2).tolist()
    [1.0, 0.5, 0.5]
    """
    n_answered, n_wrong = is_answered.sum(axis=1), (is_answered & ~is_right).sum(axis=1)
    common = (n_wrong.sum() + 1) / (n_answered.sum() + 2)
    error = (n_wrong + PSEUDO_ERRORS) / (n_answered + PSEUDO_ERRORS / common)
    skill = (error.min() / error) ** SKILL_EXPONENT
    wrong = np.where(is_answered, ~is_right, 0.0).astype(np.float32)
    wrong -= wrong.mean(axis=1, keepdims=True)
    norm = np.sqrt(np.maximum((wrong**2).sum(axis=1), 1e-12))
    correlation = np.clip((wrong @ wrong.T) / np.outer(norm, norm), 0.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return np.asarray(skill / correlation.sum(axis=1), dtype=float)


def weigh_discrimination(doubt: Array, n_systems: int) -> Array:
    """Return by how much an item's correlation with skill counts: not with few systems, nor where nearly all are right.

    >>> weigh_discrimination(np.array([0.5, -0.9]), 14).tolist(), weigh_discrimination(np.array([0.5]), 5).round(2).tolist()
    ([0.5, 0.0], [0.05])
    """
    share = min(1.0, ((n_systems - 1) / (ENOUGH_SYSTEMS - 1)) ** 2)
    return np.asarray(DISCRIMINATION_WEIGHT * share * np.clip((doubt + 0.8) / 0.4, 0.0, 1.0))


def correlate_with_skill(is_right: Array, is_answered: Array) -> Array:
    """Return the correlation of each item's outcomes with the systems' accuracy, less where nearly all agree."""
    accuracy = is_right.sum(axis=1) / np.maximum(is_answered.sum(axis=1), 1)
    skill = (accuracy - accuracy.mean()).astype(np.float32)
    outcome = is_right.astype(np.float32) - is_right.mean(axis=0, dtype=np.float32)
    norm = np.sqrt(((outcome**2).sum(axis=0) + SHRINKAGE * len(skill)) * (skill**2).sum())
    return np.asarray(np.divide(skill @ outcome, norm, out=np.zeros(len(norm)), where=norm > 1e-9))
