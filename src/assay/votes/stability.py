"""Whether ratings hold when the prompts, or the votes, are drawn again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.views.results import Result
from assay.votes.bradley_terry import fit_strengths
from assay.votes.components import RATING_UNIT, split_components
from assay.votes.tables import Votes

TOLERANCE = 1e-5  # of strengths in resamples; a rating point is 6e-3


@dataclass(frozen=True)
class SystemStability(Result):
    """How far the rating of one system moves between resamples, and how often it is first."""

    system: str = field(metadata=NAME)
    sd: float
    first_share: float


@dataclass(frozen=True)
class VoteStability(Result):
    """How the ranking changes between resamples of prompts (or votes).

    `first_share` is how often the same system is first, `order_share` how often the whole order is the same, `tau` the
    mean rank correlation (Kendall) with the ranking of all votes. `n_unconnected` resamples could not be rated.
    """

    unit: str = field(metadata=OWN)
    n_units: int
    n_resamples: int
    first_share: float
    order_share: float
    tau: float
    n_unconnected: int
    systems: tuple[SystemStability, ...]


def measure_vote_stability(
    votes: Votes, strengths: Array, *, n_resamples: int = 200, random_state: int = 0
) -> VoteStability:
    """Draw prompts with replacement, each with all its votes, and rate the systems again.

    Votes are drawn one by one if prompts are unknown or have one vote each. All systems must be connected.
    """
    units, n_units = _number_units(votes)
    table = _tabulate_wins(votes, units, n_units)
    n_systems = len(votes.systems)
    generator = np.random.default_rng(random_state)
    fits, n_unconnected = [], 0
    for _ in range(n_resamples):
        drawn = np.bincount(generator.integers(n_units, size=n_units), minlength=n_units).astype(float)
        wins = (table @ drawn).reshape(n_systems, n_systems)
        if len(split_components(wins)) > 1:
            n_unconnected += 1
        else:
            fits.append(fit_strengths(wins, strengths, TOLERANCE))
    unit = "prompts" if votes.has_repeated_prompts else "votes"
    return _summarise(votes.systems, strengths, np.array(fits), unit, n_units, n_resamples, n_unconnected)


def _number_units(votes: Votes) -> tuple[Array, int]:
    if votes.prompts is None or not votes.has_repeated_prompts:
        return np.arange(len(votes)), len(votes)
    names, units = np.unique(votes.prompts, return_inverse=True)
    return units, len(names)


def _tabulate_wins(votes: Votes, units: Array, n_units: int) -> Any:
    """Return a sparse (pairs of systems × units) table of wins, whose product with weights counts the wins."""
    from scipy.sparse import csr_array

    n = len(votes.systems)
    first, second = votes.first.astype(np.int64), votes.second.astype(np.int64)
    rows = np.concatenate([first * n + second, second * n + first])
    values = np.concatenate([votes.outcomes, 1 - votes.outcomes])
    return csr_array((values, (rows, np.concatenate([units, units]))), shape=(n * n, n_units))


def _summarise(
    systems: tuple[str, ...],
    strengths: Array,
    fits: Array,
    unit: str,
    n_units: int,
    n_resamples: int,
    n_unconnected: int,
) -> VoteStability:
    nothing = float("nan")
    if not len(fits):
        return VoteStability(unit, n_units, n_resamples, nothing, nothing, nothing, n_unconnected, ())
    firsts = fits.argmax(axis=1)
    order = np.argsort(-strengths, kind="stable")
    rows = tuple(
        SystemStability(
            systems[number],
            float(fits[:, number].std(ddof=1)) * RATING_UNIT if len(fits) > 1 else nothing,
            float((firsts == number).mean()),
        )
        for number in order
    )
    same_order = (np.diff(fits[:, order], axis=1) < 0).all(axis=1)
    tau = _mean_tau(fits, strengths)
    first_share = float((firsts == order[0]).mean())
    return VoteStability(unit, n_units, n_resamples, first_share, float(same_order.mean()), tau, n_unconnected, rows)


def _mean_tau(fits: Array, strengths: Array) -> float:
    rows, columns = np.triu_indices(len(strengths), 1)
    if not len(rows):
        return float("nan")
    signs = np.sign(strengths[rows] - strengths[columns])
    agreement = [float((np.sign(fit[rows] - fit[columns]) * signs).mean()) for fit in fits]
    return float(np.mean(agreement))
