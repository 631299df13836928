"""Tables and sentences of a leaderboard: agreement, dimensions, one scale, saturation, items and cost."""

from __future__ import annotations

from collections.abc import Iterator

from assay.discrimination.boards import weaknesses
from assay.discrimination.boards.checkpoints import SignalToNoise
from assay.discrimination.boards.cost import CostFront, SystemCost
from assay.discrimination.boards.measures import LeaderboardMeasures
from assay.views.blocks import Block, Column, Fact, Sentence, make_fact, make_table
from assay.wording.numbers import format_number, format_percent

MAX_ROWS = 40


def show_measures(row: LeaderboardMeasures) -> Iterator[Block]:
    """Yield the measures of one benchmark, each with what it does not show."""
    title = "" if row.benchmark == "all" else f"{row.benchmark}: "
    yield from _show_agreement(title, row)
    yield from _show_dimensions(title, row)
    yield from _show_completion(title, row)
    yield from _show_scale(title, row)
    yield from _show_saturation(title, row)
    yield from _show_fewer_items(title, row)
    yield from _show_signal(title, row)


def _limit(text: str) -> Sentence:
    return Sentence(f"Limits: {text}")


def _show_agreement(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    if not row.agreement:
        return
    yield from make_table(
        f"{title}agreement between datasets",
        sorted(row.agreement, key=lambda entry: entry.tau.value),
        {
            "dataset": lambda entry: entry.dataset,
            "metric": lambda entry: entry.metric,
            "τ with the others": lambda entry: entry.tau,
            Column("mean τ with each", "rounded:2"): lambda entry: entry.mean_tau,
            "spread": lambda entry: entry.spread,
        },
        "Kendall's τ with the mean of the other datasets, lowest first, and the mean of its τ with each; 95% over "
        f"systems. {weaknesses.AGREEMENT}",
        max_rows=MAX_ROWS,
    )
    yield _limit(weaknesses.AGREEMENT)


def _show_dimensions(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    rank = row.rank
    if rank is None:
        return
    if rank.reason:
        yield Sentence(f"No dimensions: {rank.reason}.")
        return
    yield from make_table(
        f"{title}dimensions ({rank.n_systems} complete systems × {rank.n_datasets} datasets)",
        [rank],
        {
            "effective rank": lambda rank: rank.effective_rank,
            Column("share of the first component", "percent"): lambda rank: rank.first_share,
            "components beyond chance": lambda rank: rank.n_components,
        },
        weaknesses.RANK,
    )
    yield _limit(weaknesses.RANK)


def _show_completion(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    completion = row.completion
    if completion is None or not completion.errors:
        return
    known = f"new systems from {completion.n_known} scores"
    errors = [("dataset means" if not entry.rank else f"rank {entry.rank}", entry.error) for entry in completion.errors]
    errors += [(known, completion.new_systems), (f"{known}: means", completion.new_systems_by_means)]
    yield from make_table(
        f"{title}error of predicted scores, in points",
        errors,
        {"by": lambda entry: entry[0], "mean absolute error": lambda entry: entry[1]},
        weaknesses.COMPLETION,
    )
    yield _limit(weaknesses.COMPLETION)


def _show_scale(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    if row.scale is None or not row.scale.systems:
        return
    yield from make_table(
        f"{title}one scale over datasets ({format_percent(row.scale.explained)} of the variance)",
        row.scale.systems,
        {
            "system": lambda entry: entry.system,
            "ability": lambda entry: entry.ability,
            "datasets": lambda entry: entry.n_datasets,
        },
        f"Ability, in deviations of the systems; 95% over datasets. {weaknesses.SCALE}",
        max_rows=MAX_ROWS,
    )
    yield _limit(weaknesses.SCALE)


def _show_saturation(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    if not row.saturation:
        return
    yield from make_table(
        f"{title}saturation" if title else "Saturation",
        row.saturation,
        {
            "dataset": lambda entry: entry.dataset,
            "items": lambda entry: entry.n_items,
            "headroom": lambda entry: entry.headroom,
            "top systems": lambda entry: entry.k,
            "gap between their first and last": lambda entry: entry.gap,
            "gap if equal": lambda entry: entry.gap_if_equal,
            "saturation index": lambda entry: entry.index,
            Column("items that all of them get right", "percent"): lambda entry: entry.all_right,
            Column("items that separate them", "percent"): lambda entry: entry.separating,
        },
        f"In points and shares of items; 95% over items. {weaknesses.SATURATION}",
    )
    yield _limit(weaknesses.SATURATION)


def _show_fewer_items(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    for choice in row.adaptive:
        if choice.reason:
            yield Sentence(f"No choice of items for {choice.dataset}: {choice.reason}.")
            continue
        yield from make_table(
            f"{title}fewer items of {choice.dataset}, on held-out systems",
            choice.sizes,
            {
                "items": lambda size: size.n_items,
                Column("τ random", "rounded:2"): lambda size: size.tau_random,
                Column("τ fixed", "rounded:2"): lambda size: size.tau_fixed,
                Column("τ adaptive", "rounded:2"): lambda size: size.tau_adaptive,
                "error random": lambda size: size.error_random,
                "error fixed": lambda size: size.error_fixed,
                "error adaptive": lambda size: size.error_adaptive,
            },
            f"Kendall's τ of held-out systems with their full scores, and the error of their scores. "
            f"{weaknesses.ADAPTIVE}",
        )
        yield _limit(weaknesses.ADAPTIVE)


def _show_signal(title: str, row: LeaderboardMeasures) -> Iterator[Block]:
    if not row.signal:
        return
    yield from make_table(
        f"{title}signal and noise of checkpoints",
        row.signal,
        {
            "dataset": lambda entry: entry.dataset,
            "metric": lambda entry: entry.metric,
            "signal": lambda entry: entry.signal,
            "noise": lambda entry: entry.noise.value,
            "signal / noise": lambda entry: entry.ratio,
            "decisions right after": _write_decisions,
        },
        weaknesses.CHECKPOINTS,
        max_rows=MAX_ROWS,
    )
    yield _limit(weaknesses.CHECKPOINTS)


def _write_decisions(row: SignalToNoise) -> str:
    return ", ".join(
        f"{format_percent(early.share)}: {format_percent(early.accuracy.value)}" for early in row.decisions
    )


def show_cost(front: CostFront) -> Iterator[Block]:
    """Yield score against cost, and which systems no other beats on both."""
    if not front.systems:
        yield Sentence(f"No front of score and cost: {front.reason}.")
        return
    yield from make_table(
        "Score against cost",
        front.systems,
        {
            "system": lambda row: row.system,
            "score": lambda row: row.score,
            front.unit: lambda row: row.cost,
            "front": lambda row: place_on_front(front, row),
            "P(front)": lambda row: row.front_share,
            "beaten by": lambda row: row.beaten_by or "",
        },
        f"Front: no other system is better and cheaper; paired tests over items, 5%. {weaknesses.COST}",
    )
    if front.reason:
        yield Sentence(f"No test: {front.reason}.")
    yield _limit(weaknesses.COST)


def place_on_front(front: CostFront, row: SystemCost) -> str:
    """Say whether a system is on the front: by the tests, or by the estimates if there are none."""
    return row.place if front.reason is None else "on the front" if row.on_front else "not on the front"


def list_cost_facts(front: CostFront) -> Iterator[Fact]:
    """Yield the size of the front, if there is one."""
    if not front.systems:
        return
    n_front = sum(row.on_front for row in front.systems)
    n_tested = sum(row.place == "on the front" for row in front.systems)
    tested = "" if front.reason else f", {n_tested} with 95% confidence"
    yield Fact("On the front of score and cost", f"{n_front} of {len(front.systems)}{tested}", weaknesses.COST)


def list_measure_facts(row: LeaderboardMeasures) -> Iterator[Fact]:
    """Yield the key figures of one benchmark: saturation, dimensions, and the error of predicted scores."""
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
