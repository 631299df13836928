"""Evidence of systems' answers on gold labels: the lead of the best other answer, weighted by skill."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.evaluation import Predictions
from assay.suspects import learned

if TYPE_CHECKING:
    import polars as pl

PSEUDO_VOTES = 0.1  # of mean weight and for nothing: an item that few systems answered is less certain than others
PSEUDO_ERRORS = 10.0  # at the common error rate, added to those of every system: few errors say little about skill
EMPTY_ANSWERS = ("", "NA", "N/A", "nan", "null", "None")
MAX_DENSE_ANSWERS, MAX_DENSE_CELLS = 60, 40_000_000  # up to which votes are counted in a table
MAX_AGREEMENT_CELLS = 2_000_000
BLOCK_ITEMS = 200_000
ROUNDED = 9  # digits, so that equal votes are equal whatever the order of systems


@dataclass(frozen=True)
class AnswerVotes:
    """The votes of systems on every item, weighted by skill and shared between systems that err together.

    `lead` is the weighted share of the best other answer less that of the gold label, from -1 to 1, nan if nobody
    answered. `doubt` is mostly the lead, and to a small part the share of all other answers less that of the gold label:
    it rises with every vote that moves away from the gold label, and is nearer to 0 if fewer systems answered. `other`
    numbers the best other answer in `answers`, -1 if there is none. The counts are of
    systems. `codes` numbers what each system answers (systems × items, -1 if there is none), `gold` the gold labels.
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
    answers: list[str] = field(repr=False)
    weights: dict[str, float]

    @property
    def disagrees(self) -> Array:
        """Mark the items on which the systems are against the gold label."""
        return np.asarray(np.nan_to_num(self.doubt, nan=-1.0) > 0)

    def take(self, rows: Array) -> AnswerVotes:
        """Return the votes on some items, with the weights of all."""
        return tally(self.codes[:, rows], self.gold[rows], self.answers, self.weights)

    def replace_gold(self, gold: Array) -> AnswerVotes:
        """Return the votes that the same answers would be for and against other gold labels."""
        return tally(self.codes, gold, self.answers, self.weights)


def count_votes(predictions: Predictions) -> AnswerVotes:
    """Count the skill-weighted votes of systems for the gold label and for the best other answer of every item.

    The weight of a system is (least error rate / its error rate)⁵, divided by its summed squared correlation of errors
    with all systems. Systems with item scores in place of answers vote for or against the gold label.

    >>> answers = {"x": list("aaaaa"), "y": list("aaaba"), "z": list("aabba")}
    >>> votes = count_votes(Predictions.from_arrays(list("aaaab"), answers))
    >>> votes.lead.round(2).tolist(), [votes.answers[code] if code >= 0 else None for code in votes.other]
    ([-1.0, -1.0, -0.58, -0.02, 1.0], [None, None, 'b', 'b', 'a'])
    """
    codes, gold, answers = encode_answers(predictions)
    weights = weigh_systems(codes == gold, codes >= 0)
    return tally(codes, gold, answers, dict(zip(predictions.names, weights.tolist(), strict=True)))


def tally(codes: Array, gold: Array, answers: list[str], weights: dict[str, float]) -> AnswerVotes:
    """Count votes from the numbers of answers (systems × items, -1 if there is none) and of gold labels."""
    n_items = codes.shape[1]
    count = (
        _count_few if len(answers) * n_items <= MAX_DENSE_CELLS and len(answers) <= MAX_DENSE_ANSWERS else _count_many
    )
    by_system = np.array([*weights.values()])
    for_gold, for_other, n_gold, n_other, other, n_distinct, weight = count(codes, gold, by_system)
    with np.errstate(invalid="ignore", divide="ignore"):
        lead = np.where(weight > 0, (for_other - for_gold) / weight, np.nan)
        against = np.where(weight > 0, 1 - 2 * for_gold / weight, np.nan)
    doubt = (1 - learned.SCATTER) * lead + learned.SCATTER * against
    voters = by_system[(codes >= 0).any(axis=1)]
    if len(voters):  # nothing changes on items that all answered
        full, pseudo = voters.sum(), PSEUDO_VOTES * voters.mean()
        doubt = doubt * (weight * (full + pseudo)) / np.maximum((weight + pseudo) * full, 1e-300)
    return AnswerVotes(
        codes=codes,
        gold=gold,
        doubt=np.round(np.clip(doubt, -1.0, 1.0), ROUNDED),
        lead=np.asarray(lead),
        other=other,
        n_gold=n_gold,
        n_other=n_other,
        n_answered=(codes >= 0).sum(axis=0),
        n_distinct=n_distinct,
        answers=answers,
        weights=weights,
    )


