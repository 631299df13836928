"""Scores by fold, next to what each fold is like, and how the score depends on it (Wecker et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.evaluation.predictions.types import to_labels
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.metrics import Metric
from assay.splits import Folds
from assay.statistics import Correlation, spearman
from assay.views.results import Result


@dataclass(frozen=True)
class FoldScore(Result):
    """One fold: its score with interval, its size, its label shares and the mean length of its texts in words."""

    fold: str = field(metadata=NAME)
    value: float
    low: float
    high: float
    n: int
    share: float
    labels: dict[str, float] = field(metadata=NAME)
    mean_length: float


@dataclass(frozen=True)
class FoldTable(Result):
    """A system under one split: mean and standard deviation (ddof = 0) over the folds, and the folds.

    `dependence` correlates the folds' scores (Spearman) with their size, mean length and label shares.
    """

    _table: ClassVar[str] = "folds"
    split: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    mean: float
    std_ddof0: float
    n_folds: int
    folds: list[FoldScore]
    dependence: dict[str, Correlation] = field(metadata=NAME)


@dataclass(frozen=True)
class RunFold:
    """One fold of a run: its name, the run, and which items are in it."""

    name: str
    run: str
    mask: Array


@dataclass(frozen=True)
class SystemFolds:
    """A system under one split: all folds, of all repeats if the system was run on each."""

    split: str
    system: str
    folds: list[RunFold]


def score_folds(prepared: PreparedPredictions, metric: Metric, splits: Sequence[Folds] = ()) -> list[FoldTable]:
    """Score every system on every fold of every split.

    As many splits as prediction files are taken in pairs, in the order given. Without splits the column `fold` of the
    predictions counts. A run on one repeat of a split is scored on that repeat.
    """
    return [_score_system(prepared, metric, folds) for folds in assign_folds(prepared, splits)]


def assign_folds(prepared: PreparedPredictions, splits: Sequence[Folds] = ()) -> list[SystemFolds]:
    """Find the items of every fold of every system; a split into parts has one fold per repeat, its test part."""
    predictions, systems = prepared.predictions, _group_runs(prepared)
    if not splits:
        if not any(run.folds is not None or run.repeat is not None for run in predictions.runs.values()):
            hint = "Give {folds}, or predictions with a column fold."
            raise UsageError("fold needs the folds of the items.", option="by", hint=hint)
        return [SystemFolds("predictions", system, _find_own_folds(prepared, runs)) for system, runs in systems.items()]
    n_files = len({run.source for run in predictions.runs.values()})
    paired = len(splits) > 1 and len(splits) == n_files
    return [
        folds
        for number, split in enumerate(splits)
        for system, runs in systems.items()
        if not paired or predictions.find_run(runs[0]).source == number
        for folds in _apply_split(split, system, runs, prepared)
    ]


def _group_runs(prepared: PreparedPredictions) -> dict[str, list[str]]:
    """Group the runs of a system on the repeats of a split under its name."""
    systems: dict[str, list[str]] = {}
    for name in prepared.predictions.names:
        systems.setdefault(prepared.predictions.find_run(name).name, []).append(name)
    return systems


def _find_own_folds(prepared: PreparedPredictions, runs: Sequence[str]) -> list[RunFold]:
    folds = []
    for name in runs:
        run = prepared.predictions.find_run(name)
        if run.folds is not None:
            folds += _split_run(name, run.folds, run.repeat)
        else:
            repeats = [run.repeat if counts else None for counts in prepared.items[name].present.tolist()]
            folds += _split_run(name, to_labels(repeats), None)
    return folds


def _apply_split(split: Folds, system: str, runs: Sequence[str], prepared: PreparedPredictions) -> list[SystemFolds]:
    repeats = {str(part["repeat"][0]): part for part in split.frame.partition_by("repeat", maintain_order=True)}
    if prepared.predictions.find_run(runs[0]).repeat is not None:
        return [SystemFolds(split.name, system, _apply_to_repeats(split, runs, repeats, prepared))]
    if split.kind == "part":
        return [SystemFolds(split.name, system, _split_run(runs[0], _find_folds(split.frame, split, prepared), None))]
    titles = {repeat: f"{split.name} (repeat {repeat})" if len(repeats) > 1 else split.name for repeat in repeats}
    folds = {repeat: _find_folds(part, split, prepared) for repeat, part in repeats.items()}
    return [SystemFolds(titles[repeat], system, _split_run(runs[0], names, None)) for repeat, names in folds.items()]


def _apply_to_repeats(
    split: Folds, runs: Sequence[str], repeats: dict[str, pl.DataFrame], prepared: PreparedPredictions
) -> list[RunFold]:
    folds = []
    for name in runs:
        repeat = prepared.predictions.find_run(name).repeat
        if repeat not in repeats:
            raise AssayError(f"there is no repeat {repeat}, which '{name}' belongs to", place=split.name)
        names = _find_folds(repeats[repeat], split, prepared)
        folds += _split_run(name, names, repeat if split.kind == "fold" else None)
    return folds


def _split_run(run: str, folds: Array, repeat: str | None) -> list[RunFold]:
    names = sorted({fold for fold in folds.tolist() if fold is not None}, key=_sort_key)
    return [RunFold(name if repeat is None else f"{repeat}.{name}", run, folds == name) for name in names]


def _find_folds(rows: pl.DataFrame, split: Folds, prepared: PreparedPredictions) -> Array:
    """Return the fold of each item, or the repeat whose test part it is in."""
    if split.kind == "part":
        rows = rows.filter(pl.col("part") == "test").select("id", fold="repeat")
        if rows["id"].is_duplicated().any():
            fact = "test parts of several repeats overlap; predictions need a column repeat"
            raise AssayError(fact, place=split.name)
    places = dict(zip(rows["id"], rows["fold"], strict=True))
    folds = to_labels([places.get(identity) for identity in prepared.predictions.ids.tolist()])
    if all(fold is None for fold in folds):
        raise AssayError("none of its ids has a prediction", place=split.name)
    return folds


def _score_system(prepared: PreparedPredictions, metric: Metric, system: SystemFolds) -> FoldTable:
    rows = [_score_fold(prepared, metric, fold) for fold in system.folds]
    values = np.array([row.value for row in rows])
    mean, std = (float(values.mean()), float(values.std(ddof=0))) if len(values) else (np.nan, np.nan)
    return FoldTable(system.split, system.system, metric.name, mean, std, len(rows), rows, _correlate_traits(rows))


def _score_fold(prepared: PreparedPredictions, metric: Metric, fold: RunFold) -> FoldScore:
    part = prepared.select([fold.run]).take(fold.mask)
    score = part.compute_scores(metric)[fold.run]
    gold = part.predictions.gold
    labels = prepared.labels.gold_labels if gold is not None and not prepared.labels.graded else ()
    shares = {label: float(np.mean(gold == label)) for label in labels}
    lengths = prepared.word_counts
    length = float(lengths[fold.mask].mean()) if lengths is not None else float("nan")
    share = float(fold.mask.mean())
    return FoldScore(fold.name, score.value, score.low, score.high, score.n, share, shares, length)


def _correlate_traits(rows: Sequence[FoldScore]) -> dict[str, Correlation]:
    traits: dict[str, list[float]] = {"size": [row.n for row in rows], "mean_length": [row.mean_length for row in rows]}
    for label in rows[0].labels if rows else ():
        traits[f"share of {label}"] = [row.labels[label] for row in rows]
    values = [row.value for row in rows]
    return {name: spearman(trait, values) for name, trait in traits.items()}


def _sort_key(name: str) -> tuple[bool, float, str]:
    return (False, float(name), name) if name.replace(".", "", 1).isdecimal() else (True, 0.0, name)
