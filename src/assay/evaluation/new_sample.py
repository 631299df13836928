"""Which split tells best what a new sample will show (paper 004, Table 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.results import Result
from assay.evaluation.baselines import baselines, error_reduction
from assay.evaluation.by_fold import Cut, FoldTable, cuts_of
from assay.evaluation.metrics import Metric
from assay.evaluation.predictions import Predictions
from assay.evaluation.scoring import Score, Scored, prepared
from assay.splits import Folds


@dataclass(frozen=True)
class Estimate(Result):
    """What a split says of a system (mean over its folds), and what the new sample shows."""

    split: str
    system: str
    metric: str
    estimate: float
    new_sample: float
    n_new_sample: int
    error_reduction_estimate: float
    error_reduction_new_sample: float


@dataclass(frozen=True)
class SplitError(Result):
    """The mean squared error of a split's estimates over the systems: of the metric, and of error reductions."""

    split: str
    mse: float
    mse_error_reduction: float
    n_systems: int


def against_new_sample(
    scored: Scored, metric: Metric, tables: Sequence[FoldTable], folds: Sequence[Folds], new: Predictions
) -> tuple[list[SplitError], list[Estimate]]:
    """Compare every split's estimates with the score of the same systems on a new sample.

    Error reductions are over the multinomial random baseline of each fold and of the sample, as in the paper.
    """
    sample = prepared(new, scored.settings)
    truth = {new.bases.get(name, name): score for name, score in sample.scores(metric).items()}
    cuts = {(cut.split, cut.system): cut for cut in cuts_of(scored, folds)}
    bases = {cut.system: scored.predictions.bases.get(cut.pieces[0].run, cut.system) for cut in cuts.values()}
    found = []
    for table in tables:
        base = bases.get(table.system, table.system)
        if base in truth:
            estimate = _mean_reduction(scored, metric, table, cuts[table.split, table.system])
            told = (table.mean, truth[base].value, truth[base].n, estimate, _reduction(sample, metric, truth[base]))
            found.append(Estimate(table.split, base, metric.name, *told))
    if not found:
        named = join_names(dict.fromkeys(table.system for table in tables))
        raise AssayError(f"The new sample has none of the systems {named}.")
    return [_error(split, found) for split in dict.fromkeys(row.split for row in found)], found


def _mean_reduction(scored: Scored, metric: Metric, table: FoldTable, cut: Cut) -> float:
    if "predicted" not in metric.needs:
        return math.nan
    parts = [scored.only([piece.run]).take(piece.rows) for piece in cut.pieces]
    values = [_reduction(part, metric, fold) for part, fold in zip(parts, table.folds, strict=True)]
    return float(np.mean(values))


def _reduction(scored: Scored, metric: Metric, score: Score | object) -> float:
    found = baselines(scored, metric)
    return error_reduction(score, found[0].value)[0] if found else math.nan


def _error(split: str, rows: Sequence[Estimate]) -> SplitError:
    here = [row for row in rows if row.split == split]
    plain = [(row.estimate - row.new_sample) ** 2 for row in here]
    reduced = [(row.error_reduction_estimate - row.error_reduction_new_sample) ** 2 for row in here]
    return SplitError(split, float(np.mean(plain)), float(np.mean(reduced)), len(here))
