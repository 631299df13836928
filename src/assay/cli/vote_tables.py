"""The tables that `assay discriminate` prints for votes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.wording import count_noun, format_percent
from assay.cli.output import say, show_table

if TYPE_CHECKING:
    from assay.votes import Rating, VoteRatings

MAX_SYSTEMS = 40
MAX_CATEGORIES = 12


def show_ratings(result: VoteRatings) -> None:
    """Print the ratings of all votes, those of the categories, and how stable the ranking is."""
    sizes = f"{count_noun(result.n_votes, 'vote')}, {count_noun(result.n_ties, 'tie')}"
    title = f"Ratings ({sizes}; {100 * result.confidence:g}% intervals over {result.sampled})"
    _show_table(title, result.ratings)
    for category in result.categories[:MAX_CATEGORIES]:
        _show_table(
            f"{category.category or '(no category)'} ({count_noun(category.n_votes, 'vote')})", category.ratings
        )
    if len(result.categories) > MAX_CATEGORIES:
        say(f"… and {len(result.categories) - MAX_CATEGORIES} more categories: --json has them all.")
    if result.stability is not None and math.isfinite(result.stability.first_share):
        stability = result.stability
        say(
            f"{stability.n_resamples} resamples of {stability.n_units:,} {stability.unit}: the same system is first in "
            f"{format_percent(stability.first_share)}, the whole order is the same in "
            f"{format_percent(stability.order_share)}; mean rank correlation {stability.tau:.2f}."
        )


def _show_table(title: str, ratings: Sequence[Rating]) -> None:
    rows = [_list_cells(row) for row in ratings[:MAX_SYSTEMS]]
    show_table(title, ["system", "rating", "interval", "rank", "ranks", "votes", "win share"], rows)
    if len(ratings) > MAX_SYSTEMS:
        say(f"… and {len(ratings) - MAX_SYSTEMS:,} more systems: --json has them all.")


def _list_cells(row: Rating) -> list[object]:
    share = format_percent(row.win_share)
    if not math.isfinite(row.rating):
        return [row.system, "n/a", row.reason or "", "", "", row.n_votes, share]
    interval = f"[{row.low:.0f}, {row.high:.0f}]"
    ranks = f"{row.rank_low}–{row.rank_high}"
    return [row.system, f"{row.rating:.0f}", interval, row.rank, ranks, row.n_votes, share]
