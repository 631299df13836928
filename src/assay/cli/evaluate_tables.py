"""The tables of `assay evaluate`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.base.errors import join_names
from assay.base.numbers import format_number
from assay.base.wording import count_noun, format_estimate, format_p_value
from assay.cli.output import print_sentence, say, show_table

if TYPE_CHECKING:
    from assay.base.wording import Estimate
    from assay.evaluation import Comparison, Evaluation
    from assay.evaluation.comparison.new_sample import NewSample
    from assay.evaluation.slices.columns import SliceScore
    from assay.evaluation.slices.difficulty import DifficultyScores
    from assay.evaluation.slices.folds import FoldTable
    from assay.evaluation.slices.periods import Drift

MAX_ROWS = 40  # of a table; --json has all
MAX_LABELS = 6  # whose shares are shown for a fold
MIN_P = 0.0001
MAX_P = 0.05  # corrected for all pairs; above it two systems cannot be told apart
_RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1")


def show_evaluation(result: Evaluation) -> None:
    """Print everything, the scores first."""
    _show_scores(result)
    _show_human(result)
    _show_repeats(result)
    _show_error_reductions(result)
    _show_comparisons(result)
    _show_power(result)
    if result.by.fold:
        _show_folds(result.by.fold)
    if result.by.difficulty:
        _show_difficulty(result.by.difficulty)
    if result.by.time:
        _show_drift(result.by.time)
    for name, scores in result.by.columns.items():
        _show_slices(name, scores, result.metric)
    if result.new_sample is not None:
        _show_new_sample(result.new_sample)
    print_sentence(write_verdict(result), bold=True)


def write_verdict(result: Evaluation) -> str:
    """Say which systems may be first, whether the first two differ, and which difference the items can show."""
    ranked = sorted((row for row in result.systems if math.isfinite(row.value)), key=lambda row: row.rank)
    if not ranked:
        return f"No system has a score in {result.metric}."
    best = ranked[0]
    if len(ranked) == 1:
        score = f"{best.system} has {result.metric} {format_estimate(best, 3)} on {count_noun(best.n, 'item')}."
        return _join_sentences(score, _describe_detectable(result))
    pairs = {pair.second if pair.first == best.system else pair.first: pair for pair in _find_pairs_of_best(result)}
    if not pairs:
        return f"{best.system} ranks first in {result.metric}; the systems were not compared."
    rivals = [row.system for row in ranked[1:] if row.system not in pairs or not pairs[row.system].p_adjusted < MAX_P]
    if rivals:
        names = join_names([best.system, *rivals])
        first = f"{1 + len(rivals)} of {len(ranked)} systems may be first in {result.metric}: {names}."
    else:
        rest = "the other system" if len(ranked) == 2 else f"each of the other {len(ranked) - 1} systems"
        first = f"{best.system} is first in {result.metric}, ahead of {rest} beyond chance."
    names = f"{best.system} and {ranked[1].system}"
    nearest = _compare_first_two(names, pairs.get(ranked[1].system), len(result.comparisons))
    return _join_sentences(first, nearest, _describe_detectable(result))


def _compare_first_two(names: str, pair: Comparison | None, n_pairs: int) -> str:
    if pair is None or not math.isfinite(pair.p_adjusted):
        return ""
    difference = f"{abs(pair.difference):.2g}"
    p = format_p_value(pair.p_adjusted) + (f" after correction for {n_pairs:,} pairs" if n_pairs > 1 else "")
    if pair.p_adjusted < MAX_P:
        return f"The first two, {names}, differ by {difference} ({p})."
    return f"The first two, {names}, cannot be told apart: they differ by {difference} ({p})."


def _describe_detectable(result: Evaluation) -> str:
    """Say how large a difference these items can show, for one pair that is compared by itself."""
    if not math.isfinite(result.detectable) or result.detectable <= 0:
        return ""
    items = "This item shows" if result.n_items == 1 else f"These {result.n_items:,} items show"
    return f"{items} a difference of about {result.detectable:.2g} or more (80% power, for one pair by itself)."


def _join_sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _find_pairs_of_best(result: Evaluation) -> list[Comparison]:
    best = min(result.systems, key=lambda system: system.rank).system
    return [pair for pair in result.comparisons if best in (pair.first, pair.second)]


def _format_score(score: Estimate) -> str:
    if not math.isfinite(score.value):
        return "n/a"
    interval = f" [{score.low:.3f}, {score.high:.3f}]" if math.isfinite(score.low) else ""
    return f"{score.value:.4f}{interval}"


def _format_p(value: float) -> str:
    if not math.isfinite(value):
        return "n/a"
    return f"{value:.4f}" if value >= MIN_P else f"< {MIN_P:.4f}"


def _show_scores(result: Evaluation) -> None:
    """Print systems in the order of their rank; each metric with its own number of items where it differs."""
    metrics = list(result.systems[0].metrics)
    if result.metric in metrics:
        metrics = [result.metric, *(name for name in metrics if name != result.metric)]
    rows = []
    for system in sorted(result.systems, key=lambda system: system.rank):
        counts = {score.n for score in system.metrics.values() if score.n}
        cells = [_format_score(system.metrics[name]) for name in metrics]
        rows.append([system.system, *cells, "/".join(map(format_number, sorted(counts, reverse=True)))])
    title = f"Scores ({result.n_items:,} items, intervals over {result.resampled})"
    show_table(title, ["system", *metrics, "n"], rows[:MAX_ROWS])
    _mention_more(len(rows))
    reasons = {score.reason for system in result.systems for score in system.metrics.values() if score.reason}
    for reason in sorted(reasons):
        say(f"n/a: {reason}.")


def _show_human(result: Evaluation) -> None:
    """Print how well metrics follow human scores: over answers, within items and over systems."""
    levels = {"answers": "spearman", "within-items": "kendall", "systems": "kendall"}
    columns = [f"{level.replace('-', ' ')} ({method})" for level, method in levels.items()]
    for name in dict.fromkeys(row.human for row in result.human):
        rows: dict[str, list[object]] = {}
        for row in result.human:
            if row.human == name and levels[row.level] == row.method:
                rows.setdefault(row.metric, [row.metric]).append(_format_score(row))
        show_table(f"Correlation of metrics with {name}", ["metric", *columns], list(rows.values()))
    if result.human:
        say(f"Intervals resample {result.resampled} with all their answers; systems stay. --json has all methods.")


def _show_repeats(result: Evaluation) -> None:
    if result.repeats is None:
        return
    rows = [
        [
            row.system,
            row.n,
            row.sd_items,
            row.sd_repeats,
            row.standard_error,
            row.sd_scores,
            round(row.items_equivalent),
        ]
        for row in result.repeats.systems[:MAX_ROWS]
        if math.isfinite(row.items_equivalent)
    ]
    columns = ["system", "repeats", "sd items", "sd repeats", "standard error", "sd of scores", "worth items run once"]
    show_table("Repeats", columns, rows)


def _show_error_reductions(result: Evaluation) -> None:
    if not any(math.isfinite(row.value) for row in result.error_reduction):  # scores of a harness have no baseline
        return
    titles = [f"over {base.baseline} ({format_number(base.value)})" for base in result.baselines]
    cells: dict[str, list[str]] = {}
    for row in result.error_reduction:
        cells.setdefault(row.system, []).append(_format_score(row))
    rows = [[name, *values] for name, values in cells.items()]
    show_table(f"Error reduction in {result.metric}", ["system", *titles], rows[:MAX_ROWS])


def _show_comparisons(result: Evaluation) -> None:
    if not result.comparisons:
        return
    pairs = _find_pairs_of_best(result)
    columns = ["pair", f"difference in {result.metric}", "n", "p swaps", f"p {result.correction}", "p bootstrap"]
    title = f"The best system against the others, of {count_noun(len(result.comparisons), 'pair')}"
    show_table(title, [*columns, "p McNemar", "effect"], [_list_cells(pair) for pair in pairs[:MAX_ROWS]])
    detectable = format_number(result.detectable)
    say(f"Smallest difference detected with 80% power: {detectable} (median over the pairs).")


def write_points(difference: float) -> str:
    """Write a difference in points.

    >>> write_points(0.01), write_points(0.025)
    ('1 point', '2.5 points')
    """
    return f"{100 * difference:g} {'point' if round(100 * difference, 9) == 1 else 'points'}"


def _show_power(result: Evaluation) -> None:
    """Print how many items a difference of two systems needs, by the number of repeats where there are any."""
    if result.power is None or not result.power.plans:
        return
    counts = list(dict.fromkeys(plan.n_repeats for plan in result.power.plans))
    items: dict[float, list[str]] = {}
    for plan in result.power.plans:
        items.setdefault(plan.difference, []).append(format_number(plan.n_items))
    if len(counts) == 1:
        parts = [f"{cells[0]} for {write_points(difference)}" for difference, cells in items.items()]
        say(f"Items needed to detect a difference with 80% power: {', '.join(parts)}.")
        return
    columns = ["difference", *(f"{n} repeat{'s' if n > 1 else ''}" for n in counts)]
    rows = [[write_points(difference), *cells] for difference, cells in items.items()]
    show_table("Items needed to detect a difference of two systems (80% power)", columns, rows)


def _list_cells(pair: Comparison) -> list[object]:
    difference = f"{pair.difference:+.4f} [{pair.low:+.3f}, {pair.high:+.3f}]"
    tests = [_format_p(p) for p in (pair.p_permutation, pair.p_adjusted, pair.p_bootstrap, pair.p_mcnemar)]
    return [f"{pair.first} − {pair.second}", difference, pair.n, *tests, round(pair.effect, 3)]


def _show_folds(tables: Sequence[FoldTable]) -> None:
    names = list(dict.fromkeys(fold.fold for table in tables for fold in table.folds))
    rows = []
    for table in tables:
        values = {fold.fold: format_number(fold.value) for fold in table.folds}
        cells = [values.get(name, "") for name in names]
        summary = [format_number(table.mean), format_number(table.std_ddof0)]
        rows.append([f"{table.system} · {table.split}", *cells, *summary])
    show_table(f"{tables[0].metric} by fold", ["system · split", *names, "mean", "std (ddof = 0)"], rows[:MAX_ROWS])
    _mention_more(len(rows))
    _show_fold_traits(tables)
    dependence = [
        [f"{table.system} · {table.split}", trait, format_number(trend.value), _format_p(trend.p), trend.reason or ""]
        for table in tables
        for trait, trend in table.dependence.items()
    ]
    title = "Score against traits of the folds (Spearman over folds)"
    show_table(title, ["system · split", "trait", "correlation", "p", ""], dependence[:MAX_ROWS])


def _show_fold_traits(tables: Sequence[FoldTable]) -> None:
    firsts: dict[str, FoldTable] = {}
    for table in tables:
        firsts.setdefault(table.split, table)
    rows = []
    for split, table in firsts.items():
        for fold in table.folds:
            shares = ", ".join(f"{label} {share:.3f}" for label, share in list(fold.labels.items())[:MAX_LABELS])
            rows.append([split, fold.fold, fold.n, format_number(fold.share), format_number(fold.mean_length), shares])
    show_table("Folds", ["split", "fold", "items", "share", "mean length", "label shares"], rows[:MAX_ROWS])


def _show_difficulty(scores: DifficultyScores) -> None:
    cases = ", ".join(f"{case} {n:,}" for case, n in scores.counts.items())
    title = f"By difficulty ({scores.measure}, threshold {scores.threshold}, positive {scores.positive}: {cases})"
    systems = [row.to_dict() for row in scores.systems]
    names = [*_RATES, "accuracy_o", "accuracy_n", "accuracy", "MAP", "n_items"]
    names = [name for name in names if systems[0].get(name) is not None]
    cells = [[row["system"], *(row.get(name) for name in names)] for row in systems[:MAX_ROWS]]
    show_table(title, ["system", *names], cells)
    rows = [
        [
            row.system,
            format_number(row.rank),
            format_number(row.rank_non_obvious),
            f"{row.change:+g}",
            _format_p(row.p),
            _format_p(row.p_adjusted),
        ]
        for row in sorted(scores.ranks, key=lambda row: row.rank_non_obvious)
    ]
    columns = ["system", "rank", "rank on non-obvious", "change", "p", "p Holm"]
    show_table("Ranks on the non-obvious cases", columns, rows[:MAX_ROWS])


def _show_drift(drifts: Sequence[Drift]) -> None:
    rows = [
        [
            drift.system,
            drift.metric,
            format_number(drift.correlation.value),
            _format_p(drift.correlation.p),
            len(drift.slices),
        ]
        for drift in drifts
    ]
    first = drifts[0]
    title = f"Score against temporal gap, from {first.gap_from} (Spearman over periods)"
    show_table(title, ["system", "metric", "correlation", "p", "periods"], rows[:MAX_ROWS])
    periods = [
        [period.start, period.end, format_number(period.gap_days), _format_score(period), period.n]
        for period in first.slices
    ]
    show_table(first.system, ["from", "to", "gap (days)", first.metric, "n"], periods)


def _show_slices(name: str, scores: Sequence[SliceScore], metric: str) -> None:
    rows = [row for row in scores if row.metric == metric] or scores
    cells = [
        [row.slice, row.system, row.metric, _format_score(row), row.n, format_number(row.share)]
        for row in rows[:MAX_ROWS]
    ]
    show_table(f"By {name}", ["slice", "system", "metric", "score", "n", "share"], cells)
    _mention_more(len(rows))


def _show_new_sample(result: NewSample) -> None:
    rows = [[split.split, split.mse, split.mse_error_reduction, split.n_systems] for split in result.splits]
    title = "Mean squared error of each split's estimate against the new sample"
    show_table(title, ["split", "of the metric", "of error reduction", "systems"], rows)


def _mention_more(n: int) -> None:
    if n > MAX_ROWS:
        say(f"… and {n - MAX_ROWS:,} more rows: --json has them all.")
