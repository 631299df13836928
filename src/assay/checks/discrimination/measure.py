"""Can this benchmark tell systems apart: the given ones, or the quick models if none are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.suspects import describe_suspects, list_suspicion
from assay.discrimination import Discrimination, build_outcomes, discriminate_outcomes, discriminate_scores
from assay.discrimination.items.failures import map_outcomes, measure_shared_failures
from assay.discrimination.items.gold import find_below_baseline, measure_gold_agreement, tabulate_items
from assay.discrimination.outcomes import has_grades
from assay.evaluation import (
    Evaluation,
    Predictions,
    evaluate,
    find_winners,
    order_comparisons,
)
from assay.kinds import kind_of
from assay.models import predict_with_quick_systems
from assay.suspects import Suspects, find_suspects
from assay.views.values import MAX_IDS

Basis = Literal["scores", "predictions", "quick models"]
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
        assert benchmark.scores is not None
        n_systems = len({name for row in benchmark.scores.measurements for name in row.systems})
        return CheckOutcome(DiscriminationEvidence(**vars(scored), basis="scores", n_systems=n_systems))
    outcomes = build_outcomes(predictions, benchmark.data.name)
    result = discriminate_outcomes([outcomes]).limit_ids(MAX_IDS)
    if basis == "quick models":
        result = drop_proposals(result)
    elif scored is not None:
        result = replace(result, datasets=(*result.datasets, *scored.datasets))
    agreement = measure_gold_agreement(predictions)
    items, negative = tabulate_items(predictions, outcomes, agreement)
    suspects = find_contradicted(predictions) if basis == "predictions" else None
    if suspects is not None:
        items = items.join(list_suspicion(suspects, "vote_"), on="id", how="left", maintain_order="left")
    comparison = compare_systems(benchmark, predictions if benchmark.repeats is None else benchmark.repeats)
    best = outcomes.take(outcomes.order_systems()[:MAX_COMPARED])
    evidence = DiscriminationEvidence(
        **vars(result),
        basis=basis,
        n_systems=len(predictions.names),
        agreement=agreement,
        negative=negative,
        suspects=None if suspects is None else describe_suspects(suspects, benchmark.verdicts_on_items),
        n_test=len(predictions),
        metric=comparison.metric,
        below_baseline=find_below_baseline(predictions),
        winners=find_winners(comparison),
        difference=comparison.smallest_difference,
        repeats=comparison.repeats,
        comparisons=order_comparisons(comparison, best.systems),
        failures=tuple(measure_shared_failures(best.table, best.systems)),
        outcome_map=tuple(map_outcomes(best.table, best.systems)),
    )
    return CheckOutcome(evidence, items if basis == "predictions" else None)  # quick models do not judge items


def drop_proposals(result: Discrimination) -> Discrimination:
    """Leave out what to do with datasets: quick models say nothing about the use of a dataset."""
    return replace(result, datasets=tuple(replace(row, proposal=None, proposal_reason=None) for row in result.datasets))


def find_systems(benchmark: Benchmark) -> tuple[Predictions | None, Basis]:
    """Return the given predictions, or those of the quick models if neither predictions nor scores are given."""
    if benchmark.predictions is not None:
        return benchmark.predictions, "predictions"
    if benchmark.scores is not None:
        return None, "scores"
    if not kind_of(benchmark.data).gold.has_text_labels:
        raise AssayError("There are no answers of systems.", hint="Add a file with their predictions.")
    try:
        sample = benchmark.trainable
        options = benchmark.settings.task_options
        answers = predict_with_quick_systems(sample.data, texts=benchmark.count_texts(sample), **options)
        return replace(answers, is_sorted=True), "quick models"
    except AssayError as error:
        raise AssayError(
            f"There are no answers of systems, and quick models cannot take their place: {error}"
        ) from error


def compare_systems(benchmark: Benchmark, predictions: Predictions) -> Evaluation:
    """Compare the systems by accuracy, or by the metrics of the kind of task, and score them by others that apply."""
    draws = benchmark.settings.choose(200, 1000)
    own = predictions.data is not None and kind_of(predictions.data).scoring.has_own_metrics
    return evaluate(
        None,
        predictions,
        metrics=None if own or predictions.gold is None or has_grades(predictions) else ["accuracy", "macro-f1", "mcc"],
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
