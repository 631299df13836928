"""The tables of `assay evaluate`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assay.base.numbers import format_number
from assay.cli.output import say, show_table

if TYPE_CHECKING:
    from assay.evaluation import Evaluation

_MOST = 40  # rows of a table; the rest is in --json
_RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1")


def show(result: Evaluation) -> None:
    """Print everything, the scores first."""
    _scores(result)
    _reductions(result)
    _comparisons(result)
    for name, found in result.by.items():
        if name in _SLICES:
            _SLICES[name](found)
        else:
            _slices(name, found, result.metric)
    if result.new_sample is not None:
        _new_sample(result.new_sample)


def _cell(score: Any) -> str:
    if not math.isfinite(score.value):
        return "n/a"
    ends = f" [{score.low:.3f}, {score.high:.3f}]" if math.isfinite(score.low) else ""
    return f"{score.value:.4f}{ends}"


def _scores(result: Evaluation) -> None:
    """Print systems in the order of their rank; each metric with its own number of items where it differs."""
    metrics = list(result.systems[0].metrics)
    if result.metric in metrics:
        metrics = [result.metric, *(name for name in metrics if name != result.metric)]
    rows = []
    for system in sorted(result.systems, key=lambda system: system.rank):
        counts = {score.n for score in system.metrics.values() if score.n}
        cells = [_cell(system.metrics[name]) for name in metrics]
        rows.append([system.system, *cells, "/".join(map(format_number, sorted(counts, reverse=True)))])
    kind = f"{result.n_items:,} items, intervals over {result.resampled}"
    show_table(f"Scores ({kind})", ["system", *metrics, "n"], rows[:_MOST])
    _more(len(rows))
    reasons = {score.reason for system in result.systems for score in system.metrics.values() if score.reason}
    for reason in sorted(reasons):
        say(f"n/a: {reason}.")


def _reductions(result: Evaluation) -> None:
    if not result.error_reduction:
        return
    titles = [f"over {base.baseline} ({format_number(base.value)})" for base in result.baselines]
    found: dict[str, list[str]] = {}
    for row in result.error_reduction:
        found.setdefault(row.system, []).append(_cell(row))
    rows = [[name, *cells] for name, cells in found.items()]
    show_table(f"Error reduction in {result.metric}", ["system", *titles], rows[:_MOST])


def _comparisons(result: Evaluation) -> None:
    if not result.comparisons:
        return
    best = min(result.systems, key=lambda system: system.rank).system
    rows = [pair for pair in result.comparisons if best in (pair.first, pair.second)]
    columns = ["pair", f"difference in {result.metric}", "n", "p swaps", f"p {result.correction}", "p bootstrap"]
    title = f"The best system against the others, of {len(result.comparisons):,} pairs"
    show_table(title, [*columns, "p McNemar", "effect"], [_pair(pair) for pair in rows[:_MOST]])
    say(f"Smallest difference found with 80 % power: {format_number(result.detectable)} (median over the pairs).")


def _pair(pair: Any) -> list[object]:
    difference = f"{pair.difference:+.4f} [{pair.low:+.3f}, {pair.high:+.3f}]"
    tests = [_p(p) for p in (pair.p_permutation, pair.p_adjusted, pair.p_bootstrap, pair.p_mcnemar)]
    return [f"{pair.first} − {pair.second}", difference, pair.n, *tests, round(pair.effect, 3)]


def _p(value: float) -> str:
    if not math.isfinite(value):
        return "n/a"
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _folds(tables: Sequence[Any]) -> None:
    names = list(dict.fromkeys(fold.fold for table in tables for fold in table.folds))
    rows = []
    for table in tables:
        values = {fold.fold: format_number(fold.value) for fold in table.folds}
        cells = [values.get(name, "") for name in names]
        rows.append(
            [f"{table.system} · {table.split}", *cells, format_number(table.mean), format_number(table.std_ddof0)]
        )
    show_table(f"{tables[0].metric} by fold", ["system · split", *names, "mean", "std (ddof = 0)"], rows[:_MOST])
    _more(len(rows))
    _traits({table.split: table for table in reversed(tables)})
    dependence = [
        [f"{table.system} · {table.split}", trait, format_number(found.value), _p(found.p), found.reason or ""]
        for table in tables
        for trait, found in table.dependence.items()
    ]
    title = "Does the score follow the fold's traits? (Spearman over folds)"
    show_table(title, ["system · split", "trait", "correlation", "p", ""], dependence[:_MOST])


def _traits(splits: dict[str, Any]) -> None:
    rows = []
    for split, table in reversed(splits.items()):
        for fold in table.folds:
            shares = ", ".join(f"{label} {share:.3f}" for label, share in list(fold.labels.items())[:6])
            rows.append([split, fold.fold, fold.n, format_number(fold.share), format_number(fold.mean_length), shares])
    show_table("Folds", ["split", "fold", "items", "share", "mean length", "label shares"], rows[:_MOST])


def _difficulty(found: Any) -> None:
    cases = ", ".join(f"{case} {n:,}" for case, n in found.counts.items())
    title = f"By difficulty ({found.measure}, threshold {found.threshold}, positive {found.positive}: {cases})"
    told = [row.to_dict() for row in found.systems]
    told_of = (*_RATES, "accuracy_o", "accuracy_n", "accuracy", "MAP", "n_items")
    names = [name for name in told_of if told[0].get(name) is not None]
    show_table(title, ["system", *names], [[row["system"], *(row.get(name) for name in names)] for row in told[:_MOST]])
    rows = [
        [
            row.system,
            format_number(row.rank),
            format_number(row.rank_non_obvious),
            f"{row.change:+g}",
            _p(row.p),
            _p(row.p_adjusted),
        ]
        for row in sorted(found.ranks, key=lambda row: row.rank_non_obvious)
    ]
    columns = ["system", "rank", "rank on non-obvious", "change", "p", "p Holm"]
    show_table("Ranked on the non-obvious cases", columns, rows[:_MOST])


def _time(drifts: Sequence[Any]) -> None:
    rows = [
        [d.system, d.metric, format_number(d.correlation.value), _p(d.correlation.p), len(d.slices)] for d in drifts
    ]
    title = f"Score against temporal gap, from {drifts[0].gap_from} (Spearman over stretches of time)"
    show_table(title, ["system", "metric", "correlation", "p", "stretches"], rows[:_MOST])
    first = drifts[0]
    slices = [[s.start, s.end, format_number(s.gap_days), _cell(s), s.n] for s in first.slices]
    show_table(f"{first.system}", ["from", "to", "gap (days)", first.metric, "n"], slices)


def _slices(name: str, rows: Sequence[Any], metric: str) -> None:
    rows = [row for row in rows if row.metric == metric] or rows
    cells = [[row.slice, row.system, row.metric, _cell(row), row.n, format_number(row.share)] for row in rows[:_MOST]]
    show_table(f"By {name}", ["slice", "system", "metric", "score", "n", "share"], cells)
    _more(len(rows))


def _new_sample(found: dict[str, Any]) -> None:
    rows = [[s.split, s.mse, s.mse_error_reduction, s.n_systems] for s in found["splits"]]
    title = "Mean squared error of each split's estimate against the new sample"
    show_table(title, ["split", "of the metric", "of error reduction", "systems"], rows)


def _more(n: int) -> None:
    if n > _MOST:
        say(f"… and {n - _MOST:,} more rows: --json has them all.")


_SLICES: dict[str, Callable[[Any], None]] = {"fold": _folds, "difficulty": _difficulty, "time": _time}
