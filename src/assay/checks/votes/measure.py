"""Which systems the votes put first, and how certain that is."""

from __future__ import annotations

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.votes import VoteRatings, rate_votes
from assay.votes.view import list_vote_facts, show_tables


@check(
    "votes",
    VoteRatings,
    order=110,
    title="Votes",
    question="Which systems do the votes put first, and how certain is that?",
    topic="ranking",
    weight=0.5,
    needs="votes",
    tab="systems",
    views=(list_vote_facts, show_tables),
)
def measure_votes(benchmark: Benchmark) -> CheckOutcome:
    """Rate the systems by the votes."""
    if benchmark.votes is None:
        raise AssayError("There are no votes.", hint="Add a table of votes between systems.")
    return CheckOutcome(rate_votes(benchmark.votes, random_state=benchmark.settings.random_state))
