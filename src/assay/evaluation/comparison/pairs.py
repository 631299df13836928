"""Compare systems pair by pair, on the items that both answered."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.base.marks import NAME, OWN
from assay.evaluation.comparison.swaps import compute_swap_p_values
from assay.evaluation.scoring.intervals import CountedRows, compute_jackknife
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.evaluation.scoring.workers import Workers
from assay.metrics import Metric
from assay.statistics import Interval, benjamini_hochberg, bootstrap_sums, group_sums, holm, mcnemar, percentile
from assay.tasks import announce_step
from assay.views.results import Result

T = TypeVar("T")

CORRECTIONS = {"holm": holm, "bh": benjamini_hochberg}
POWER, LEVEL = 0.8, 0.05
PAIRS = ("auto", "all")
MAX_LEADERS = 50  # of more systems, only so many leading ones are compared pair by pair
BLOCK_SYSTEMS = 50  # compared with the best at a time, so that memory does not grow with their number
ROUNDING = 1e-12  # relative; a smaller standard error comes from rounded sums


@dataclass(frozen=True)
class Comparison(Result):
    """The difference of two systems on one metric, its interval, and tests of it being zero (two-sided).

    `p_permutation` swaps the systems' answers item by item (or group by group), `p_bootstrap` counts how often the
    resampled difference changes sign, `p_mcnemar` compares the items that only one has right; `p_adjusted` is the
    permutation's, corrected over all pairs. `effect` is the difference in standard deviations of one item's
    contribution, `odds` the odds of being the only one right, `detectable` the difference detected with 80% power; effect and
    detectable difference are nan if the two differ by the same amount on every item.
    """

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    difference: Interval
    n: int
    p_permutation: float
    p_adjusted: float
    p_bootstrap: float
    p_mcnemar: float
    only_first: int | None
    only_second: int | None
    odds: float = field(compare=False)  # follows from the counts; infinite odds are null in JSON
    effect: float
    detectable: float


@dataclass(frozen=True)
class _Batch:
    """Systems that answered the same items: their statistics, one table per system, and which items are right.

    With `only_first`, the first system is compared with the others, which are not compared with each other.
    """

    names: list[str]
    metric: Metric
    n: int
    tables: list[Array]
    correct: Array | None
    n_resamples: int
    n_permutations: int
    confidence: float
    random_state: int
    only_first: bool = False


def choose_leaders(ranked: Sequence[str], pairs: str) -> list[str] | None:
    """Return the systems whose pairs are all compared, the best first; None if these are all systems.

    >>> choose_leaders(["a", "b"], "auto") is None, len(choose_leaders([str(n) for n in range(80)], "auto") or [])
    (True, 50)
    """
    if pairs not in PAIRS:
        raise unknown_name("choice of pairs", pairs, PAIRS)
    return None if pairs == "all" or len(ranked) <= MAX_LEADERS else list(ranked[:MAX_LEADERS])


def compare_systems(
    prepared: PreparedPredictions,
    metric: Metric,
    *,
    correction: str = "holm",
    n_permutations: int = 10_000,
    leaders: Sequence[str] | None = None,
) -> list[Comparison]:
    """Compare all pairs of systems, in file order, and correct for their number.

    With `leaders`, the best first, all pairs of these are compared, and the best one with every other system. The
    correction is still for all pairs, because the data decides which system is the best.
    """
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    masks = {name: items.present for name, items in prepared.count_items(metric).items()}
    chosen = [name for name in masks if leaders is None or name in leaders]
    best = next((name for name in leaders or () if name in masks), None)
    others = [name for name in masks if name not in chosen] if best is not None else []
    first = next(iter(masks.values()), None)
    if first is None or all(np.array_equal(mask, first) for mask in masks.values()):
        batches = [_build_batch(prepared.select(chosen), metric, n_permutations)] if len(chosen) > 1 else []
        rows = [row for batch in batches for row in _compare_batch(batch, prepared.settings.workers)]
        if best is not None:
            rows += _compare_with_best(prepared, metric, best, others, n_permutations)
    else:
        pairs = [*combinations(chosen, 2), *((str(best), other) for other in others)]
        rows = [
            row for block in _split(pairs) for row in _compare_apart(prepared, metric, masks, block, n_permutations)
        ]
    n_pairs = count_pairs(len(masks))
    p_values = np.ones(n_pairs)  # as if no pair that was left out differed, so that none is corrected too little
    p_values[: len(rows)] = [row.p_permutation for row in rows]
    adjusted = CORRECTIONS[correction](p_values)[: len(rows)]
    return [replace(row, p_adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True)]


def count_pairs(n_systems: int) -> int:
    """Return the number of pairs of systems.

    >>> count_pairs(5)
    10
    """
    return n_systems * (n_systems - 1) // 2


def find_detectable_difference(error: float) -> float:
    """Return the true difference that a two-sided test at 5% detects with 80% power, given its standard error.

    >>> round(find_detectable_difference(0.01), 4)
    0.028
    """
    from scipy.special import ndtri

    return float(ndtri(1 - LEVEL / 2) + ndtri(POWER)) * error


def _split(names: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield block after block, and announce how many are done."""
    for start in range(0, len(names), BLOCK_SYSTEMS):
        announce_step("compare systems", start, len(names))
        yield names[start : start + BLOCK_SYSTEMS]