def _count_few(codes: Array, gold: Array, weights: Array) -> tuple[Array, ...]:
    """Count votes in a table of items × answers."""
    n_items, n_codes = codes.shape[1], max(int(codes.max(initial=0)), int(gold.max(initial=0))) + 1
    places = codes.astype(np.int64) * n_items + np.arange(n_items)
    is_answered = codes >= 0
    owners = np.repeat(weights, is_answered.sum(axis=1))
    totals = np.bincount(places[is_answered], owners, n_codes * n_items).reshape(n_codes, n_items)
    counts = np.bincount(places[is_answered], minlength=n_codes * n_items).reshape(n_codes, n_items)
    columns = np.arange(n_items)
    weight, for_gold, n_gold = totals.sum(axis=0), totals[gold, columns], counts[gold, columns]
    n_distinct = (counts > 0).sum(axis=0) - (n_gold > 0)
    totals[gold, columns] = -1.0
    totals[counts == 0] = -1.0
    other = totals.argmax(axis=0)
    for_other = np.maximum(totals[other, columns], 0.0)
    n_other = np.where(n_distinct > 0, counts[other, columns], 0)
    return for_gold, for_other, n_gold, n_other, np.where(n_distinct > 0, other, -1), n_distinct, weight


def _count_many(codes: Array, gold: Array, weights: Array) -> tuple[Array, ...]:
    """Count votes answer by answer, if most answers are given to few items."""
    n_items, n_codes = codes.shape[1], max(int(codes.max(initial=0)), int(gold.max(initial=0))) + 1
    cells = np.flatnonzero((codes >= 0).ravel())
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
    return for_gold, for_other, n_gold, n_other, other, np.bincount(item[rest], minlength=n_items), weight


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
    skill = (error.min() / error) ** learned.SKILL_EXPONENT
    wrong = is_answered & ~is_right
    both = np.zeros((len(wrong), len(wrong)))
    for start in range(0, wrong.shape[1], BLOCK_ITEMS):
        block = wrong[:, start : start + BLOCK_ITEMS].astype(np.float32)
        both += block @ block.T  # exact counts
    covariance = both - np.outer(n_wrong, n_wrong) / max(wrong.shape[1], 1)
    norm = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
    correlation = np.clip(covariance / np.outer(norm, norm), 0.0, 1.0) ** learned.SHARING_EXPONENT
    np.fill_diagonal(correlation, 1.0)
    return np.asarray(skill / correlation.sum(axis=1), dtype=float)


def measure_agreement(votes: AnswerVotes) -> float:
    """Return how often two systems give the same answer, beyond chance, from at most 1; better systems count more.

    Wrong gold labels do not change it.

    >>> answers = {"x": list("abcabc"), "y": list("abcabc"), "z": list("abcaab")}
    >>> round(measure_agreement(count_votes(Predictions.from_arrays(list("abcabc"), answers))), 2)
    0.78
    """
    codes = votes.codes[:, :: 1 + votes.codes.size // MAX_AGREEMENT_CELLS]
    weights = np.array([*votes.weights.values()])[:, None] * (codes >= 0)
    n_items, n_codes = codes.shape[1], int(codes.max(initial=0)) + 1
    known = codes >= 0
    places, items = np.unique((np.arange(n_items) * n_codes + codes)[known], return_inverse=True)
    shares = np.bincount(items, weights[known], len(places))
    alone = (weights**2).sum()
    pairs = (weights.sum(axis=0) ** 2).sum() - alone
    if pairs <= 0:
        return 0.0
    agreement = ((shares**2).sum() - alone) / pairs
    answers = np.bincount(codes[known], minlength=n_codes) / max(int(known.sum()), 1)
    chance = float((answers**2).sum())
    return float((agreement - chance) / max(1 - chance, 1e-9))
