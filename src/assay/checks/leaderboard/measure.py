"""The check of a leaderboard beyond λ and ranks: agreement of datasets, dimensions, saturation, cost."""

from __future__ import annotations

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.discrimination import build_outcomes, measure_leaderboard
from assay.discrimination.boards.fronts import find_item_front, find_score_front
from assay.discrimination.measurements import group_by_benchmark


@check(
    "leaderboard",
    LeaderboardEvidence,
    order=90,
    title="The leaderboard",
    question="What do its datasets and items add, and what do its systems cost?",
    topic="ranking",
    weight=0.5,
    needs="predictions or scores",
    tab="systems",
)
def measure_board(benchmark: Benchmark) -> CheckOutcome:
    """Measure the score table, and the items of predictions; the choice of items only in a full audit."""
    settings, costs = benchmark.settings, benchmark.costs
    seed = settings.random_state
    measures, front = [], None
    if benchmark.predictions is not None:
        outcomes = build_outcomes(benchmark.predictions, benchmark.data.name)
        measures.append(measure_leaderboard([outcomes.measure()], [outcomes], (), seed, adaptive=not settings.quick))
        front = None if costs is None else find_item_front([outcomes], costs, seed)
    if benchmark.scores is not None:
        for name, rows in group_by_benchmark(benchmark.scores.measurements).items():
            steps = [row for row in benchmark.scores.checkpoints if row.benchmark == name]
            measures.append(measure_leaderboard(rows, (), steps, seed))
        if front is None and costs is not None:
            front = find_score_front(benchmark.scores.measurements, costs)
    if not measures:
        raise AssayError("There are no systems.", hint="Give {predictions} or {scores}.")
    return CheckOutcome(LeaderboardEvidence(tuple(measures), front))
