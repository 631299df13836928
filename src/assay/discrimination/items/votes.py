"""Skill-weighted votes of the systems against the gold label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.columns import ARRAY, ColumnResult
from assay.evaluation import Predictions
from assay.kinds import kind_of

MIN_SYSTEMS = 3
MIN_LEAD_SHARE = 0.5  # of all votes
MIN_LEAD_LOG_ODDS = float(np.log(100))


@dataclass(frozen=True)
class VoteLead(ColumnResult):
    """Per item: by how many votes the best other answer leads the gold label, and the number of all votes.

    `is_outvoted` marks the items whose gold label most systems disagree with.
    """

    _columns: ClassVar[tuple[str, ...]] = ("lead", "votes", "is_outvoted")

    n_outvoted: int
    n_items: int
    n_systems: int
    lead: Array = field(repr=False, compare=False, metadata=ARRAY)
    votes: Array = field(repr=False, compare=False, metadata=ARRAY)
    is_outvoted: Array = field(repr=False, compare=False, metadata=ARRAY)


def find_outvoted_items(predictions: Predictions) -> VoteLead:
    """Find the items on which the systems together disagree with the gold label.

    Another answer must lead the gold label by half of all votes, weighted by skill, and by odds of 100 to 1 if the
    systems made independent errors: many weak votes are no proof. Fewer than three systems outvote no label.
    """
    answers = [system.predicted for system in predictions.systems.values() if system.predicted is not None]
    n_items = len(predictions)
    comparable = predictions.data is None or kind_of(predictions.data).has_comparable_answers
    if predictions.gold is None or len(answers) < MIN_SYSTEMS or not comparable:
        nothing = np.full(n_items, np.nan)
        return VoteLead(0, n_items, len(answers), nothing, nothing, np.zeros(n_items, bool))
    lead, votes = measure_vote_lead(np.stack(answers), predictions.gold)
    is_outvoted = (lead >= MIN_LEAD_SHARE * votes) & (lead >= MIN_LEAD_LOG_ODDS)
    return VoteLead(int(is_outvoted.sum()), n_items, len(answers), lead, votes, is_outvoted)


def measure_vote_lead(answers: Any, gold: Any) -> tuple[Array, Array]:
    """Return for every item by how many votes the best other answer leads the gold label, and the sum of all votes.

    `answers` is systems × items, None where a system gave none; votes are weighted by `weigh_votes`.

    >>> answers = np.array([list("aaaab"), list("aaaab"), list("aabba")], dtype=object)
    >>> lead, votes = measure_vote_lead(answers, np.array(list("aaaaa"), dtype=object))
    >>> lead.round(2).tolist(), votes.round(2).tolist()
    ([-1.39, -1.39, -0.69, -0.69, 3.22], [1.39, 1.39, 2.08, 2.08, 3.22])
    """
    names, codes = np.unique(np.append(answers.ravel(), gold).astype(str), return_inverse=True)
    answered = (answers != np.array(None)).astype(bool)
    weights = np.where(answered, weigh_votes(answers == gold, answered, len(set(gold.tolist()))), 0.0)
    items = np.broadcast_to(np.arange(len(gold)), answers.shape)
    ballots = (items * len(names) + codes[: answers.size].reshape(answers.shape)).ravel()
    kinds, places = np.unique(ballots, return_inverse=True)
    votes = np.bincount(places, weights.ravel(), len(kinds))
    item, answer = np.divmod(kinds, len(names))
    is_gold = answer == codes[answers.size :][item]
    for_gold, for_other = np.zeros(len(gold)), np.zeros(len(gold))
    for_gold[item[is_gold]] = votes[is_gold]
    np.maximum.at(for_other, item[~is_gold], votes[~is_gold])
    return for_other - for_gold, np.asarray(weights.sum(axis=0))


def weigh_votes(right: Array, answered: Array, n_labels: int) -> Array:
    """Return the log odds that a system is right, counted on all other items (systems × items).

    Guessing between the labels has weight 0.
    """
    n_right = (right & answered).sum(axis=1, keepdims=True) - (right & answered)
    n_answered = answered.sum(axis=1, keepdims=True) - answered
    share = (n_right + 1) / (n_answered + 2)
    return np.asarray(np.maximum(np.log(share * max(n_labels - 1, 1) / (1 - share)), 0.0))
