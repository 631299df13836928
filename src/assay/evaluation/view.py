"""Tables and sentences of an evaluation: scores, comparisons, slices, and a summary."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.base.errors import join_names
from assay.evaluation.comparison.new_sample import NewSample
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.comparison.smallest_difference import SmallestDifference
from assay.evaluation.first_place import is_lower_better
from assay.evaluation.repeats.power import Power
from assay.evaluation.repeats.variance import Repeats
from assay.evaluation.results import Evaluation
from assay.evaluation.slices.columns import SliceScore
from assay.evaluation.slices.difficulty import DifficultyScores
from assay.evaluation.slices.folds import FoldTable
from assay.evaluation.slices.periods import Drift
from assay.views.blocks import Block, Column, Sentence, Table, Value, make_table
from assay.wording.numbers import format_interval, format_number, format_p_value
from assay.wording.sentences import count_noun, quote

MAX_LABELS = 6  # whose shares are shown for a fold
MAX_P = 0.05  # corrected for all pairs; above it two systems cannot be told apart
_LEVELS = {"answers": "spearman", "within-items": "kendall", "systems": "kendall"}
_RATES = ("TPR_o", "TPR_n", "TNR_o", "TNR_n", "F1_o", "F1_n", "F1", "accuracy_o", "accuracy_n", "accuracy", "MAP")


def show_evaluation(result: Evaluation) -> Iterator[Block]:
    """Yield everything, the scores first and the verdict last."""
    yield from show_scores(result)
    yield from show_human_scores(result)
    yield from show_repeats(result.repeats)
    yield from show_error_reductions(result)
    yield from show_comparisons(result)
    yield from show_power(result.power)
    yield from show_folds(result.by.fold or ())
    if result.by.difficulty:
        yield from show_difficulty(result.by.difficulty)
    yield from show_drift(result.by.time or ())
    for name, scores in result.by.columns.items():
        yield from show_slices(name, scores, result.metric)
    if result.contrast is not None:
        yield from result.contrast.blocks()
    if result.new_sample is not None:
        yield from show_new_sample(result.new_sample)
    yield Sentence(write_verdict(result), is_verdict=True)


def show_scores(result: Evaluation) -> Iterator[Block]:
    """Yield the scores of the systems in the order of their rank, the metric that ranks them first."""
    if not result.systems:
        return
    metrics = list(result.systems[0].metrics)
    if result.metric in metrics:
        metrics = [result.metric, *(name for name in metrics if name != result.metric)]
    rows: list[list[Value]] = []
    for system in sorted(result.systems, key=lambda system: system.rank):
        counts = sorted({score.n for score in system.metrics.values() if score.n}, reverse=True)
        scores = [system.metrics[name] for name in metrics]
        rows.append([system.system, *scores, "/".join(map(format_number, counts))])
    title = f"Scores ({count_noun(result.n_items, 'item')}, intervals over {result.resampled})"
    yield Table(title, ["system", *metrics, "n"], rows, is_main=True)
    reasons = {score.reason for system in result.systems for score in system.metrics.values() if score.reason}
    yield from (Sentence(f"n/a: {reason}.") for reason in sorted(reasons))


def show_human_scores(result: Evaluation) -> Iterator[Block]:
    """Yield how well metrics follow human scores: over answers, within items and over systems."""
    columns = [f"{level.replace('-', ' ')} ({method})" for level, method in _LEVELS.items()]
    for name in dict.fromkeys(row.human for row in result.human):
        rows: dict[str, list[Value]] = {}
        for row in result.human:
            if row.human == name and _LEVELS[row.level] == row.method:
                rows.setdefault(row.metric, [row.metric]).append(row)
        yield Table(f"Correlation of metrics with {name}", ["metric", *columns], list(rows.values()))
    if result.human:
        text = f"Intervals resample {result.resampled} with all their answers; systems stay. The JSON has all methods."
        yield Sentence(text)


def show_repeats(repeats: Repeats | None) -> Iterator[Table]:
    """Yield the variance between items and between the repeats of a run."""
    yield from make_table(
        "Repeats",
        [row for row in (repeats.systems if repeats else ()) if math.isfinite(row.items_equivalent)],
        {
            "system": lambda row: row.system,
            "repeats": lambda row: row.n,
            "items": lambda row: row.n_items,
            "sd items": lambda row: row.sd_items,
            "sd repeats": lambda row: row.sd_repeats,
            "standard error": lambda row: row.standard_error,
            "sd of scores": lambda row: row.sd_scores,
            "worth items run once": lambda row: round(row.items_equivalent),
        },
        "Standard deviations of the outcomes between items and between the repeats of an item (analysis of variance); "
        "the standard error belongs to the mean over items and repeats. Sd of scores: from one repeat to the next. "
        "Worth: how many items, run once, would be as precise.",
    )


def write_repeats(repeats: Repeats, n_items: int, *, has_shares: bool = True) -> str:
    """Say how far the score of a system moves between repeats, and how many items the repeats are worth."""
    moves = [row.sd_scores for row in repeats.systems if math.isfinite(row.sd_scores)]
    worth = [row.items_equivalent for row in repeats.systems if math.isfinite(row.items_equivalent)]
    sentence = f"Runs were repeated up to {repeats.n} times"
    if moves:
        sentence += "; from one repeat to the next a score moves by "
        sentence += write_difference(sum(moves) / len(moves), has_shares=has_shares)
    if worth:
        sentence += f"; the repeats are worth {round(sum(worth) / len(worth)) - n_items:+,} items"
    return f"{sentence}."


def write_difference(difference: float, *, has_shares: bool) -> str:
    """Write a difference of scores: in points of 100 if scores are shares, else in their own unit.

    >>> write_difference(0.125, has_shares=True), write_difference(0.125, has_shares=False)
    ('12.5 points', '0.125')
    """
    return f"{100 * difference:.1f} points" if has_shares else f"{difference:.3g}"


def write_smallest_difference(smallest: SmallestDifference) -> str:
    """Say which difference of the first two systems these items show, and how far the two are apart."""
    needed = f"must differ by {write_difference(smallest.value, has_shares=smallest.has_shares)}"
    by = f" in {smallest.metric}" if smallest.metric else ""
    items = f"{smallest.n_items:,} items"
    if math.isnan(smallest.gap):
        return f"Two systems like this one, with unrelated errors, {needed}{by} to be distinguished on {items} (80% power)."
    names = "" if smallest.first is None else f", {quote(smallest.first)} and {quote(smallest.second or '')},"
    gap = write_difference(smallest.gap, has_shares=smallest.has_shares)
    is_lucky = smallest.p < MAX_P and abs(smallest.gap) < smallest.value
    lucky = (
        f" Compared by themselves they differ beyond chance ({format_p_value(smallest.p)}), but another sample "
        "may miss it."
    )
    return (
        f"The first two systems{names} {needed}{by} to be distinguished on the {items} that both answered (80% power). "
        f"They are {gap} apart.{lucky if is_lucky else ''}"
    )


def show_error_reductions(result: Evaluation) -> Iterator[Block]:
    """Yield the error reduction of each system over each baseline, if there is a baseline."""
    if not any(math.isfinite(row.value) for row in result.error_reduction):  # scores of a harness have no baseline
        return
    titles = [f"over {base.baseline} ({format_number(base.value)})" for base in result.baselines]
    cells: dict[str, list[Value]] = {}
    for row in result.error_reduction:
        cells.setdefault(row.system, []).append(row)
    rows: list[list[Value]] = [[name, *values] for name, values in cells.items()]
    yield Table(f"Error reduction in {result.metric}", ["system", *titles], rows)


def show_comparisons(result: Evaluation) -> Iterator[Block]:
    """Yield the comparisons of the best system with the others."""
    if not result.comparisons:
        return
    yield from make_table(
        f"The best system against the others, of {count_noun(result.n_pairs, 'pair')}",
        find_pairs_of_best(result),
        {
            "pair": lambda pair: f"{pair.first} − {pair.second}",
            f"difference in {result.metric}": lambda pair: pair.difference,
            "n": lambda pair: pair.n,
            Column("p swaps", "p"): lambda pair: pair.p_permutation,
            Column(f"p {result.correction}", "p"): lambda pair: pair.p_adjusted,
            Column("p bootstrap", "p"): lambda pair: pair.p_bootstrap,
            Column("p McNemar", "p"): lambda pair: pair.p_mcnemar,
            Column("effect", "rounded:3"): lambda pair: pair.effect,
        },
    )


def find_pairs_of_best(result: Evaluation) -> list[Comparison]:
    """Return the comparisons of the system with the first rank."""
    best = min(result.systems, key=lambda system: system.rank).system
    return [pair for pair in result.comparisons if best in (pair.first, pair.second)]


def write_points(difference: float) -> str:
    """Write a difference in points.

    >>> write_points(0.01), write_points(0.025)
    ('1 point', '2.5 points')
    """
    return f"{100 * difference:g} {'point' if round(100 * difference, 9) == 1 else 'points'}"


def show_power(power: Power | None) -> Iterator[Block]:
    """Yield how many items a difference of two systems needs, by the number of repeats if there are any."""
    if power is None or not power.plans:
        return
    counts = list(dict.fromkeys(plan.n_repeats for plan in power.plans))
    items: dict[float, list[Value]] = {}
    for plan in power.plans:
        items.setdefault(plan.difference, []).append(plan.n_items)
    if len(counts) == 1:
        parts = [f"{format_number(cells[0])} for {write_points(difference)}" for difference, cells in items.items()]
        yield Sentence(f"Items needed to detect a difference with 80% power: {', '.join(parts)}.")
        return
    columns = ["difference", *(count_noun(n, "repeat") for n in counts)]
    rows: list[list[Value]] = [[write_points(difference), *cells] for difference, cells in items.items()]
    yield Table("Items needed to detect a difference of two systems (80% power)", columns, rows)


def show_folds(tables: Sequence[FoldTable]) -> Iterator[Block]:
    """Yield the scores by fold, the traits of the folds, and how scores depend on traits."""
    if not tables:
        return
    names = list(dict.fromkeys(fold.fold for table in tables for fold in table.folds))
    rows: list[list[Value]] = []
    for table in tables:
        values = {fold.fold: fold.value for fold in table.folds}
        rows.append(
            [f"{table.system} · {table.split}", *(values.get(name) for name in names), table.mean, table.std_ddof0]
        )
    yield Table(f"{tables[0].metric} by fold", ["system · split", *names, "mean", "std (ddof = 0)"], rows)
    firsts = {table.split: table for table in reversed(tables)}
    yield from make_table(
        "Folds",
        [(split, fold) for split, table in reversed(firsts.items()) for fold in table.folds],
        {
            "split": lambda row: row[0],
            "fold": lambda row: row[1].fold,
            "items": lambda row: row[1].n,
            "share": lambda row: row[1].share,
            "mean length": lambda row: row[1].mean_length,
            "label shares": lambda row: ", ".join(
                f"{label} {share:.3f}" for label, share in list(row[1].labels.items())[:MAX_LABELS]
            ),
        },
    )
    yield from make_table(
        "Score against traits of the folds (Spearman over folds)",
        [(table, trait, trend) for table in tables for trait, trend in table.dependence.items()],
        {
            "system · split": lambda row: f"{row[0].system} · {row[0].split}",
            "trait": lambda row: row[1],
            "correlation": lambda row: row[2].value,
            Column("p", "p"): lambda row: row[2].p,
            "": lambda row: row[2].reason or "",
        },
    )


def show_difficulty(scores: DifficultyScores) -> Iterator[Block]:
    """Yield the scores on obvious and non-obvious items, and the ranks on the latter."""
    cases = ", ".join(f"{case} {n:,}" for case, n in scores.counts.items())
    title = f"By difficulty ({scores.measure}, threshold {scores.threshold}, positive {scores.positive}: {cases})"
    systems = [row.to_dict() for row in scores.systems]
    names = [name for name in (*_RATES, "n_items") if systems and systems[0].get(name) is not None]
    rows: list[list[Value]] = [[row["system"], *(row.get(name) for name in names)] for row in systems]
    if rows:
        yield Table(title, ["system", *names], rows)
    yield from make_table(
        "Ranks on the non-obvious cases",
        sorted(scores.ranks, key=lambda row: row.rank_non_obvious),
        {
            "system": lambda row: row.system,
            "rank": lambda row: row.rank,
            "rank on non-obvious": lambda row: row.rank_non_obvious,
            "change": lambda row: f"{row.change:+g}",
            Column("p", "p"): lambda row: row.p,
            Column("p Holm", "p"): lambda row: row.p_adjusted,
        },
    )


def show_drift(drifts: Sequence[Drift]) -> Iterator[Block]:
    """Yield how scores depend on the time between training and test."""
    if not drifts:
        return
    first = drifts[0]
    yield from make_table(
        f"Score against temporal gap, from {first.gap_from} (Spearman over periods)",
        drifts,
        {
            "system": lambda drift: drift.system,
            "metric": lambda drift: drift.metric,
            "correlation": lambda drift: drift.correlation.value,
            Column("p", "p"): lambda drift: drift.correlation.p,
            "periods": lambda drift: len(drift.slices),
        },
    )
    yield from make_table(
        first.system,
        first.slices,
        {
            "from": lambda period: period.start,
            "to": lambda period: period.end,
            "gap (days)": lambda period: period.gap_days,
            first.metric: lambda period: period,
            "n": lambda period: period.n,
        },
    )


def show_slices(name: str, scores: Sequence[SliceScore], metric: str) -> Iterator[Block]:
    """Yield the scores by the values of a column."""
    yield from make_table(
        f"By {name}",
        [row for row in scores if row.metric == metric] or scores,
        {
            "slice": lambda row: row.slice,
            "system": lambda row: row.system,
            "metric": lambda row: row.metric,
            "score": lambda row: row,
            "n": lambda row: row.n,
            "share": lambda row: row.share,
        },
    )


def show_new_sample(sample: NewSample) -> Iterator[Block]:
    """Yield how far the estimate of each split is from the scores on a new sample."""
    yield from make_table(
        "Mean squared error of each split's estimate against the new sample",
        sample.splits,
        {
            "split": lambda row: row.split,
            "of the metric": lambda row: row.mse,
            "of error reduction": lambda row: row.mse_error_reduction,
            "systems": lambda row: row.n_systems,
        },
    )


def write_verdict(result: Evaluation) -> str:
    """Say which systems may be first, whether the first two differ, and which difference the items can show."""
    ranked = sorted((row for row in result.systems if math.isfinite(row.value)), key=lambda row: row.rank)
    if not ranked:
        return f"No system has a score in {result.metric}."
    best = ranked[0]
    if len(ranked) == 1:
        score = (
            f"{best.system} has {result.metric} {format_interval(best, 'rounded:3')} on {count_noun(best.n, 'item')}."
        )
        return _join_sentences(score, _describe_detectable(result))
    pairs = {pair.second if pair.first == best.system else pair.first: pair for pair in find_pairs_of_best(result)}
    if not pairs:
        return f"{best.system} ranks first in {result.metric}; the systems were not compared."
    ahead = {row.system for row in ranked[1:] if row.system in pairs and _beats(row.system, pairs[row.system], result)}
    rivals = [row.system for row in ranked[1:] if _may_be_first(row.system, pairs.get(row.system), ahead)]
    if ahead:
        names = join_names([f"{name} (on {pairs[name].n:,})" for name in pairs if name in ahead])
        first = (
            f"{best.system} has the best {result.metric} on its own items; ahead of it on the items that both answered: "
            f"{names}. {1 + len(rivals)} of {len(ranked)} systems may be first."
        )
    elif rivals:
        names = join_names([best.system, *rivals])
        first = f"{1 + len(rivals)} of {len(ranked)} systems may be first in {result.metric}: {names}."
    else:
        rest = "the other system" if len(ranked) == 2 else f"each of the other {len(ranked) - 1} systems"
        first = f"{best.system} is first in {result.metric}, ahead of {rest} beyond chance."
    names = f"{best.system} and {ranked[1].system}"
    nearest = _compare_first_two(names, pairs.get(ranked[1].system), result.n_pairs, result.n_items)
    return _join_sentences(first, nearest, _describe_detectable(result))


def _beats(system: str, pair: Comparison, result: Evaluation) -> bool:
    """Return whether a system is ahead of the other one of a pair on the items that both answered."""
    sign = 1 if pair.first == system else -1
    sign *= -1 if is_lower_better(result.metric) else 1
    return sign * pair.difference.value > 0


def _may_be_first(system: str, pair: Comparison | None, ahead: set[str]) -> bool:
    return pair is None or system in ahead or not pair.p_adjusted < MAX_P


def _compare_first_two(names: str, pair: Comparison | None, n_pairs: int, n_items: int) -> str:
    if pair is None or not math.isfinite(pair.p_adjusted):
        return ""
    difference = f"{abs(pair.difference.value):.2g}"
    difference += f" on the {pair.n:,} items that both answered" if pair.n < n_items else ""
    p = format_p_value(pair.p_adjusted) + (f" after correction for {n_pairs:,} pairs" if n_pairs > 1 else "")
    if pair.p_adjusted < MAX_P:
        return f"The first two, {names}, differ by {difference} ({p})."
    return f"The first two, {names}, cannot be told apart: they differ by {difference} ({p})."


def _describe_detectable(result: Evaluation) -> str:
    """Say how large a difference of the first two systems these items can show."""
    smallest = result.smallest_difference
    return write_smallest_difference(smallest) if smallest.value > 0 else ""


def _join_sentences(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
