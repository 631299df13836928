"""Rules on votes: systems that cannot be compared, ties at the top, and unstable ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.errors import join_names
from assay.checks.findings import NotChecked, Outcome, exact_number, make_finding, rule
from assay.statistics import Interval
from assay.votes import VoteRatings
from assay.wording.numbers import format_percent
from assay.wording.sentences import count_noun, quote

MIN_FIRST_SHARE = 0.9  # of resamples in which the same system is first


@rule("A721", "Systems without a rating", section="votes", decides=True)
def find_unrated_systems(votes: VoteRatings) -> Iterator[Outcome]:
    """Report systems that never met the others, or whose votes all went one way."""
    missing = [row for row in votes.ratings if row.reason is not None]
    if not missing:
        return
    apart = len(votes.components) > 1
    reason = "they never met the others" if apart else "all their votes with the others went one way"
    names = join_names([quote(row.system) for row in missing])
    yield make_finding(
        "warning",
        f"{count_noun(len(missing), 'system')} of {votes.n_systems} have no rating, because {reason}: {names}.",
        "Collect votes between these systems and the others.",
        exact_number(len(missing)),
        n=votes.n_votes,
    )


@rule("A722", "Several systems may be first", section="votes", decides=True)
def find_shared_first_place(votes: VoteRatings) -> Iterator[Outcome]:
    """Report a first place that the votes do not decide."""
    rated = [row for row in votes.ratings if row.rank is not None]
    if len(rated) < 2:
        yield NotChecked("Fewer than two systems are rated.")
        return
    first = [row for row in rated if row.rank_low == 1]
    if len(first) > 1:
        names = join_names([quote(row.system) for row in first])
        yield make_finding(
            "note",
            f"The votes do not decide which system is first: {len(first)} of {len(rated)} may be ({names}).",
            "Show them as tied, or collect more votes between them.",
            exact_number(len(first)),
            n=votes.n_votes,
        )


@rule("A723", "First place depends on the prompts", section="votes")
def find_unstable_first_place(votes: VoteRatings) -> Iterator[Outcome]:
    """Report a first place that changes when prompts (or votes) are drawn again."""
    stability = votes.stability
    if stability is None or not math.isfinite(stability.first_share):
        yield NotChecked("The ratings could not be resampled.")
        return
    if stability.first_share < MIN_FIRST_SHARE:
        share = format_percent(stability.first_share)
        yield make_finding(
            "note",
            f"Another system is often first when {stability.unit} are drawn again: the same one leads in only {share} "
            f"of {stability.n_resamples} resamples of {stability.n_units:,} {stability.unit}.",
            f"Do not announce a winner; more {stability.unit} would be needed.",
            Interval(stability.first_share, math.nan, math.nan),
            n=stability.n_units,
        )
