"""Can this benchmark tell systems apart: the given ones, or the quick models if none are given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.discrimination.results import (
    BelowBaseline,
    DatasetRow,
    DiscriminationEvidence,
    ItemSummary,
    LabelCount,
    MetricWinner,
    NegativeItems,
    PairedDifference,
    RankedSystem,
    SystemAgreement,
)
from assay.checks.suspects import describe_suspects, list_suspicion
from assay.discrimination import (
    DatasetDiscrimination,
    Discrimination,
    Outcomes,
    SystemRank,
    analyse_items,
    build_outcomes,
    discriminate_outcomes,
    discriminate_scores,
    find_negative_discrimination,
    propose_actions,
)
from assay.discrimination import ItemSummary as FoundItems
from assay.discrimination.items import map_outcomes, measure_shared_failures
from assay.evaluation import Evaluation, Predictions, evaluate
from assay.kinds import kind_of
from assay.models import predict_with_quick_systems
from assay.statistics import Interval, cohen_kappa, feldt_interval, wilson
from assay.suspects import Suspects, find_suspects
from assay.views.values import MAX_IDS, ItemCount

MAX_RANKED = 200
REVERSED_KAPPA = -0.1
MAX_COMPARED = 30  # systems in tables of pairs


@check(
    "discrimination",
    DiscriminationEvidence,
    order=80,
    title="Ranking systems",
    question="Can this test set still tell good systems from better ones?",
    topic="ranking",
    weight=1.0,
    needs="data or predictions or scores",
    tab="systems",
)
def measure_discrimination(benchmark: Benchmark) -> CheckOutcome:
    """Measure λ, ranks and items of the systems; a score table alone gives λ and ranks."""
    scored = None if benchmark.scores is None else discriminate_scores(benchmark.scores)
    predictions, basis = find_systems(benchmark)
    if predictions is None:
        if scored is None:
            raise AssayError("There are no systems.", hint="Give {predictions} or {scores}.")
        return CheckOutcome(describe(scored, scored.datasets, "scores"))
    outcomes = build_outcomes(predictions, benchmark.data.name)
    result = discriminate_outcomes([outcomes])
    datasets = (*result.datasets, *(() if scored is None else scored.datasets))
    agreement = measure_agreement(predictions)
    items, negative = describe_items(predictions, outcomes, agreement)
    suspects = find_contradicted(predictions) if basis == "predictions" else None
    if suspects is not None:
        items = items.join(list_suspicion(suspects, "vote_"), on="id", how="left", maintain_order="left")
    comparison = compare_systems(benchmark, predictions if benchmark.repeats is None else benchmark.repeats)
    detectable, gap = find_gap(comparison)
    evidence = replace(
        describe(result, datasets, basis, len(predictions.names)),
        agreement=agreement,
        negative=negative,
        suspects=None if suspects is None else describe_suspects(suspects, benchmark.verdicts_on_items),
        n_test=len(predictions),
        metric=comparison.metric,
        below_baseline=find_below_baseline(predictions),
        winners=find_winners(comparison),
        detectable=detectable,
        gap_first_two=gap,
        has_shares=bool(np.nanmin(outcomes.table) >= 0 and np.nanmax(outcomes.table) <= 1),
        repeats=comparison.repeats,
        **compare_pairs(outcomes, comparison),
    )
    return CheckOutcome(evidence, items if basis == "predictions" else None)  # quick models do not judge items


def compare_pairs(outcomes: Outcomes, comparison: Evaluation) -> dict[str, Any]:
    """Return paired differences, shared failures and the map of outcomes, for the best systems."""
    n_answers = np.maximum(np.isfinite(outcomes.table).sum(axis=1), 1)
    scores = np.nansum(outcomes.table, axis=1) / n_answers
    best = sorted(range(len(outcomes.systems)), key=lambda row: (-scores[row], outcomes.systems[row]))[:MAX_COMPARED]
    names = [outcomes.systems[row] for row in best]
    places = {name: place for place, name in enumerate(names)}
    differences = []
    for row in comparison.comparisons:
        if row.metric == comparison.metric and row.first in places and row.second in places:
            pair = PairedDifference(
                row.first, row.second, 100 * row.difference, 100 * row.low, 100 * row.high, row.p_adjusted
            )
            is_turned = places[row.first] > places[row.second]
            differences.append(turn_difference(pair) if is_turned else pair)
    table = outcomes.table[best]
    return {
        "differences": tuple(sorted(differences, key=lambda row: (places[row.first], places[row.second]))),
        "failures": tuple(measure_shared_failures(table, names)),
        "outcome_map": tuple(map_outcomes(table, names)),
    }


def turn_difference(pair: PairedDifference) -> PairedDifference:
    """Return the same difference seen from the other system."""
    return PairedDifference(pair.second, pair.first, -pair.difference, -pair.high, -pair.low, pair.p)


def find_systems(benchmark: Benchmark) -> tuple[Predictions | None, str]:
    """Return the given predictions, or those of the quick models where neither predictions nor scores are given."""
    if benchmark.predictions is not None:
        return benchmark.predictions, "predictions"
    if benchmark.scores is not None:
        return None, "scores"
    if not kind_of(benchmark.data).gold.has_text_labels:
        raise AssayError("There are no answers of systems.", hint="Add a file with their predictions.")
    try:
        sample = benchmark.trainable
        options = benchmark.settings.task_options
        return predict_with_quick_systems(sample.data, texts=benchmark.count_texts(sample), **options), "quick models"
    except AssayError as error:
        raise AssayError(f"There are no answers of systems, and no quick model can be trained: {error}") from error


def describe(
    result: Discrimination, datasets: Sequence[DatasetDiscrimination], basis: Any, n_systems: int | None = None
) -> DiscriminationEvidence:
    """Return the evidence about datasets and systems."""
    # Quick models say nothing about a dataset's use.
    proposals = propose_actions(datasets) if basis != "quick models" else (None,) * len(datasets)
    rows = []
    for row, proposal in zip(datasets, proposals, strict=True):
        rows.append(
            DatasetRow(
                benchmark=row.benchmark,
                dataset=row.dataset,
                metric=row.metric,
                n_systems=row.n_systems,
                n_items=row.n_items,
                lambda_var=Interval(row.lambda_var, row.lambda_var_low, row.lambda_var_high),
                lambda_sva=Interval(row.lambda_sva, row.lambda_sva_low, row.lambda_sva_high),
                lambda_hit=Interval(row.lambda_hit, row.lambda_hit_low, row.lambda_hit_high),
                upper=row.upper,
                headroom=row.headroom,
                n_within_one=row.n_within_one,
                verdict=row.verdict,
                verdict_basis=row.verdict_basis,
                proposal=None if proposal is None else proposal.proposal,
                reason=None if proposal is None else proposal.reason,
                lambda_hit_null=row.lambda_hit_null,
                p_equal=row.p_equal,
                scale=row.scale,
            )
        )
    systems = [
        RankedSystem(
            row.benchmark,
            row.system,
            row.score,
            row.rank_low,
            row.rank_high,
            row.tie_group,
            row.marginal_low,
            row.marginal_high,
        )
        for row in take_best(result.systems)
    ]
    count = len({row.system for row in result.systems}) if n_systems is None else n_systems
    items = tuple(summarise_items(row, count) for row in result.items or ())
    return DiscriminationEvidence(basis, count, tuple(rows), tuple(systems), items, notes=result.notes)


def take_best(systems: Sequence[SystemRank]) -> list[SystemRank]:
    """Return the best systems of every benchmark, which are listed in order."""
    counts: dict[str, int] = {}
    kept = []
    for row in systems:
        counts[row.benchmark] = counts.get(row.benchmark, 0) + 1
        if counts[row.benchmark] <= MAX_RANKED:
            kept.append(row)
    return kept


def summarise_items(row: FoundItems, n_systems: int) -> ItemSummary:
    """Return what the items of a dataset say about the systems, with Feldt's interval of their reliability."""
    has_reliability = not math.isnan(row.reliability)
    return ItemSummary(
        dataset=row.dataset,
        n_items=row.n_items,
        n_all_right=row.n_all_right,
        n_all_wrong=row.n_all_wrong,
        reliability=feldt_interval(row.reliability, n_systems, row.n_items) if has_reliability else None,
        reliability_method=row.reliability_method,
        items_needed_first_two=row.items_needed_first_two,
    )


