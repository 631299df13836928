"""The tables that `assay discriminate` prints for `--measures` and `--cost`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.numbers import format_interval, format_number
from assay.base.wording import format_percent
from assay.cli.output import print_sentence, show_table

if TYPE_CHECKING:
    from assay.discrimination import CostFront, Discrimination, LeaderboardMeasures
    from assay.statistics import Interval

MAX_ROWS = 20


def show_measures(result: Discrimination) -> None:
    """Print the measures of every benchmark, each with what it does not show, and the front of score and cost."""
    for row in result.measures:
        title = "" if row.benchmark == "all" else f"{row.benchmark}: "
        _show_agreement(title, row)
        _show_matrix(title, row)
        _show_scale(title, row)
        _show_items(title, row)
        _show_signal(title, row)
    if result.cost is not None:
        _show_cost(result.cost)


def _write(interval: Interval) -> str:
    return format_interval(interval.value, interval.low, interval.high)


def _warn(text: str) -> None:
    print_sentence(f"Limits: {text}")


def _show_agreement(title: str, row: LeaderboardMeasures) -> None:
    from assay.discrimination.boards.weaknesses import AGREEMENT

    if not row.agreement:
        return
    ordered = sorted(row.agreement, key=lambda entry: entry.tau)
    cells = [
        [entry.dataset, entry.metric, format_interval(entry.tau, entry.low, entry.high), entry.mean_tau, entry.spread]
        for entry in ordered[:MAX_ROWS]
    ]
    more = f", the lowest {MAX_ROWS} of {len(ordered)}" if len(ordered) > MAX_ROWS else ""
    columns = ["dataset", "metric", "τ with the others", "mean τ", "spread"]
    show_table(f"{title}agreement between datasets{more}", columns, cells)
    _warn(AGREEMENT)


def _show_matrix(title: str, row: LeaderboardMeasures) -> None:
    from assay.discrimination.boards.weaknesses import COMPLETION, RANK

    rank, completion = row.rank, row.completion
    if rank is not None:
        cells: list[Sequence[object]] = [
            ["effective rank", _write(rank.effective_rank)],
            ["share of the first component", _write(rank.first_share)],
            ["components beyond chance", rank.n_components],
        ]
        size = f"{rank.n_systems} complete systems × {rank.n_datasets} datasets"
        show_table(f"{title}dimensions ({size})", ["", "value"], cells)
        if rank.reason:
            print_sentence(f"No dimensions: {rank.reason}.")
        _warn(RANK)
    if completion is not None and completion.errors:
        names = ["dataset means" if not entry.rank else f"rank {entry.rank}" for entry in completion.errors]
        cells = [[name, _write(entry.error)] for name, entry in zip(names, completion.errors, strict=True)]
        known = f"new systems from {completion.n_known} scores"
        cells += [[known, _write(completion.new_systems)], [f"{known}: means", _write(completion.new_systems_by_means)]]
        show_table(f"{title}error of predicted scores, in points", ["by", "mean absolute error"], cells)
        _warn(COMPLETION)


def _show_scale(title: str, row: LeaderboardMeasures) -> None:
    from assay.discrimination.boards.weaknesses import SCALE

    if row.scale is None or not row.scale.systems:
        return
    cells = [
        [entry.system, format_interval(entry.ability, entry.low, entry.high), entry.n_datasets]
        for entry in row.scale.systems[:MAX_ROWS]
    ]
    explained = format_percent(row.scale.explained)
    show_table(f"{title}one scale ({explained} of the variance)", ["system", "ability", "datasets"], cells)
    _warn(SCALE)


def _show_items(title: str, row: LeaderboardMeasures) -> None:
    from assay.discrimination.boards.weaknesses import ADAPTIVE, SATURATION

    for entry in row.saturation:
        cells: list[Sequence[object]] = [
            ["headroom", _write(entry.headroom)],
            [f"gap between first and number {entry.k}", _write(entry.gap)],
            [f"gap of {entry.k} equal systems", entry.gap_if_equal],
            ["saturation index", entry.index],
            [f"items that all of the first {entry.k} get right", _write(entry.all_right)],
            [f"items that separate the first {entry.k}", _write(entry.separating)],
        ]
        show_table(f"{title}saturation of {entry.dataset} ({entry.n_items} items)", ["", "value"], cells)
    if row.saturation:
        _warn(SATURATION)
    for choice in row.adaptive:
        if choice.reason:
            print_sentence(f"No choice of items for {choice.dataset}: {choice.reason}.")
            continue
        columns = ["items", "τ random", "τ fixed", "τ adaptive", "error random", "error fixed", "error adaptive"]
        rows = [
            [
                size.n_items,
                *(format_number(tau) for tau in (size.tau_random, size.tau_fixed, size.tau_adaptive)),
                *(format_number(error) for error in (size.error_random, size.error_fixed, size.error_adaptive)),
            ]
            for size in choice.sizes
        ]
        show_table(f"{title}fewer items of {choice.dataset}, on held-out systems", columns, rows)
        _warn(ADAPTIVE)


def _show_signal(title: str, row: LeaderboardMeasures) -> None:
    from assay.discrimination.boards.weaknesses import CHECKPOINTS

    if not row.signal:
        return
    cells = []
    for entry in row.signal[:MAX_ROWS]:
        decisions = ", ".join(
            f"{format_percent(early.share)}: {format_percent(early.accuracy.value)}" for early in entry.decisions
        )
        cells.append([entry.dataset, entry.metric, entry.signal, entry.noise.value, _write(entry.ratio), decisions])
    columns = ["dataset", "metric", "signal", "noise", "signal / noise", "decisions right after"]
    show_table(f"{title}signal and noise of checkpoints", columns, cells)
    _warn(CHECKPOINTS)


def _show_cost(front: CostFront) -> None:
    from assay.discrimination.boards.weaknesses import COST

    cells = [
        [
            row.system,
            format_interval(row.score, row.score_low, row.score_high),
            format_interval(row.cost, row.cost_low, row.cost_high),
            "yes" if row.on_front else "no",
            row.front_share,
            row.place,
            row.beaten_by or "",
        ]
        for row in front.systems
    ]
    columns = ["system", "score", front.unit, "front", "P(front)", "95%", "beaten by"]
    show_table("Score against cost", columns, cells)
    if front.reason:
        print_sentence(f"No test: {front.reason}.")
    _warn(COST)
