"""The tables that `assay discriminate` prints."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.errors import join_names
from assay.base.numbers import format_number
from assay.base.wording import format_p_value, format_percent
from assay.cli.output import print_sentence, show_table

if TYPE_CHECKING:
    from assay.discrimination import (
        BenchmarkSummary,
        DatasetDiscrimination,
        DatasetSubset,
        Discrimination,
        ItemSubset,
        ItemSummary,
        MeasureCorrelation,
        SystemRank,
    )

MAX_SYSTEMS = 20  # shown per benchmark; the JSON has them all
MAX_VERDICTS = 3  # benchmarks
MAX_DATASETS = 8  # of a subset


def show_discrimination(result: Discrimination, by: str | None) -> None:
    """Print datasets, systems, sufficient subsets, items and correlations of the measures."""
    several = len(result.benchmarks) > 1
    if by is None:
        _show_datasets("Datasets", result.datasets, with_benchmark=several)
    for benchmark in result.benchmarks:
        name = benchmark.benchmark
        title = "" if name == "all" else f"{name}: "
        datasets = [row for row in result.datasets if row.benchmark == name]
        if by is not None:
            _show_datasets(f"{title}datasets", datasets, with_benchmark=False)
        if by is not None or not several:
            _show_saturation(datasets)
            _show_systems(f"{title}systems", [row for row in result.systems if row.benchmark == name], benchmark)
            _show_subsets([row for row in result.keep if row.benchmark == name])
    for items in result.items or ():
        _show_items(items)
    _show_correlations(result.correlations)
    print_sentence(write_verdict(result), bold=True)


def write_verdict(result: Discrimination) -> str:
    """Say whether the datasets tell their systems apart, and which systems may be first."""
    from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DISCRIMINATES, DOES_NOT_DISCRIMINATE

    verdicts = {
        DISCRIMINATES: "{name} tells its {n} systems apart",
        DOES_NOT_DISCRIMINATE: "{name} does not tell its {n} systems apart",
        CANNOT_TELL: "This data cannot tell whether {name} tells its {n} systems apart",
    }
    counts = Counter(row.verdict for row in result.datasets)
    sentences = []
    if len(result.datasets) == 1:
        row = result.datasets[0]
        p = "" if math.isnan(row.p_equal) else f" ({format_p_value(row.p_equal)})"
        sentences.append(verdicts[row.verdict].format(name=row.dataset, n=row.n_systems) + f"{p}.")
    elif result.datasets:
        sentences.append(
            f"Of {len(result.datasets)} datasets {counts[DISCRIMINATES]} tell their systems apart, "
            f"{counts[DOES_NOT_DISCRIMINATE]} do not, and for {counts[CANNOT_TELL]} this data cannot tell."
        )
    for benchmark in result.benchmarks[:MAX_VERDICTS]:
        ranked = [row for row in result.systems if row.benchmark == benchmark.benchmark and row.rank_low is not None]
        firsts = [row.system for row in ranked if row.rank_low == 1]
        where = f" on {benchmark.benchmark}" if len(result.benchmarks) > 1 else ""
        if len(firsts) == 1:
            sentences.append(f"{firsts[0]} is first{where}.")
        elif firsts:
            sentences.append(f"{len(firsts)} of {len(ranked)} systems may be first{where}: {join_names(firsts)}.")
    return " ".join(sentences)


def _show_datasets(title: str, rows: Sequence[DatasetDiscrimination], *, with_benchmark: bool) -> None:
    columns = ["dataset", "metric", "systems", "mean", "λ_var", "λ_sva", "λ_hit", "if equal", "p", "verdict"]
    cells = []
    for row in rows:
        lambdas = [
            _format_interval(row.lambda_var, row.lambda_var_low, row.lambda_var_high),
            _format_interval(row.lambda_sva, row.lambda_sva_low, row.lambda_sva_high),
            _format_interval(row.lambda_hit, row.lambda_hit_low, row.lambda_hit_high),
        ]
        metric = f"{row.metric} ↓" if row.lower_is_better else row.metric
        test = [row.lambda_hit_null, row.p_equal]
        cells.append([row.dataset, metric, row.n_systems, row.mean, *lambdas, *test, row.verdict])
    if with_benchmark:
        columns.insert(1, "benchmark")
        for row, line in zip(rows, cells, strict=True):
            line.insert(1, row.benchmark)
    show_table(title, columns, cells)
    print_sentence("↓ lower is better. If equal: λ_hit of equal systems. p: test that all systems are equal.")
    if all(math.isnan(row.p_equal) for row in rows):
        print_sentence("Scores alone cannot show whether systems differ beyond chance: give predictions, or n_items.")


def _show_saturation(rows: Sequence[DatasetDiscrimination]) -> None:
    columns = ["dataset", "metric", "headroom", "range of top 5", "within 1 point", "R² by others", "nearest"]
    cells = [
        [row.dataset, row.metric, row.headroom, row.top_range, row.n_within_one, row.redundancy, row.nearest]
        for row in rows
    ]
    show_table("Saturation and redundancy", columns, cells)


def _format_interval(value: float, low: float, high: float) -> str:
    number, start, end = (format_number(end) for end in (value, low, high))
    return number if start == "n/a" else f"{number} [{start}, {end}]"


def _show_systems(title: str, rows: Sequence[SystemRank], benchmark: BenchmarkSummary) -> None:
    if not rows:
        print_sentence(f"No ranks: {benchmark.reason}.")
        return
    more = f", the first {MAX_SYSTEMS} of {len(rows)}" if len(rows) > MAX_SYSTEMS else ""
    n_left_out = benchmark.n_systems_left_out
    left_out = f"; {n_left_out} left out for missing cells" if n_left_out else ""
    cells = [
        [
            row.system,
            row.score,
            row.rank,
            _format_range(row.rank_low, row.rank_high),
            _format_range(row.marginal_low, row.marginal_high),
            row.tie_group,
            _format_range(row.first_band, row.last_band),
            row.p_best,
        ]
        for row in rows[:MAX_SYSTEMS]
    ]
    columns = ["system", benchmark.ranked_by or "score", "rank", "simultaneous", "marginal", "ties", "bands", "P(best)"]
    show_table(f"{title}{more} (over {benchmark.ranked_over}{left_out})", columns, cells)
    print_sentence(
        "Ranks that each system may have, 95%: simultaneous over all its rivals, or marginal, each rival by itself."
    )
    first = benchmark.stability_of_first
    if first is not None:
        share = format_percent(first.share_first)
        print_sentence(f"{first.system} is first on {share} of {first.n_halves:,} random halves of the items.")


def _format_range(low: int | None, high: int | None) -> str:
    if low is None:
        return "n/a"
    return str(low) if low == high else f"{low}–{high}"


def _show_subsets(rows: Sequence[DatasetSubset | ItemSubset]) -> None:
    for row in rows:
        where = f" of {row.dataset}" if row.what == "items" else ""
        if row.size is None:
            print_sentence(f"Keep ({row.what}{where}): {row.reason or 'no size reaches the threshold'}.")
            continue
        agreement = f"τ = {format_number(row.agreement)} on held-out systems"
        more = ", …" if row.size > MAX_DATASETS else ""
        names = f" ({', '.join(row.chosen[:MAX_DATASETS])}{more})" if row.what == "datasets" else ""
        print_sentence(f"Keep {row.size} of {row.of} {row.what}{where}: {agreement}{names}.")


def _show_items(row: ItemSummary) -> None:
    cells: list[list[object]] = [
        ["items", row.n_items],
        ["all systems right", row.n_all_right],
        ["all systems wrong", row.n_all_wrong],
        ["all systems the same otherwise", row.n_all_same],
        ["negative discrimination", row.n_backwards],
        ["mean outcome (share right)", row.mean_difficulty],
        ["mean discrimination", row.mean_discrimination],
        ["reliability", row.reliability],
        ["standard error of measurement", row.standard_error_of_measurement],
        ["smallest real gap", row.smallest_real_gap],
        ["items needed to separate the first two", row.items_needed_first_two],
    ]
    gain = row.item_response
    if gain is not None:
        value = f"{format_number(gain.gain)} ({format_number(gain.gain_shuffled)})"
        cells.append(["item response gain (shuffled)", value])
    show_table(f"Items of {row.dataset} ({row.metric})", ["", "value"], cells)


def _show_correlations(rows: Sequence[MeasureCorrelation]) -> None:
    cells = [
        [row.benchmark, f"{row.first} – {row.second}", row.method, row.value, row.p, row.n]
        for row in rows
        if math.isfinite(row.value)
    ]
    if cells:
        columns = ["benchmark", "measures", "by", "value", "p", "n"]
        show_table("How the measures agree over datasets", columns, cells)
