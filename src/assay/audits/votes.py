"""What systems say together against the key."""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.evaluation import Predictions

LEAST_SYSTEMS = 3
SHARE = 0.5  # of all votes
LOG_ODDS = float(np.log(100))


def outvoted(predictions: Predictions) -> tuple[Array, int]:
    """Mark the items on which the systems together contradict the key; tell how many systems vote.

    Another answer must lead the key by half of all votes, weighted by skill, and by odds of 100 to 1 were the systems
    to err independently: many weak voices are no proof. Fewer than three systems outvote nobody.
    """
    given = [one.predicted for one in predictions.systems.values() if one.predicted is not None]
    if predictions.gold is None or len(given) < LEAST_SYSTEMS:
        return np.zeros(len(predictions), bool), len(given)
    lead, votes = lead_over_key(np.stack(given), predictions.gold)
    return (lead >= SHARE * votes) & (lead >= LOG_ODDS), len(given)


def lead_over_key(answers: Array, gold: Array) -> tuple[Array, Array]:
    """Return of every item by how many votes the best other answer leads the key, and the number of all votes.

    A system's vote weighs the log odds of its being right on the other items, counted from guessing.

    >>> answers = np.array([list("aaaab"), list("aaaab"), list("aabba")], dtype=object)
    >>> [found.round(2).tolist() for found in lead_over_key(answers, np.array(list("aaaaa"), dtype=object))]
    [[-1.39, -1.39, -0.69, -0.69, 3.22], [1.39, 1.39, 2.08, 2.08, 3.22]]
    """
    names, codes = np.unique(np.append(answers.ravel(), gold).astype(str), return_inverse=True)
    said = (answers != np.array(None)).astype(bool)
    weights = np.where(said, skill(answers == gold, said, len(set(gold.tolist()))), 0.0)
    items = np.broadcast_to(np.arange(len(gold)), answers.shape)
    ballots = (items * len(names) + codes[: answers.size].reshape(answers.shape)).ravel()
    kinds, place = np.unique(ballots, return_inverse=True)
    votes = np.bincount(place, weights.ravel(), len(kinds))
    item, answer = np.divmod(kinds, len(names))
    mine = answer == codes[answers.size :][item]
    for_key, for_other = np.zeros(len(gold)), np.zeros(len(gold))
    for_key[item[mine]] = votes[mine]
    np.maximum.at(for_other, item[~mine], votes[~mine])
    return for_other - for_key, np.asarray(weights.sum(axis=0))


def skill(right: Array, said: Array, n_labels: int) -> Array:
    """Return the log odds of each system's being right, on all items but the one at hand; guessing is worth nothing."""
    n_right = (right & said).sum(axis=1, keepdims=True) - (right & said)
    n_said = said.sum(axis=1, keepdims=True) - said
    share = (n_right + 1) / (n_said + 2)
    return np.asarray(np.maximum(np.log(share * max(n_labels - 1, 1) / (1 - share)), 0.0))
