"""Analyse the discrimination of a benchmark from whatever describes its systems: scores, predictions or logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, Unpack

from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import UsageError, join_names
from assay.discrimination.analysis import Discrimination, discriminate_outcomes, discriminate_scores
from assay.discrimination.boards.cost_tables import read_costs
from assay.discrimination.boards.fronts import find_item_front, find_score_front
from assay.discrimination.boards.measures import LeaderboardMeasures, measure_leaderboard
from assay.discrimination.log_tables import build_log_outcomes, build_log_scores
from assay.discrimination.measurements import group_by_benchmark
from assay.discrimination.outcomes import Outcomes, build_outcomes
from assay.discrimination.running import Progress
from assay.discrimination.score_tables import ScoreTable, note_scales, read_scores
from assay.discrimination.settings import DiscriminationArguments, DiscriminationSettings, ScoreScale, VoteColumns
from assay.evaluation import Predictions, read_predictions
from assay.evaluation.predictions.coverage import treat_missing
from assay.evaluation.predictions.sources import PredictionSource
from assay.evaluation.predictions.tables import PredictionTable
from assay.inputs import InputKind, find_data, recognize
from assay.kinds.arguments import DataSource, select_reading
from assay.logs import LogTable, read_logs
from assay.votes import VoteRatings, rate_votes

ScoreSource: TypeAlias = "DataSource | ScoreTable | LogTable"


@entry_point(DiscriminationArguments, metrics="metric")
def discriminate(
    scores: ScoreSource | None = None,
    predictions: PredictionSource | None = None,
    *,
    data: DataSource | None = None,
    item_scores: PredictionSource | None = None,
    cost: DataSource | None = None,
    metric: str | None = None,
    missing_predictions: str | None = None,
    measures: bool = False,
    out_of_core: bool = False,
    cache: str | Path | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    progress: Progress | None = None,
    settings: DiscriminationSettings = DiscriminationSettings(),
    **options: Unpack[DiscriminationArguments],
) -> Discrimination | VoteRatings:
    """Measure how well the datasets of a benchmark separate systems, and which ranks are real.

    `scores` is a table of systems and datasets (path, frame or mapping, long or wide), a `ScoreTable`, or logs of an
    evaluation harness (path or `LogTable`). It may also be a table of votes between two systems, which gives the
    ratings of `rate_votes`; `winner`, `prompt` and `category` name its columns. `predictions` are files, a mapping from
    systems to answers, `Predictions` or logs, with `data` for the gold labels (a `Dataset`, or a source with the
    arguments of `assay.read`). `options` are fields of the settings (`top`, `over`, `n_resamples`, …) and of
    `ScoreScale`, which sets the best possible score (`upper`, `uppers`) and whether lower scores are better
    (`lower_is_better`, `higher_is_better`). With `out_of_core`, `predictions` and `data` are files, folders or globs of
    shards, which are read a shard at a time and without texts; shards that were read are kept in `cache`. `measures`
    adds the results of `measure_leaderboard`, and `cost` (a table, or a column of the scores) the Pareto front.
    `n_jobs` and `backend` do not change the result.

    >>> result = discriminate({"system": ["x", "y", "z"], "RTE": [60, 80, 90], "SST-2": [97.1, 97.2, 97.3]})
    >>> [(row.dataset, round(row.lambda_var.value, 1), row.verdict_var, row.verdict) for row in result.datasets]
    [('RTE', 15.3, 'above', 'cannot tell'), ('SST-2', 0.1, 'below', 'cannot tell')]
    """
    settings, scale = replace_settings(settings, options), replace_settings(ScoreScale(), options)
    reading = select_reading(options)
    running: dict[str, Any] = {"n_jobs": n_jobs, "backend": backend, "progress": progress}
    if (scores is None) == (predictions is None):
        problem = "Scores or predictions are needed" if scores is None else "Scores and predictions exclude each other"
        raise UsageError(problem, hint="Give one of {scores} and {predictions}.")
    if out_of_core:
        from assay.evaluation.predictions.shards import read_sharded_inputs

        if scores is not None:
            raise UsageError("is for predictions; a table of scores is small", option="out_of_core")
        tasks = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
        data, predictions = read_sharded_inputs(data, predictions, dict(reading), (), tasks)
        reading = {}
    columns = replace_settings(VoteColumns(), options)
    if scores is not None and recognize(scores, winner=columns.winner) is InputKind.VOTES:
        return rate_votes(scores, random_state=settings.random_state, **vars(columns))
    if named := next((name for name, column in vars(columns).items() if column), None):
        raise UsageError("needs a table of votes with model_a, model_b and a winner", option=named)
    logs = _find_logs(scores if scores is not None else predictions, strict=bool(reading.get("strict")))
    if logs is None and scores is not None:
        table = read_scores(scores, metric=metric, **vars(scale))
        return _add_score_measures(discriminate_scores(table, settings, **running), table, scores, measures, cost)
    if logs is not None:
        left_out = logs.left_out
        outcomes = build_log_outcomes(logs, metric)
        if not outcomes:
            table = build_log_scores(logs)
            return _add_score_measures(discriminate_scores(table, settings, **running), table, None, measures, cost)
    else:
        dataset = find_data(data, reading)
        answers = read_predictions(predictions, dataset, item_scores or None)
        left_out = (*(() if dataset is None else dataset.left_out), *answers.left_out)
        name = _name_source(predictions) if dataset is None else dataset.name
        outcomes = [_score_predictions(answers, name, metric, missing_predictions, clustered=bool(settings.clustered))]
    directed = [_set_direction(entry, scale) for entry in outcomes]
    result = discriminate_outcomes(directed, settings, **running)
    notes = (*(() if logs is None else logs.notes), *result.notes)
    measurements = [entry.measure() for entry in directed]
    notes += tuple(note_scales(measurements, inferred=not isinstance(scale.lower_is_better, bool)))
    totals = [] if logs is None or metric is not None else [task for _, task, _ in logs.group_aggregates()]
    if totals:
        names = join_names(dict.fromkeys(totals))
        notes += (f"Scores of whole tasks are not used next to those of items: {names}.",)
    found = tuple(_measure_outcomes(directed, settings.random_state)) if measures else ()
    front = None if cost is None else find_item_front(directed, read_costs(cost), settings.random_state)
    return replace(result, notes=tuple(dict.fromkeys(notes)), measures=found, cost=front, left_out=left_out)


def _add_score_measures(
    result: Discrimination,
    table: ScoreTable,
    source: ScoreSource | PredictionSource | None,
    measures: bool,
    cost: DataSource | None,
) -> Discrimination:
    """Add the measures of a leaderboard and the Pareto front if they are requested."""
    found: list[LeaderboardMeasures] = []
    for name, rows in group_by_benchmark(table.measurements).items() if measures else ():
        steps = [row for row in table.checkpoints if row.benchmark == name]
        found.append(measure_leaderboard(rows, (), steps, result.settings.random_state))
    front = None if cost is None else find_score_front(table.measurements, read_costs(cost, source))
    return replace(result, measures=tuple(found), cost=front)


def _measure_outcomes(outcomes: Sequence[Outcomes], random_state: int) -> Iterator[LeaderboardMeasures]:
    for benchmark in dict.fromkeys(entry.benchmark for entry in outcomes):
        group = [entry for entry in outcomes if entry.benchmark == benchmark]
        yield measure_leaderboard([entry.measure() for entry in group], group, (), random_state)


def _find_logs(source: ScoreSource | PredictionSource | None, *, strict: bool) -> LogTable | None:
    """Return the logs among the inputs."""
    if isinstance(source, LogTable):
        return source
    paths = [source] if isinstance(source, (str, Path)) else source if isinstance(source, (list, tuple)) else []
    path = next((path for path in paths if isinstance(path, (str, Path)) and recognize(path) is InputKind.LOGS), None)
    return None if path is None else read_logs(path, strict=strict)


def _score_predictions(
    predictions: Predictions, name: str, metric: str | None, missing: str | None, *, clustered: bool
) -> Outcomes:
    predictions = treat_missing(predictions, missing)
    if clustered and predictions.groups is None:
        raise UsageError(
            "needs groups.",
            option="clustered",
            hint="Add a column 'group' to the predictions, or name one of the data with {group}.",
        )
    return build_outcomes(predictions.sort_rows(), name, metric)


def _name_source(source: ScoreSource | PredictionSource | None) -> str:
    """Name predictions without data after their first file."""
    first = source[0] if isinstance(source, (list, tuple)) and source else source
    first = first.source if isinstance(first, PredictionTable) else first
    return Path(first).name.split(".")[0] if isinstance(first, (str, Path)) else "predictions"


def _set_direction(outcomes: Outcomes, scale: ScoreScale) -> Outcomes:
    names = (outcomes.dataset, outcomes.metric)
    is_open = scale.lower_is_better is not False and outcomes.metric not in list_strings(scale.higher_is_better)
    lower = scale.is_lower_better(*names) or (is_open and outcomes.lower_is_better)
    return replace(outcomes, upper=scale.find_upper(*names), lower_is_better=lower)