def _compare_with_best(
    prepared: PreparedPredictions, metric: Metric, best: str, others: Sequence[str], n_permutations: int
) -> Iterator[Comparison]:
    for block in _split(others):
        batch = _build_batch(prepared.select([best, *block]), metric, n_permutations)
        yield from _compare_batch(replace(batch, only_first=True), prepared.settings.workers)


def _compare_apart(
    prepared: PreparedPredictions,
    metric: Metric,
    masks: dict[str, Array],
    pairs: Sequence[tuple[str, str]],
    n_permutations: int,
) -> list[Comparison]:
    """Compare each pair on the items that both answered."""
    batches = [
        (_build_batch(prepared.select(pair).take(masks[pair[0]] & masks[pair[1]]), metric, n_permutations),)
        for pair in pairs
    ]
    n_draws = len(batches) * len(prepared.predictions) * n_permutations
    compared = prepared.settings.workers.run(_compare_batch, batches, n_draws)
    return [row for rows in compared for row in rows]


def _build_batch(prepared: PreparedPredictions, metric: Metric, n_permutations: int) -> _Batch:
    tables, groups, settings = list(prepared.collect_statistics(metric).values()), prepared.groups, prepared.settings
    if groups is not None:
        tables = [group_sums(table, groups) for table in tables]
    predictions = prepared.predictions
    answered = np.ones(len(predictions), dtype=bool)
    for items in prepared.count_items(metric).values():
        answered &= items.present
    n = int(answered.sum())
    if metric.over_groups:
        n = int(tables[0][:, -1].sum()) if tables else 0
    if predictions.n_repeats > 1:
        n = len(np.unique(predictions.ids[answered].astype(str)))
    outcomes = predictions.outcomes()
    right_or_wrong = bool(np.isin(outcomes[np.isfinite(outcomes)], (0.0, 1.0)).all())
    # Repeats of an item depend on each other, which the test of McNemar cannot take into account.
    classes = right_or_wrong and not prepared.labels.graded and predictions.n_repeats == 1
    return _Batch(
        predictions.names,
        metric,
        n,
        tables,
        outcomes == 1 if classes else None,
        settings.n_resamples,
        n_permutations,
        settings.confidence,
        settings.random_state,
    )


def _compare_batch(batch: _Batch, workers: Workers | None = None) -> list[Comparison]:
    """Compare systems that answered the same items: one matrix of weights, one of swaps, for all pairs."""
    metric, tables = batch.metric, batch.tables
    if not tables or not len(tables[0]):
        return []
    drawn = bootstrap_sums(np.hstack(tables), batch.n_resamples, batch.random_state)
    values = [metric.score_table(table) for table in tables]
    resampled = [metric.compute_value(sums) for sums in np.split(drawn, len(tables), axis=1)]
    jackknives = [compute_jackknife(metric, CountedRows(table, np.ones(len(table)))) for table in tables]
    n_firsts = 1 if batch.only_first else len(tables) - 1
    p_swaps = compute_swap_p_values(metric, tables, batch.n_permutations, batch.random_state, workers, n_firsts)
    return [
        _compare_pair(
            batch,
            (a, b),
            values[a] - values[b],
            resampled[a] - resampled[b],
            jackknives[a] - jackknives[b],
            float(p_swaps[a, b]),
        )
        for a in range(n_firsts)
        for b in range(a + 1, len(tables))
    ]


def _compare_pair(
    batch: _Batch, pair: tuple[int, int], difference: float, resampled: Array, jackknife: Array, p_swaps: float
) -> Comparison:
    interval = percentile(resampled, batch.confidence, difference)
    error, n_units = _jackknife_error(jackknife)
    only_first, only_second = _count_discordant(batch.correct, *pair)
    return Comparison(
        batch.names[pair[0]],
        batch.names[pair[1]],
        batch.metric.name,
        interval,
        batch.n,
        p_permutation=p_swaps,
        p_adjusted=math.nan,
        p_bootstrap=_test_sign_changes(resampled),
        p_mcnemar=math.nan if only_first is None or only_second is None else mcnemar(only_first, only_second).p,
        only_first=only_first,
        only_second=only_second,
        odds=_compute_odds(only_first, only_second),
        effect=difference / (error * math.sqrt(n_units)) if error > 0 else math.nan,
        detectable=find_detectable_difference(error) if error > 0 else math.nan,
    )


def _test_sign_changes(resampled: Array) -> float:
    """Return the two-sided p of the bootstrap; ties count on both sides, so that equal systems have p = 1."""
    finite = resampled[np.isfinite(resampled)]
    if not len(finite):
        return math.nan
    return min(1.0, 2 * float(1 + min((finite <= 0).sum(), (finite >= 0).sum())) / (1 + len(finite)))


def _jackknife_error(values: Array) -> tuple[float, int]:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return math.nan, 0
    error = math.sqrt((len(finite) - 1) / len(finite) * float(((finite - finite.mean()) ** 2).sum()))
    # What rounding leaves of equal values is not an error: a difference in units of it would be astronomical.
    return (error if error > ROUNDING * max(1.0, float(np.abs(finite).max())) else 0.0), len(finite)


def _count_discordant(correct: Array | None, a: int, b: int) -> tuple[int | None, int | None]:
    if correct is None:
        return None, None
    return int((correct[a] & ~correct[b]).sum()), int((correct[b] & ~correct[a]).sum())


def _compute_odds(first: int | None, second: int | None) -> float:
    if not first and not second:
        return math.nan
    return (first or 0) / second if second else math.inf
