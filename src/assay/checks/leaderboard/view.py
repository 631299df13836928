"""How the page shows what a leaderboard says beyond λ and ranks."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.discrimination.boards.view import list_cost_facts, list_measure_facts, show_cost, show_measures
from assay.views.blocks import Block, Sentence


@CHECKS["leaderboard"].view
def show_leaderboard(board: LeaderboardEvidence) -> Iterator[Block]:
    """Yield key figures, score against cost, and the measures of every benchmark."""
    if len(board.measures) == 1:
        yield from list_measure_facts(board.measures[0])
    if board.cost is not None:
        yield from list_cost_facts(board.cost)
        yield from show_cost(board.cost)
    for measures in board.measures:
        # A section that has nothing but reasons for having nothing is not shown.
        yield from (block for block in show_measures(measures) if not isinstance(block, Sentence))
