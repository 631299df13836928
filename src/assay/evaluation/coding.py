"""Turn answers into the arrays that metrics read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.difficulty.positive import usual_positive
from assay.evaluation.metrics import Items, Metric
from assay.evaluation.predictions import Answers, Predictions
from assay.kinds import has_grades

MISSING = ("skip", "wrong", "error")


@dataclass(frozen=True)
class Scale:
    """The labels of a task: those of gold first, then those only predicted; the positive one; grades or classes."""

    labels: tuple[str, ...]
    n_gold: int
    positive: str | None
    graded: bool
    notes: tuple[str, ...] = ()


def scale_of(predictions: Predictions, positive: str | None = None) -> Scale:
    """Find out what the labels are; of two, the one with a usual name of the positive class counts, else the last."""
    if predictions.gold is None:
        return Scale((), 0, None, graded=False)
    gold = sorted(set(predictions.gold.tolist()))
    answers = [answers.predicted for answers in predictions.systems.values() if answers.predicted is not None]
    seen = {label for given in answers for label in given.tolist() if label is not None}
    graded = has_grades(gold, predictions.whole) and positive is None
    others = [] if graded else sorted(seen - set(gold))
    if positive is not None and positive not in {*gold, *others}:
        raise AssayError(f"No item has the label '{positive}'. Labels: {join_names(gold)}.")
    if positive is not None or len(gold) != 2 or graded:
        return Scale((*gold, *others), len(gold), positive, graded)
    chosen = usual_positive(gold) or gold[1]
    return Scale((*gold, *others), 2, chosen, graded, (f"Positive label: '{chosen}' (change it with --positive).",))


def items_of(predictions: Predictions, answers: Answers, scale: Scale, missing: str = "skip") -> Items:
    """Return one system's items as arrays; unanswered ones do not count (`skip`) or count as wrong."""
    answered = answers.answered
    present = np.ones(len(answered), dtype=bool) if missing == "wrong" else answered
    groups = None if predictions.groups is None else _codes(predictions.groups)
    common = Items(present, scores=answers.scores, groups=groups)
    if answers.predicted is None or predictions.gold is None:
        assert answers.outcomes is not None
        return replace(common, outcomes=np.where(answered, answers.outcomes, 0.0))
    places = {label: number for number, label in enumerate(scale.labels)}
    return replace(
        common,
        gold=np.array([places[label] for label in predictions.gold.tolist()], dtype=np.int64),
        predicted=np.array([places.get(label, -1) for label in answers.predicted.tolist()], dtype=np.int64),
        n_labels=len(scale.labels),
        positive=places.get(scale.positive) if scale.positive is not None else None,
        probabilities=_probabilities(answers, scale),
        **_graded_values(predictions.gold, answers.predicted, scale),
    )


def counted_by(metric: Metric, items: Items) -> Items | str:
    """Return the items as a metric counts them, or the reason why it cannot be had."""
    lacking = next((reason for need, reason in _LACKING.items() if need in metric.needs and _lacks(items, need)), None)
    if lacking is not None:
        return lacking
    if "probabilities" in metric.needs:
        assert items.probabilities is not None
        return replace(items, present=items.present & np.isfinite(items.probabilities).all(axis=1))
    if "values" in metric.needs:
        return replace(items, present=items.present & _numeric(items))
    return items


def cells_of(items: Items) -> tuple[Items, Array, Array]:
    """Count items of the same gold and predicted label together.

    Return one item a cell, how many there are in each, and the cell of every item (−1 where it does not count).
    """
    assert items.gold is not None
    assert items.predicted is not None
    width = items.n_labels + 1  # one column for answers not given
    keys = items.gold * width + items.predicted + 1
    counts = np.bincount(keys[items.present])
    cells = np.flatnonzero(counts)
    places = np.full(items.n_labels * width, -1)
    places[cells] = np.arange(len(cells))
    small = Items(np.ones(len(cells), dtype=bool), cells // width, cells % width - 1, items.n_labels, items.positive)
    return small, counts[cells], np.where(items.present, places[keys], -1)


def check_missing(predictions: Predictions, missing: str) -> None:
    """Stop at missing predictions where the user wants that."""
    if missing not in MISSING:
        from assay.base.errors import unknown_name

        raise unknown_name("way with missing predictions", missing, MISSING)
    lacking = [f"{name} {n:,}" for name, n in predictions.missing().items() if n]
    if missing == "error" and lacking:
        raise AssayError(f"Missing predictions, of {len(predictions):,} items: {join_names(lacking)}.")


_LACKING = {
    "predicted": "no predicted labels",
    "probabilities": "no probabilities (columns prob:<label>)",
    "values": "labels or predictions are not numbers",
    "outcomes": "no item scores",
    "scores": "no ranking scores (a column score, or --item-scores)",
    "groups": "no column group",
    "positive": "no positive label (--positive)",
}


def _lacks(items: Items, need: str) -> bool:
    if need != "values":
        return getattr(items, need) is None
    return items.gold_values is None or not (_numeric(items) & items.present).any()


def _numeric(items: Items) -> Array:
    assert items.predicted_values is not None
    assert items.gold_values is not None
    return np.asarray(np.isfinite(items.predicted_values) & np.isfinite(items.gold_values))


def _probabilities(answers: Answers, scale: Scale) -> Array | None:
    if answers.probabilities is None:
        return None
    shares = dict(answers.probabilities)
    names = [*scale.labels[: scale.n_gold], *(label for label in shares if label not in scale.labels[: scale.n_gold])]
    nothing = np.zeros(len(next(iter(shares.values()))))
    return np.stack([shares.get(label, nothing) for label in names], axis=1)


def _graded_values(gold: Array, predicted: Array, scale: Scale) -> dict[str, Array]:
    """Read labels as numbers, each distinct one once; nothing where the labels of gold are words."""
    if not all(np.isfinite(_number(label)) for label in scale.labels[: scale.n_gold]):
        return {}
    numbers = {label: _number(label) for label in {*gold.tolist(), *predicted.tolist()}}
    read = [np.array([numbers[label] for label in labels.tolist()]) for labels in (gold, predicted)]
    return {"gold_values": read[0], "predicted_values": read[1]}


def _number(label: str | None) -> float:
    try:
        return float(label) if label is not None else float("nan")
    except ValueError:
        return float("nan")


def _codes(groups: Array) -> Array:
    return np.unique(["" if group is None else group for group in groups.tolist()], return_inverse=True)[1]
