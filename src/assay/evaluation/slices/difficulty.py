"""Systems on obvious and non-obvious items, and which change rank (Peinelt et al. 2019, Tables 6–8)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.difficulty import (
    CHANCE_SYSTEM,
    PairDifficulty,
    SystemOnCases,
    SystemOnTexts,
    TextDifficulty,
    assign_cases,
    expected_map,
    jensen_shannon,
    positives,
    score_on_cases,
    score_on_texts,
    text_difficulty,
)
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.kinds import kind_of
from assay.metrics import METRICS, Metric
from assay.metrics.common.rankings import compute_mean_average_precision
from assay.statistics import holm
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.evaluation.predictions.types import Answers, Predictions

N_PERMUTATIONS = 2000
N_RANDOM_RANKINGS = 100


@dataclass(frozen=True)
class NonObviousRank(Result):
    """A system's rank on all items and on the non-obvious ones, and the p of so large a change (two-sided).

    The test draws the non-obvious items at random among the items of the same gold label; p is adjusted by Holm.
    """

    system: str = field(metadata=NAME)
    rank: float
    rank_non_obvious: float
    change: float
    p: float
    p_adjusted: float


@dataclass(frozen=True)
class DifficultyScores(Result):
    """The cases of the items, the scores of every system on them, and the ranks of the systems."""

    _table: ClassVar[str] = "systems"
    measure: str = field(metadata=OWN)
    threshold: str | float = field(metadata=OWN)
    positive: str | None = field(metadata=NAME)
    median: float
    counts: dict[str, int] = field(metadata=OWN)
    n_items: int
    systems: list[SystemOnCases] | list[SystemOnTexts]
    ranks: list[NonObviousRank]


def score_difficulty(prepared: PreparedPredictions, threshold: str | float = "dataset") -> DifficultyScores:
    """Sort the items into cases and score the systems on each; the threshold comes from the whole data.

    Pairs are sorted by the divergence of their words; single texts by their nearest training text.
    """
    predictions = prepared.predictions
    if predictions.whole is None or predictions.data is None:
        raise UsageError("difficulty needs the texts of the items.", option="by", hint="Give {data}.")
    if predictions.gold is None:
        raise AssayError("difficulty needs gold labels.", option="by")
    rows = _find_rows(predictions.whole, predictions.ids)
    if kind_of(predictions.whole).texts.is_paired(predictions.whole):
        return _score_pairs(prepared, predictions.whole, predictions.gold, rows, threshold)
    return _score_texts(prepared, predictions.whole, predictions.gold, rows)


def score_cases(
    result: PairDifficulty | TextDifficulty, data: Dataset, predictions: Predictions, positive_from: float | None = None
) -> PairDifficulty | TextDifficulty:
    """Return the difficulty of items with the rates of systems on obvious and non-obvious ones."""
    gold = [] if predictions.gold is None else predictions.gold.tolist()
    if not gold:
        raise AssayError("Systems can be scored on cases only if the data has labels.", hint="Name them with {label}.")
    labels = {name: _get_labels(name, answers) for name, answers in predictions.systems.items()}
    rows = _find_rows(data, predictions.ids)
    notes = (*result.notes, *predictions.notes)
    if isinstance(result, TextDifficulty):
        return replace(result, systems=tuple(score_on_texts(result.cases[rows], gold, labels)), notes=notes)
    if result.cases is None:
        raise AssayError("Systems can be scored on the cases of one label only.", hint="Name it with {positive}.")
    positive: dict[str, Any] = {"positive": result.positive, "positive_from": positive_from}
    precisions = _average_precisions(predictions, positives(gold, **positive))
    cases = result.cases.cases[rows]
    systems = score_on_cases(cases, gold, labels, **positive, average_precisions=precisions)
    return replace(result, systems=tuple(systems), notes=notes)


def align_answers(data: Dataset, predictions: Predictions) -> dict[str, list[str | None]]:
    """Return the answers of each system by row of the data, None if it has none."""
    rows, aligned = _find_rows(data, predictions.ids).tolist(), {}
    for name, answers in predictions.systems.items():
        column: list[str | None] = [None] * len(data)
        for row, label in zip(rows, _get_labels(name, answers), strict=True):
            column[row] = None if label is None else str(label)
        aligned[name] = column
    return aligned


def _get_labels(name: str, answers: Answers) -> list[object]:
    if answers.predicted is None:
        raise AssayError(f"System '{name}' has scores and no labels; cases need its predicted labels.")
    return list(answers.predicted)


def _average_precisions(predictions: Predictions, gold: Array) -> dict[str, float]:
    """Return the mean average precision of the systems that rank the items of groups, and of the guesser."""
    groups, systems = predictions.groups, predictions.systems.items()
    scores = {name: answers.ranking_scores for name, answers in systems if answers.ranking_scores is not None}
    if groups is None or not scores:
        return {}
    precisions = {name: compute_mean_average_precision(gold, score, groups) for name, score in scores.items()}
    return {**precisions, CHANCE_SYSTEM: expected_map(groups.tolist(), gold)}


def _score_pairs(
    prepared: PreparedPredictions, whole: Dataset, gold: Array, rows: Array, threshold: str | float
) -> DifficultyScores:
    positive, settings = prepared.labels.positive, prepared.settings
    if positive is None:
        fact = "difficulty needs to know which label is positive."
        raise AssayError(fact, option="by", hint="Name it with {positive}.")
    first, second = (side.to_list() for side in whole.sides)
    divergence = jensen_shannon(first, second, tokenizer=settings.tokenizer)
    labels = [None] * len(whole) if whole.labels is None else whole.labels.to_list()
    parts = None if whole.parts is None else whole.parts.to_list()
    pairs = assign_cases(divergence, labels, threshold=threshold, parts=parts, positive=positive)
    cases = np.asarray(pairs.cases)[rows]
    ranked = _score_rankings(prepared)
    systems = score_on_cases(
        cases, gold.tolist(), _list_answers(prepared), positive=positive, average_precisions=ranked
    )
    return DifficultyScores(
        "jensen-shannon",
        threshold,
        positive,
        pairs.median,
        {case: int((cases == case).sum()) for case in ("Po", "Pn", "No", "Nn")},
        len(gold),
        list(systems),
        _test_ranks(prepared, METRICS["f1"], np.char.endswith(cases, "n"), gold),
    )


def _score_texts(prepared: PreparedPredictions, whole: Dataset, gold: Array, rows: Array) -> DifficultyScores:
    settings = prepared.settings
    texts = text_difficulty(whole, tokenizer=settings.tokenizer, random_state=settings.random_state)
    cases = np.asarray(texts.cases)[rows]
    return DifficultyScores(
        texts.measure,
        "nearest",
        None,
        texts.median,
        {case: int((cases == case).sum()) for case in ("o", "n")},
        len(gold),
        list(score_on_texts(cases, gold.tolist(), _list_answers(prepared))),
        _test_ranks(prepared, METRICS["accuracy"], cases == "n", gold),
    )


def _list_answers(prepared: PreparedPredictions) -> dict[str, list[str | None]]:
    systems = prepared.predictions.systems.items()
    return {name: answers.predicted.tolist() for name, answers in systems if answers.predicted is not None}


def _score_rankings(prepared: PreparedPredictions) -> dict[str, float]:
    """Return the MAP of every system that ranks, and of ranking at random (the mean of 100 draws)."""
    metric, counted = METRICS["map"], prepared.count_items(METRICS["map"])
    scores = {name: metric.score(items) for name, items in counted.items()}
    if scores:
        items = prepared.items[next(iter(counted))]
        generator = np.random.default_rng(prepared.settings.random_state)
        everything = np.ones(len(items), dtype=bool)
        drawn = [
            metric.score(replace(items, ranking_scores=generator.random(len(items)), present=everything))
            for _ in range(N_RANDOM_RANKINGS)
        ]
        scores[CHANCE_SYSTEM] = float(np.mean(drawn))
    return scores


def _find_rows(whole: Dataset, ids: Array) -> Array:
    places = {identity: number for number, identity in enumerate(whole.ids.to_list())}
    return np.array([places[identity] for identity in ids.tolist()])


def _test_ranks(prepared: PreparedPredictions, metric: Metric, non_obvious: Array, gold: Array) -> list[NonObviousRank]:
    tables = prepared.collect_statistics(metric)
    stacked = np.hstack(list(tables.values()))
    everywhere = _rank_systems(metric, stacked.sum(axis=0)[None], len(tables))[0]
    on_non_obvious = _rank_systems(metric, (non_obvious.astype(float) @ stacked)[None], len(tables))[0]
    changes = everywhere - on_non_obvious
    permuted = _permute_within_labels(non_obvious, gold, N_PERMUTATIONS, prepared.settings.random_state)
    random = everywhere - _rank_systems(metric, permuted @ stacked, len(tables))
    p = (1 + (np.abs(random) >= np.abs(changes) - 1e-9).sum(axis=0)) / (1 + N_PERMUTATIONS)
    rows = zip(tables, everywhere, on_non_obvious, changes, p, holm(p), strict=True)
    return [NonObviousRank(name, *(float(number) for number in numbers)) for name, *numbers in rows]


def _permute_within_labels(flags: Array, gold: Array, n: int, random_state: int) -> Array:
    generator = np.random.default_rng(random_state)
    permuted = np.zeros((n, len(flags)), dtype=np.float32)
    for label in sorted(set(gold.tolist())):
        rows = np.flatnonzero(gold == label)
        permuted[:, rows] = generator.permuted(np.tile(flags[rows].astype(np.float32), (n, 1)), axis=1)
    return permuted


def _rank_systems(metric: Metric, sums: Array, n_systems: int) -> Array:
    """Rank systems by a metric, 1 the best; equal ones share their mean rank, undefined ones come last."""
    from scipy.stats import rankdata

    values = metric.compute_value(sums.reshape(len(sums), n_systems, -1))
    return np.asarray(rankdata(-np.nan_to_num(values, nan=-1.0).round(12), axis=1))
