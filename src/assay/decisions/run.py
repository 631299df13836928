"""Decide whether a candidate is better than a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from assay.base.arrays import Array
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import UsageError
from assay.decisions.estimation import scale_interval
from assay.decisions.log_runs import find_named_runs, read_runs
from assay.decisions.needs import Design, count_items, count_repeats, find_effect, split_components
from assay.decisions.pairs import ItemPair, choose_systems, collect_pair, compare_metric, find_factor
from assay.decisions.results import Components, DecidedMetric, Decision
from assay.decisions.score_tables import decide_scores
from assay.decisions.sequential import Draws, follow_sequence, read_draws
from assay.decisions.settings import DecisionArguments, DecisionSettings
from assay.decisions.slices import find_reversed_slices
from assay.decisions.verdicts import Verdict, check_settings, choose_verdict
from assay.evaluation import Predictions, PreparedPredictions, ScoringSettings, prepare_predictions, read_predictions
from assay.evaluation.repeats.stacking import stack_repeats
from assay.evaluation.scoring.selection import choose_metrics, choose_primary_metric
from assay.inputs import InputKind, find_data, recognize
from assay.kinds.arguments import DataSource, select_reading
from assay.metrics import METRICS, Metric
from assay.statistics import Interval, normal_quantile
from assay.tasks.threads import use_one_thread
from assay.wording.numbers import format_number, format_percent
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    from assay.evaluation.predictions.sources import PredictionSource


WIDE_MARGIN = 0.05  # of the range of the scores, from which on the margin is mentioned
Estimate = Callable[[ItemPair, float, Array | None], Interval]


@entry_point(DecisionArguments, metric="metrics")
@use_one_thread()
def decide(
    data: DataSource | None = None,
    predictions: PredictionSource | None = None,
    *,
    baseline: str | None = None,
    candidate: str | None = None,
    judge: DataSource | None = None,
    gold: str | None = None,
    draws: DataSource | None = None,
    settings: DecisionSettings = DecisionSettings(),
    **options: Unpack[DecisionArguments],
) -> Decision:
    """Decide whether a candidate is better than a baseline, not worse by more than a margin, or worse.

    Parameters
    ----------
    data
        A file, frame or `Dataset`, logs of an evaluation harness, predictions with gold labels, or a table of scores
        with standard errors, which is compared unpaired.
    predictions
        Answers or item scores of the systems, as for `assay.evaluate`. Logs contain their own.
    baseline, candidate
        Names of the systems; one may be left out if there are only two. Or two files or folders of logs, of one system
        each, in the folder `data` or as paths.
    judge
        Scores or verdicts of a judge on all items, with the labels of people on some in the column `gold`.
    gold
        The column of `judge` (or else of long predictions) with the labels of people.
    draws
        The plan of an earlier call, with the probabilities with which its items were drawn.
    settings
        What to decide and how: a `DecisionSettings`.
    options
        Fields of the settings (`margin`, `alpha`, `sequential`, `plan`, …), and arguments of `assay.read`.

    >>> scores = {"old": [1, 0, 0, 0, 1, 0, 0, 0, 0, 0] * 8, "new": [1, 1, 0, 1, 1, 1, 0, 0, 0, 1] * 8}
    >>> decide(predictions=scores, baseline="old", candidate="new").verdict
    'better'
    """
    settings = replace_settings(settings, options)
    if draws is not None:
        settings = replace(settings, sequential=True)
    check_settings(settings.margin, settings.alpha)
    if judge is not None:
        from assay.decisions.judged import decide_judged

        return decide_judged(judge, gold, (predictions, data), baseline, candidate, settings)
    if gold is not None:
        raise UsageError("has no effect without a judge.", option="gold", hint="Give the judge's scores with {judge}.")
    if predictions is None and (runs := find_named_runs(data, (baseline, candidate))):
        predictions = read_runs(runs)
    if data is not None and predictions is None:
        kind = recognize(data)
        if kind is InputKind.SCORES:
            return decide_scores(data, baseline, candidate, settings)
        if kind is InputKind.PREDICTIONS and not select_reading(options):
            data, predictions = None, data
    dataset = find_data(data, select_reading(options))
    answers = stack_repeats(read_predictions(predictions, dataset).sort_rows())
    if len(answers.names) == 1:
        hint = "To compare two of its runs, name the files or folders of their logs with {baseline} and {candidate}."
        raise UsageError(f"There is only one system, '{answers.names[0]}'.", hint=hint)
    first, second = choose_systems(answers.names, baseline, candidate)
    decision = decide_predictions(answers, first, second, settings, draws)
    left_out = () if dataset is None else dataset.left_out
    return replace(decision, left_out=left_out)


def decide_predictions(
    answers: Predictions,
    baseline: str,
    candidate: str,
    settings: DecisionSettings,
    draws: DataSource | None = None,
) -> Decision:
    """Decide from stacked predictions (see `stack_repeats`)."""
    scoring = ScoringSettings(settings.positive, settings.missing_predictions, tokenizer=settings.tokenizer)
    prepared = prepare_predictions(answers.select([baseline, candidate]), scoring)
    metrics, notes = _choose_metrics(prepared, settings)
    primary = metrics[0]
    # The counts of wins and the plan need one score per item, also if the metric is not a mean.
    basis = primary if primary.tests_means else find_outcome_metric(prepared)
    if basis is not primary:
        notes = [*notes, f"Wins, losses, ties and slices are by {basis.name}; {primary.name} has no score of one item."]
    pair = collect_pair(prepared, basis, baseline, candidate)
    if not pair.shared.any():
        raise UsageError(f"'{baseline}' and '{candidate}' were run on no common item.")
    past = read_draws(draws)
    estimate = _choose_estimate(settings, past)
    confidence = 1 - settings.alpha / len(metrics)
    rows = tuple(
        _decide_metric(
            prepared, metric, pair if metric is basis else None, (baseline, candidate), settings, confidence, estimate
        )
        for metric in metrics
    )
    head, factor = rows[0], find_factor(primary, pair)
    interval = head.difference
    shared = pair.differences[pair.shared]
    components = _scale(split_components(pair.baseline[:, pair.shared], pair.candidate[:, pair.shared]), factor)
    n_repeats = max(len(pair.baseline), len(pair.candidate))
    if not primary.tests_means:
        components = _fit_components(components, interval, len(shared), n_repeats)
    effect, design = find_effect(interval.value, settings.margin), Design(settings.alpha, settings.sequential)
    items_needed = count_items(components, effect, n_repeats, design, factor * pair.span)
    repeats_needed = count_repeats(components, effect, len(shared), design)
    is_open = head.verdict == Verdict.UNDECIDED
    items_needed = _limit_need(items_needed, len(shared), is_open=is_open)
    repeats_needed = _limit_need(repeats_needed, n_repeats, is_open=is_open)
    reversed_slices, n_slices = find_reversed_slices(
        prepared, pair, list_strings(settings.by), settings.alpha, find_factor(basis, pair), estimate
    )
    not_run = _count_not_run(pair, baseline, candidate)
    decision = Decision(
        verdict=head.verdict,
        difference=interval,
        baseline=baseline,
        candidate=candidate,
        metric=primary.name,
        baseline_score=head.baseline_score,
        candidate_score=head.candidate_score,
        margin=settings.margin,
        alpha=settings.alpha,
        unit=head.unit,
        n_items=len(shared),
        n_repeats=n_repeats,
        items_needed=items_needed,
        repeats_needed=repeats_needed,
        wins=int((shared > 0).sum()),
        losses=int((shared < 0).sum()),
        ties=int((shared == 0).sum()),
        n_groups=None if pair.groups is None else len(np.unique(pair.groups[pair.shared])),
        is_sequential=settings.sequential,
        lower_is_better=primary.lower_is_better,
        not_run=not_run,
        slices=tuple(reversed_slices),
        n_slices=n_slices,
        metrics=rows,
        components=components,
        notes=(
            *answers.notes,
            *notes,
            *_note_not_run(not_run, pair),
            *_note_worse_metrics(rows),
            *_note_scale(pair, primary, settings),
            *_note_draws(past),
        ),
    )
    if not settings.plan:
        return decision
    from assay.decisions.planning import plan_batch

    return replace(decision, plan=plan_batch(answers, pair, decision, settings, past))


def _choose_estimate(settings: DecisionSettings, past: Draws | None) -> Estimate:
    """Return how to estimate the difference of a pair on all items or on some: at one look, or at every look."""
    if settings.sequential:
        return lambda pair, confidence, rows: follow_sequence(pair, confidence, past, rows)
    return lambda pair, confidence, rows: pair.estimate(confidence, rows, settings.random_state)


def _limit_need(needed: int | None, n_present: int, *, is_open: bool) -> int | None:
    """Return what is needed: more than there is if the verdict is open, and at most that if it is settled."""
    if needed is None:
        return None
    return max(needed, n_present + 1) if is_open else min(needed, n_present)


def _fit_components(components: Components, interval: Interval, n_items: int, n_repeats: int) -> Components:
    """Scale the deviations of outcomes so that they give the interval of a metric that is not a mean, such as F1."""
    noise = components.sd_repeats**2 / n_repeats if math.isfinite(components.sd_repeats) else 0.0
    error = (interval.high - interval.low) / 2 / normal_quantile(interval.confidence)
    spread = math.sqrt((components.sd_items**2 + noise) / n_items)
    return _scale(components, error / spread) if spread > 0 else Components(error * math.sqrt(n_items), math.nan)


def _choose_metrics(prepared: PreparedPredictions, settings: DecisionSettings) -> tuple[list[Metric], list[str]]:
    names = list_strings(settings.metrics)
    metrics = choose_metrics(prepared, names) if names else [choose_primary_metric(prepared)]
    means = [metric for metric in metrics if metric.tests_means]
    if not settings.sequential or means == metrics:
        return metrics, []
    notes = [f"{metric.name} is not a mean over items, which sequential intervals need." for metric in metrics]
    notes = [note for note, metric in zip(notes, metrics, strict=True) if not metric.tests_means]
    outcome = find_outcome_metric(prepared)
    if metrics[0].tests_means:
        return means, [f"{note} It is left out." for note in notes]
    notes[0] += f" {outcome.name} decides instead."
    return [outcome, *(metric for metric in means if metric is not outcome)], notes


def find_outcome_metric(prepared: PreparedPredictions) -> Metric:
    """Return the metric that is the mean of right and wrong answers, or of the scores of items."""
    names = ["accuracy", "mean-score"]
    kind = prepared.kind
    if kind is not None:
        names = [kind.scoring.outcome, *names] if kind.scoring.outcome else names
    for name in names:
        metric = METRICS[name] if kind is None else kind.scoring.find_metric(name)
        if metric.tests_means and all(metric.find_lack(items) is None for items in prepared.items.values()):
            return metric
    raise UsageError("No score of single items can be computed.", hint="Name a metric with {metrics}.")


def _decide_metric(
    prepared: PreparedPredictions,
    metric: Metric,
    pair: ItemPair | None,
    names: tuple[str, str],
    settings: DecisionSettings,
    confidence: float,
    estimate: Estimate,
) -> DecidedMetric:
    baseline, candidate = names
    if metric.tests_means:
        pair = pair or collect_pair(prepared, metric, baseline, candidate)
        interval = estimate(pair, confidence, None)
        sign = -1.0 if metric.lower_is_better else 1.0
        tables = (pair.baseline[:, pair.shared], pair.candidate[:, pair.shared])
        means = [sign * float(np.nanmean(np.nanmean(table, axis=0))) for table in tables]
    else:
        interval = compare_metric(prepared, metric, baseline, candidate, confidence, settings.random_state)
        masks = [prepared.items[name].present for name in (baseline, candidate)]
        both = prepared.take(np.flatnonzero(masks[0] & masks[1]))
        tables = [both.collect_statistics(metric)[name] for name in (baseline, candidate)]  # type: ignore[assignment]
        means = [metric.score_table(table) for table in tables]
    factor = find_factor(metric, pair)
    scaled = scale_interval(interval, factor)
    unit = "points" if factor != 1 else metric.name
    verdict = choose_verdict(scaled, settings.margin).value
    return DecidedMetric(metric.name, verdict, scaled, means[0], means[1], unit, metric.lower_is_better)


def _scale(components: Components, factor: float) -> Components:
    return Components(factor * components.sd_items, factor * components.sd_repeats)


def _count_not_run(pair: ItemPair, baseline: str, candidate: str) -> dict[str, int]:
    """Count the items that only the other system was run on."""
    ran = {
        name: np.isfinite(table).any(axis=0) for name, table in ((baseline, pair.baseline), (candidate, pair.candidate))
    }
    either = ran[baseline] | ran[candidate]
    counts = {name: int((either & ~mask).sum()) for name, mask in ran.items()}
    return {name: n for name, n in counts.items() if n}


def _note_not_run(not_run: dict[str, int], pair: ItemPair) -> list[str]:
    if not not_run:
        return []
    counts = ", ".join(f"{name} on {count_noun(n, 'item')}" for name, n in not_run.items())
    n = int(pair.shared.sum())
    fact = f"Not run, or ended by an error of the infrastructure: {counts}."
    return [f"{fact} The comparison is on the {n:,} items that both answered."]


def _note_scale(pair: ItemPair, metric: Metric, settings: DecisionSettings) -> list[str]:
    """Say what the margin is on a scale that is not points, and what a sequence assumes if the scale has no ends."""
    if find_factor(metric, pair) != 1:
        is_vacuous = settings.margin >= find_factor(metric, pair)
        return ["No loss is greater than this margin, so not-worse says nothing."] if is_vacuous else []
    notes = []
    share = settings.margin / pair.span
    if metric.tests_means and share >= WIDE_MARGIN:
        size = f"{format_number(settings.margin)} is {format_percent(share)} of the range of the scores"
        notes.append(f"{metric.name} is not between 0 and 1, and a margin of {size}.")
    if settings.sequential and metric.bounds is None:
        notes.append(
            "The scores have no known limits. The interval assumes that no item has a greater range than these."
        )
    return notes


def _note_draws(past: Draws | None) -> list[str]:
    if past is None:
        return []
    return ["The scores are plain means of the items that were run; the difference allows for how they were drawn."]


def _note_worse_metrics(rows: tuple[DecidedMetric, ...]) -> list[str]:
    worse = [row.metric for row in rows[1:] if row.verdict == Verdict.WORSE and math.isfinite(row.difference.high)]
    return [f"The candidate is worse in {name}." for name in worse]