def compare_systems(benchmark: Benchmark, predictions: Predictions) -> Evaluation:
    """Compare the systems by accuracy, or by the metrics of the kind of task, and score them by others that apply."""
    draws = benchmark.settings.choose(200, 1000)
    own = predictions.data is not None and kind_of(predictions.data).scoring.has_own_metrics
    return evaluate(
        None,
        predictions,
        metrics=["accuracy", "macro-f1", "mcc"] if predictions.gold is not None and not own else None,
        n_permutations=draws,
        n_resamples=draws,
        random_state=benchmark.settings.random_state,
    )


def find_contradicted(predictions: Predictions) -> Suspects | None:
    """Judge gold labels by the answers of the systems; None if they allow no judgement.

    Scores that are not right or wrong, such as preferences of a judge, contradict no gold label.
    """
    outcomes = predictions.outcomes()
    if predictions.gold is None and not np.isin(outcomes[np.isfinite(outcomes)], (0.0, 1.0)).all():
        return None
    try:
        return find_suspects(predictions=predictions, text_model=False)
    except AssayError:
        return None


def find_gap(result: Evaluation) -> tuple[float | None, float | None]:
    """Return the smallest difference that the first two systems need to be distinguished, and their difference."""
    ranked = sorted((row for row in result.systems if np.isfinite(row.value)), key=lambda row: row.rank)[:2]
    if len(ranked) < 2:
        return result.detectable, None
    names = {row.system for row in ranked}
    pairs = [row for row in result.comparisons if {row.first, row.second} == names and row.metric == result.metric]
    detectable = pairs[0].detectable if pairs else result.detectable
    return detectable, abs(ranked[0].value - ranked[1].value)


