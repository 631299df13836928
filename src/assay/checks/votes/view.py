"""How the page shows ratings from votes."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.views.blocks import Block
from assay.votes import VoteRatings
from assay.votes.view import list_vote_facts, show_tables


@CHECKS["votes"].view
def show_votes(votes: VoteRatings) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from list_vote_facts(votes)
    yield from show_tables(votes)
