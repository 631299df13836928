"""Results of the check `leaderboard`: datasets, items and costs beyond λ and ranks."""

from __future__ import annotations

from dataclasses import dataclass

from assay.discrimination import CostFront, LeaderboardMeasures
from assay.views.results import Result


@dataclass(frozen=True)
class LeaderboardEvidence(Result):
    """Measures of the datasets and items of a leaderboard beyond λ and ranks, and score against cost."""

    measures: tuple[LeaderboardMeasures, ...]
    cost: CostFront | None = None
