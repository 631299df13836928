"""How the page shows ratings from votes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.base.wording import format_percent
from assay.checks.base import CHECKS
from assay.views.blocks import Block, Fact, Table
from assay.votes import Rating, VoteRatings


def vote_facts(votes: VoteRatings) -> Iterator[Fact]:
    """Yield the size of the votes and how stable the first place is."""
    yield Fact("Votes", format_number(votes.n_votes), f"{format_number(votes.n_ties)} of them are ties.")
    yield Fact("Rated systems", format_number(sum(row.rank is not None for row in votes.ratings)), "Bradley–Terry.")
    stability = votes.stability
    if stability is not None and math.isfinite(stability.first_share):
        method = f"{stability.n_resamples} resamples of {stability.n_units:,} {stability.unit}."
        yield Fact("Same system first", format_percent(stability.first_share), method)
        yield Fact("Mean rank correlation", f"{stability.tau:.2f}", method)


def vote_tables(votes: VoteRatings) -> Iterator[Table]:
    """Yield the ratings of all votes and of every category."""
    method = (
        f"Bradley–Terry with ties as half a win; the mean rating is 1000, and 400 points are odds of ten to one. "
        f"{100 * votes.confidence:.0f}% sandwich intervals over {votes.sampled}; ranks for each system on its own."
    )
    columns = ["system", "rating", "interval", "rank", "possible ranks", "votes", "win share"]
    yield Table("Ratings", columns, [write_rating(row) for row in votes.ratings], method)
    for category in votes.categories:
        rows = [write_rating(row) for row in category.ratings]
        yield Table(f"Ratings: {category.category or 'no category'}", columns, rows, method)


def write_rating(row: Rating) -> list[str]:
    """Write one row of ratings."""
    share = format_percent(row.win_share)
    if not math.isfinite(row.rating):
        return [row.system, "n/a", row.reason or "", "", "", format_number(row.n_votes), share]
    interval, ranks = f"{row.low:.0f} to {row.high:.0f}", f"{row.rank_low}–{row.rank_high}"
    return [row.system, f"{row.rating:.0f}", interval, str(row.rank), ranks, format_number(row.n_votes), share]


@CHECKS["votes"].view
def show_votes(votes: VoteRatings) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from vote_facts(votes)
    yield from vote_tables(votes)
