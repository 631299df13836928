"""The cost of a challenging split: the same held-out items, predicted under the split and under random folds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.models.cross_validation import HeldOutPredictions, OutOfFoldPredictions
from assay.models.drops import DropInterval, combine_errors, compute_error_reduction
from assay.models.split_drawing import RANDOM, STANDARD
from assay.statistics import cohen_kappa
from assay.views.results import Result

MIN_ITEMS = 20
_SCORES = (
    "accuracy",
    "random_accuracy",
    "kappa",
    "random_kappa",
    "error_reduction",
    "random_error_reduction",
    "drop",
)


@dataclass(frozen=True)
class SplitStress(DropInterval, Result):
    """A model under a split, next to the same model on the same items under random folds.

    `accuracy`, `kappa` and `error_reduction` (over the most frequent label of training) are means over draws. `drop`
    is the loss of accuracy. Both sides are scored on the same items, so a split that holds out easy items or other
    label shares does not gain or lose by it. `standard_error` comes from the draws or from the items (clustered by
    group if the data has groups), whichever is larger.
    """

    split: str = field(metadata=OWN)
    model: str = field(metadata=OWN)
    n_draws: int
    n_items: int
    accuracy: float
    random_accuracy: float
    kappa: float
    random_kappa: float
    error_reduction: float
    random_error_reduction: float
    drop: float
    standard_error: float
    degrees: int


def measure_stress(predictions: OutOfFoldPredictions, model: str | None = None) -> list[SplitStress]:
    """Compare every challenging split with random folds, for one model (the first if none is named)."""
    name = model or predictions.models[0]
    baseline = np.full(len(predictions.codes), -1)
    for fold in predictions.select(RANDOM, name):
        baseline[fold.rows] = fold.predicted
    splits = [split for split in predictions.splits if split not in (RANDOM, STANDARD)]
    rows = [_measure_split(predictions, baseline, split, name) for split in splits]
    return [row for row in rows if row is not None]


def _measure_split(predictions: OutOfFoldPredictions, baseline: Array, split: str, model: str) -> SplitStress | None:
    draws = [draw for draw in predictions.select(split, model) if len(draw.rows) >= MIN_ITEMS]
    if not draws:
        return None
    scores = np.array([_score_draw(predictions, baseline, draw) for draw in draws])
    means = dict(zip(_SCORES, scores.mean(axis=0).tolist(), strict=True))
    by_items = _measure_item_error(predictions, baseline, draws)
    by_draws = float(scores[:, 6].std(ddof=1)) / math.sqrt(len(draws)) if len(draws) > 1 else 0.0
    rows = np.concatenate([draw.rows for draw in draws])
    standard_error, degrees = combine_errors(by_draws, by_items, len(draws), len(rows))
    return SplitStress(
        split=split,
        model=model,
        n_draws=len(draws),
        n_items=len(np.unique(rows)),
        standard_error=standard_error,
        degrees=degrees,
        **means,
    )


def _score_draw(predictions: OutOfFoldPredictions, baseline: Array, draw: HeldOutPredictions) -> list[float]:
    gold, ours, random = predictions.codes[draw.rows], draw.predicted, baseline[draw.rows]
    is_train = np.ones(len(predictions.codes), bool)
    is_train[draw.rows] = False
    majority = float((gold == np.bincount(predictions.codes[is_train]).argmax()).mean())
    accuracies = [float((side == gold).mean()) for side in (ours, random)]
    kappas = [cohen_kappa(side, gold).value for side in (ours, random)]
    reductions = [compute_error_reduction(accuracy, majority) for accuracy in accuracies]
    return [*accuracies, *kappas, *reductions, accuracies[1] - accuracies[0]]


def _measure_item_error(predictions: OutOfFoldPredictions, baseline: Array, draws: list[HeldOutPredictions]) -> float:
    """Return the standard error of the drop over items; an item held out several times counts with its mean.

    Half an item that is lost and half an item that is won are added (Agresti and Min 2005), so that a few items on
    which nothing changed do not look like certainty.
    """
    totals, counts = np.zeros(len(predictions.codes)), np.zeros(len(predictions.codes))
    for draw in draws:
        gold = predictions.codes[draw.rows]
        totals[draw.rows] += (baseline[draw.rows] == gold).astype(float) - (draw.predicted == gold)
        counts[draw.rows] += 1
    rows = np.flatnonzero(counts)
    losses = totals[rows] / counts[rows]
    deviations = losses - losses.mean()
    if predictions.data.groups is not None:
        groups = predictions.data.groups.gather(rows).to_list()
        names = {name: number for number, name in enumerate(dict.fromkeys(groups))}
        codes = np.array([names[name] if name is not None else -1 for name in groups])
        alone = codes < 0
        codes[alone] = len(names) + np.arange(int(alone.sum()))
        deviations = np.bincount(codes, deviations)
    return math.sqrt(float((deviations**2).sum()) + 1) / (len(rows) + 2)
