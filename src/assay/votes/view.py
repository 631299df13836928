"""Tables and sentences of ratings from votes: all votes, each category, and how stable the ranking is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from assay.base.errors import join_names
from assay.views.blocks import Block, Column, Fact, Sentence, Table, Value, make_fact, make_table
from assay.views.values import Interval
from assay.votes.ratings import Rating, VoteRatings
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun


def show_ratings(votes: VoteRatings) -> Iterator[Block]:
    """Yield the ratings of all votes and of every category, how stable they are, and the verdict."""
    yield from list_vote_facts(votes)
    yield from show_tables(votes)
    yield Sentence(write_verdict(votes), is_verdict=True)


def list_vote_facts(votes: VoteRatings) -> Iterator[Fact]:
    """Yield the size of the votes and how stable the first place is."""
    yield Fact("Votes", votes.n_votes, f"{count_noun(votes.n_ties, 'of them is a tie', 'of them are ties')}.")
    yield Fact("Rated systems", sum(row.rank is not None for row in votes.ratings), "Bradley–Terry.")
    stability = votes.stability
    if stability is not None:
        method = f"{stability.n_resamples} resamples of {stability.n_units:,} {stability.unit}."
        yield from make_fact("Same system first", stability.first_share, method, "percent")
        yield from make_fact("Same order", stability.order_share, method, "percent")
        yield from make_fact("Mean rank correlation", stability.tau, method, "rounded:2")


def show_tables(votes: VoteRatings) -> Iterator[Table]:
    """Yield the ratings of all votes and of every category."""
    method = (
        f"Bradley–Terry with ties as half a win; the mean rating is 1000, and 400 points are odds of ten to one. "
        f"{100 * votes.confidence:g}% sandwich intervals over {votes.sampled}; ranks for each system on its own."
    )
    title = f"Ratings ({count_noun(votes.n_votes, 'vote')}, {count_noun(votes.n_ties, 'tie')})"
    yield from _show_table(title, votes.ratings, method, is_main=True)
    for category in votes.categories:
        title = f"Ratings: {category.category or 'no category'} ({count_noun(category.n_votes, 'vote')})"
        yield from _show_table(title, category.ratings, method)


def _show_table(title: str, ratings: Sequence[Rating], method: str, *, is_main: bool = False) -> Iterator[Table]:
    columns: dict[str | Column, Callable[[Any], Value]] = {
        "system": lambda row: row.system,
        "rating": lambda row: Interval(row.rating, row.low, row.high),
        "rank": lambda row: row.rank,
        "possible ranks": lambda row: None if row.rank_low is None else f"{row.rank_low}–{row.rank_high}",
        "votes": lambda row: row.n_votes,
        Column("win share", "percent"): lambda row: row.win_share,
    }
    if any(row.reason for row in ratings):
        columns["no rating because it"] = lambda row: row.reason or ""
    yield from make_table(title, ratings, columns, method, is_main=is_main)


def write_verdict(votes: VoteRatings) -> str:
    """Say which systems may be first by the votes, and how often the same one is when they are drawn again."""
    rated = [row for row in votes.ratings if row.rank is not None]
    firsts = [row.system for row in rated if row.rank_low == 1]
    sentence = f"{firsts[0]} is first by {count_noun(votes.n_votes, 'vote')}."
    if len(firsts) != 1:
        sentence = f"{len(firsts)} of {len(rated)} systems may be first by the votes: {join_names(firsts)}."
    stability = votes.stability
    if stability is None or not math.isfinite(stability.first_share):
        return sentence
    share = format_percent(stability.first_share)
    return (
        f"{sentence} The same system is first in {share} of {stability.n_resamples} resamples of the {stability.unit}."
    )
