"""How the page shows what a leaderboard says beyond λ and ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.base.numbers import format_interval, format_number
from assay.checks.base import CHECKS
from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.discrimination import LeaderboardMeasures
from assay.discrimination.boards import weaknesses
from assay.views.blocks import Block, Fact, Table, format_value, make_fact

MAX_ROWS = 40


def leaderboard_facts(board: LeaderboardEvidence) -> Iterator[Fact]:
    """Yield saturation and dimensions, if there is one benchmark, and the size of the front."""
    if len(board.measures) == 1:
        yield from _benchmark_facts(board.measures[0])
    if board.cost is not None:
        n_front = sum(row.on_front for row in board.cost.systems)
        n_tested = sum(row.place == "on the front" for row in board.cost.systems)
        tested = "" if board.cost.reason else f", {n_tested} with 95% confidence"
        yield Fact("On the front of score and cost", f"{n_front} of {len(board.cost.systems)}{tested}", weaknesses.COST)


def _benchmark_facts(row: LeaderboardMeasures) -> Iterator[Fact]:
    for entry in row.saturation[:1]:
        yield from make_fact("Headroom", entry.headroom, f"Points above the best system. {weaknesses.SATURATION}")
        yield from make_fact(f"First to number {entry.k}", entry.gap, "Points between them; paired over items.")
        method = f"Share of items on which the first {entry.k} systems differ."
        yield from make_fact("Items that separate the top", entry.separating, method, "percent")
    if row.rank is not None and row.rank.reason is None:
        method = f"Entropy of the eigenvalues of {row.rank.n_datasets} datasets. {weaknesses.RANK}"
        yield from make_fact("Effective rank", row.rank.effective_rank, method)
    if row.completion is not None and row.completion.errors:
        best = min(row.completion.errors, key=lambda entry: entry.error.value)
        means = format_number(row.completion.errors[0].error.value)
        method = f"Points; hidden cells by a model of rank {best.rank}, {means} by means. {weaknesses.COMPLETION}"
        yield from make_fact("Error of predicted scores", best.error, method)


def leaderboard_tables(board: LeaderboardEvidence) -> Iterator[Table]:
    """Yield score against cost, agreement of datasets, the common scale, fewer items, and checkpoints."""
    if board.cost is not None:
        rows = [
            [
                row.system,
                format_interval(row.score, row.score_low, row.score_high),
                format_interval(row.cost, row.cost_low, row.cost_high),
                row.place if board.cost.reason is None else ("on the front" if row.on_front else "not on the front"),
                row.beaten_by or "",
            ]
            for row in board.cost.systems
        ]
        method = f"Front: no other system is better and cheaper; paired tests over items, 5%. {weaknesses.COST}"
        yield Table("Score against cost", ["system", "score", board.cost.unit, "front", "beaten by"], rows, method)
    for measures in board.measures:
        title = "" if measures.benchmark == "all" else f"{measures.benchmark}: "
        yield from _benchmark_tables(title, measures)


def _benchmark_tables(title: str, measures: LeaderboardMeasures) -> Iterator[Table]:
    agreement = sorted(measures.agreement, key=lambda row: row.tau)[:MAX_ROWS]
    if agreement:
        repeated = Counter(row.dataset for row in measures.agreement)
        rows = [
            [
                f"{row.dataset} ({row.metric})" if repeated[row.dataset] > 1 and row.metric else row.dataset,
                format_interval(row.tau, row.low, row.high),
                format_number(round(row.mean_tau, 2)),
            ]
            for row in agreement
        ]
        method = (
            "Kendall's τ with the mean of the other datasets, lowest first, and the mean of its τ with each; 95% over "
            f"systems. {weaknesses.AGREEMENT}"
        )
        yield Table(
            f"{title}agreement between datasets", ["dataset", "rank correlation", "mean with each"], rows, method
        )
    if measures.scale is not None and measures.scale.systems:
        rows = [
            [row.system, format_interval(row.ability, row.low, row.high), format_number(row.n_datasets)]
            for row in measures.scale.systems[:MAX_ROWS]
        ]
        method = f"Ability, in deviations of the systems; 95% over datasets. {weaknesses.SCALE}"
        yield Table(f"{title}one scale over datasets", ["system", "ability", "datasets"], rows, method)
    for choice in measures.adaptive:
        rows = [
            [format_number(row.n_items), *(format_number(round(tau, 2)) for tau in taus)]
            for row in choice.sizes
            for taus in [(row.tau_random, row.tau_fixed, row.tau_adaptive)]
        ]
        if rows:
            method = f"Kendall's τ of held-out systems with their full scores. {weaknesses.ADAPTIVE}"
            yield Table(
                f"{title}fewer items of {choice.dataset}", ["items", "random", "fixed", "adaptive"], rows, method
            )
    if measures.signal:
        rows = [
            [row.dataset, format_number(row.signal), format_number(row.noise.value), format_value(row.ratio)]
            for row in measures.signal[:MAX_ROWS]
        ]
        columns = ["dataset", "signal", "noise", "signal / noise"]
        yield Table(f"{title}signal and noise of checkpoints", columns, rows, weaknesses.CHECKPOINTS)


@CHECKS["leaderboard"].view
def show_leaderboard(leaderboard: LeaderboardEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from leaderboard_facts(leaderboard)
    yield from leaderboard_tables(leaderboard)
