"""Rate systems by votes: Bradley–Terry ratings with intervals, ranks, categories and stability."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN
from assay.data.left_out import LeftOut
from assay.statistics import normal_quantile
from assay.views.blocks import Block
from assay.views.results import Result
from assay.votes.bradley_terry import count_wins, estimate_covariance, fit_strengths
from assay.votes.components import MEAN_RATING, RATING_UNIT, split_components
from assay.votes.ranks import bound_ranks, rank_values
from assay.votes.stability import VoteStability, measure_vote_stability
from assay.votes.tables import Votes, read_votes
from assay.wording.sentences import count_noun

MAX_CATEGORIES = 100


@dataclass(frozen=True)
class Rating(Result):
    """The rating of one system with its interval and its rank; without a finite rating, the `reason`."""

    system: str = field(metadata=NAME)
    rating: float
    low: float
    high: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    n_votes: int
    win_share: float
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class CategoryRatings(Result):
    """The ratings of one category of votes, with their own mean of 1000."""

    category: str = field(metadata=NAME)
    n_votes: int
    ratings: tuple[Rating, ...]


@dataclass(frozen=True)
class VoteRatings(Result):
    """Ratings from the best down, of all votes and by category; `sampled` is the unit of the intervals.

    The mean of the rated systems is 1000, and 400 points are odds of ten to one.
    """

    _table: ClassVar[str] = "ratings"

    ratings: tuple[Rating, ...]
    n_votes: int
    n_ties: int
    n_systems: int
    n_prompts: int | None
    sampled: str = field(metadata=OWN)
    components: tuple[tuple[str, ...], ...] = field(metadata=NAME)
    categories: tuple[CategoryRatings, ...] = ()
    stability: VoteStability | None = None
    confidence: float = 0.95
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    left_out: tuple[LeftOut, ...] = ()  # rows and systems of the table that are not used

    def blocks(self) -> Iterator[Block]:
        """Yield the ratings, how stable they are, and the verdict."""
        from assay.votes.view import show_ratings

        yield from show_ratings(self)


@entry_point()
def rate_votes(
    votes: Any,
    *,
    winner: str | None = None,
    prompt: str | None = None,
    category: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = 200,
    random_state: int = 0,
) -> VoteRatings:
    """Rate systems by votes between two of them (Bradley and Terry 1952), ties counted half.

    `votes` is a table (path, frame, dict) with `model_a`, `model_b` and `winner`. Intervals are sandwich intervals over
    prompts if several votes share one, else over votes; `n_resamples` draws of prompts show how stable the ranking is.
    Systems that cannot be put on one scale with most others get a reason instead of a rating.

    >>> table = {"model_a": list("xxxxyyyy"), "model_b": list("yyyyzzzz"), "winner": list("aaabaabb")}
    >>> [(row.system, round(row.rating), row.rank) for row in rate_votes(table).ratings]
    [('x', 1127, 1), ('y', 936, 2), ('z', 936, 2)]
    """
    table = read_votes(votes, winner=winner, prompt=prompt, category=category)
    wins = count_wins(table)
    groups = split_components(wins)
    if len(groups[0]) < 2:
        raise AssayError(
            "no two systems can be rated together, because none has both won and lost, directly or through others",
            place=table.name,
            hint="More votes between the same systems are needed.",
        )
    core = _keep_systems(table, groups[0])
    ratings, strengths = _rate_connected(core, confidence, random_state)
    left_out = tuple(_explain_missing(table, wins, number, groups[0]) for group in groups[1:] for number in group)
    unrated = (LeftOut("systems", len(left_out), "not connected with the rated ones"),) if left_out else ()
    stability = None
    if n_resamples > 0:
        stability = measure_vote_stability(core, strengths, n_resamples=n_resamples, random_state=random_state)
    n_prompts = None if table.prompts is None else len(np.unique(table.prompts))
    components = _name_components(table, wins)
    return VoteRatings(
        ratings=(*ratings, *left_out),
        n_votes=len(table),
        n_ties=int((table.outcomes == 0.5).sum()),
        n_systems=len(table.systems),
        n_prompts=n_prompts,
        sampled="prompts" if core.has_repeated_prompts else "votes",
        components=components,
        categories=_rate_categories(table, confidence, random_state),
        stability=stability,
        confidence=confidence,
        notes=(*table.notes, *_describe_components(table.name, components, left_out)),
        left_out=(*table.left_out, *unrated),
    )


def _keep_systems(votes: Votes, numbers: Array) -> Votes:
    """Keep the votes between some systems, and number these again."""
    position = np.full(len(votes.systems), -1)
    position[numbers] = np.arange(len(numbers))
    rows = (position[votes.first] >= 0) & (position[votes.second] >= 0)
    chosen = votes.take(rows)
    systems = tuple(votes.systems[number] for number in numbers)
    sides = (position[chosen.first], position[chosen.second], chosen.outcomes)
    return Votes(systems, *sides, chosen.prompts, chosen.categories, votes.name, votes.notes, votes.left_out)


def _rate_connected(votes: Votes, confidence: float, random_state: int) -> tuple[tuple[Rating, ...], Array]:
    """Rate systems that are connected; return the ratings from the best down, and the strengths in table order."""
    wins = count_wins(votes)
    strengths = fit_strengths(wins)
    covariance = estimate_covariance(votes, wins, strengths)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    half = normal_quantile(confidence) * errors * RATING_UNIT
    values = MEAN_RATING + RATING_UNIT * strengths
    ranks = rank_values(np.round(strengths, 9))
    low, high = bound_ranks(strengths, covariance, confidence, random_state)
    meetings = (wins + wins.T).sum(axis=1)
    rows = [
        Rating(
            votes.systems[number],
            float(values[number]),
            float(values[number] - half[number]),
            float(values[number] + half[number]),
            int(ranks[number]),
            int(low[number]),
            int(high[number]),
            round(float(meetings[number])),
            float(wins[number].sum() / meetings[number]),
        )
        for number in np.argsort(ranks, kind="stable")
    ]
    return tuple(rows), strengths


def _explain_missing(votes: Votes, wins: Array, number: int, core: Array) -> Rating:
    """Return the row of a system without a rating."""
    won, lost = float(wins[number].sum()), float(wins[:, number].sum())
    met_core = (wins[number] + wins[:, number])[core].sum() > 0
    if not lost:
        reason = "won every vote, so no finite rating fits"
    elif not won:
        reason = "lost every vote, so no finite rating fits"
    elif met_core:
        reason = "never lost to, or never beat, the systems that are rated"
    else:
        reason = "never met the systems that are rated"
    nothing = math.nan
    share = won / (won + lost)
    return Rating(votes.systems[number], nothing, nothing, nothing, None, None, None, round(won + lost), share, reason)


def _name_components(votes: Votes, wins: Array) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(votes.systems[number] for number in group) for group in split_components(wins, strong=False))


def _describe_components(
    name: str, components: tuple[tuple[str, ...], ...], left_out: tuple[Rating, ...]
) -> tuple[str, ...]:
    """Say which groups of systems never met, and which systems have no finite rating."""
    notes = []
    if len(components) > 1:
        groups = "; ".join(join_names(group) for group in components)
        notes.append(f"{name}: {len(components)} groups of systems never met, only the first is rated: {groups}.")
    unbounded = [row.system for row in left_out if row.system in components[0]]
    if unbounded:
        verb = "has" if len(unbounded) == 1 else "have"
        notes.append(
            f"{name}: {count_noun(len(unbounded), 'system')} {verb} no finite rating, because all votes with the "
            f"others went one way: {join_names(unbounded)}."
        )
    return tuple(notes)


def _rate_categories(votes: Votes, confidence: float, random_state: int) -> tuple[CategoryRatings, ...]:
    if votes.categories is None:
        return ()
    names, counts = np.unique(votes.categories.astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
    return tuple(_rate_category(votes, str(names[number]), confidence, random_state) for number in order)


def _rate_category(votes: Votes, category: str, confidence: float, random_state: int) -> CategoryRatings:
    assert votes.categories is not None
    chosen = votes.take(votes.categories.astype(str) == category)
    wins = count_wins(chosen)
    groups = split_components(wins)
    ratings: tuple[Rating, ...] = ()
    core = groups[0]
    if len(core) > 1:
        ratings, _ = _rate_connected(_keep_systems(chosen, core), confidence, random_state)
    met = (wins + wins.T).sum(axis=1) > 0
    outside = [number for group in (groups[1:] if ratings else groups) for number in group if met[number]]
    missing = tuple(_explain_missing(chosen, wins, number, core if ratings else core[:0]) for number in outside)
    return CategoryRatings(category, len(chosen), (*ratings, *missing))