def find_winners(result: Evaluation) -> tuple[MetricWinner, ...]:
    """Return the first system by each metric."""
    winners = []
    for metric in result.systems[0].metrics if result.systems else ():
        scores = {row.system: row.metrics[metric].value for row in result.systems}
        known = {name: value for name, value in scores.items() if np.isfinite(value)}
        if known:
            best = max(known, key=lambda name: known[name])
            winners.append(MetricWinner(metric, best, known[best]))
    return tuple(winners)


def find_below_baseline(predictions: Predictions) -> tuple[BelowBaseline, ...]:
    """Find systems whose accuracy is below the share of the most frequent gold label (Wilson, Bonferroni)."""
    if predictions.gold is None or not (predictions.data is None or kind_of(predictions.data).gold.has_labels):
        return ()
    names, counts = np.unique([str(label) for label in predictions.gold if label is not None], return_counts=True)
    if len(names) < 2:
        return ()
    baseline = float(counts.max() / counts.sum())
    confidence = 1 - 0.05 / len(predictions.names)
    rows = []
    for name, outcome in zip(predictions.names, predictions.outcomes(), strict=True):
        right = outcome[np.isfinite(outcome)]
        if len(right) and right.min() >= 0 and right.max() <= 1:  # the mean of repeats is between them
            accuracy = wilson(float(right.sum()), len(right), confidence)
            if accuracy.high < baseline:
                rows.append(BelowBaseline(name, accuracy, baseline, len(right)))
    return tuple(rows)


def describe_items(
    predictions: Predictions, outcomes: Outcomes, agreement: tuple[SystemAgreement, ...]
) -> tuple[pl.DataFrame, NegativeItems]:
    """Return difficulty and discrimination of every item, and those with negative discrimination."""
    analysis = analyse_items(outcomes.table)
    negative = find_negative_discrimination(outcomes.table[choose_judges(predictions, agreement)])
    is_negative = np.zeros(len(predictions), bool)
    is_negative[negative.items] = True
    ids = pl.Series("id", predictions.ids.tolist(), dtype=pl.String)
    table = pl.DataFrame(
        {
            "id": ids,
            "item_difficulty": analysis.difficulty,
            "item_discrimination": analysis.discrimination,
            "n_systems_right": np.nansum(outcomes.table, axis=0),
            "n_systems": np.isfinite(outcomes.table).sum(axis=0),
            "negative_discrimination": is_negative,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    first_negative = tuple(ids.gather(negative.items[:MAX_IDS]).to_list())
    return (
        table,
        NegativeItems(
            ItemCount(negative.n_negative, negative.n_tested, first_negative),
            negative.n_systems,
            count_gold(predictions, negative.items),
        ),
    )


def count_gold(predictions: Predictions, rows: Array) -> tuple[LabelCount, ...]:
    """Count the gold labels of some items."""
    if predictions.gold is None or not (predictions.data is None or kind_of(predictions.data).gold.has_labels):
        return ()
    names, counts = np.unique(predictions.gold[rows].astype(str), return_counts=True)
    return tuple(LabelCount(name, count) for name, count in zip(names.tolist(), counts.tolist(), strict=True))


def choose_judges(predictions: Predictions, agreement: tuple[SystemAgreement, ...]) -> Array:
    """Mark the systems to judge items by: all but single ones whose own answers contradict the gold labels."""
    upper = {row.system: row.kappa.high for row in agreement}
    sound = np.array([not upper.get(name, 1.0) < REVERSED_KAPPA for name in predictions.names], dtype=bool)
    return sound if sound.mean() > 0.5 else np.ones(len(sound), dtype=bool)


def measure_agreement(predictions: Predictions) -> tuple[SystemAgreement, ...]:
    """Return how far each system agrees with gold beyond chance."""
    if predictions.gold is None or not (predictions.data is None or kind_of(predictions.data).gold.has_labels):
        return ()
    rows = []
    for name, answers in predictions.systems.items():
        if answers.predicted is not None and answers.answered.any():
            answered = answers.answered
            agreement = cohen_kappa(answers.predicted[answered], predictions.gold[answered])
            rows.append(SystemAgreement(name, agreement, int(answered.sum())))
    return tuple(rows)
