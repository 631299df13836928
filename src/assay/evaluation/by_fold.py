"""The table of paper 001: each fold's score beside what the fold is like, and how the one follows the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError, UsageError
from assay.evaluation.metrics import Metric
from assay.evaluation.predictions import Array, as_labels
from assay.evaluation.scoring import Scored
from assay.evaluation.slices import word_counts
from assay.results import Result
from assay.statistics import Correlation, spearman

if TYPE_CHECKING:
    from assay.splits import Folds


@dataclass(frozen=True)
class FoldScore(Result):
    """One fold: its score with interval, its size, its label shares and the mean length of its texts in words."""

    fold: str
    value: float
    low: float
    high: float
    n: int
    share: float
    labels: dict[str, float]
    mean_length: float


@dataclass(frozen=True)
class FoldTable(Result):
    """A system under one split: mean and standard deviation (ddof = 0) over the folds, and the folds."""

    split: str
    system: str
    metric: str
    mean: float
    std_ddof0: float
    n_folds: int
    folds: list[FoldScore]
    dependence: dict[str, Correlation]


@dataclass(frozen=True)
class Cut:
    """One split laid on the items: its name, the fold of each item (None for none), the systems it belongs to."""

    name: str
    folds: Array
    systems: Sequence[str]


def by_fold(scored: Scored, metric: Metric, folds: Sequence[Folds], tokenizer: str = "words") -> list[FoldTable]:
    """Score every system on every fold of every split.

    As many splits as prediction files are taken in pairs, in the order given. Without folds files the
    column `fold` of the predictions serves.
    """
    data = scored.predictions.data
    lengths = None if data is None else word_counts(data, tokenizer)
    cuts = cuts_of(scored, folds)
    return [_table(scored.only([system]), metric, cut, lengths) for cut in cuts for system in cut.systems]


def cuts_of(scored: Scored, folds: Sequence[Folds]) -> list[Cut]:
    """Lay the splits on the items; a split into parts gives one fold a repeat, its test part."""
    predictions = scored.predictions
    if not folds:
        if not predictions.folds:
            raise UsageError("--by fold needs --folds FILE, or predictions with a column fold.")
        return [Cut("predictions", named, [system]) for system, named in predictions.folds.items()]
    paired = len(folds) > 1 and len(folds) == len(set(predictions.sources.values()))
    found = []
    for number, split in enumerate(folds):
        systems = [name for name in predictions.names if not paired or predictions.sources[name] == number]
        found += [Cut(name, named, systems) for name, named in _laid(split, predictions.ids)]
    return found


def _laid(split: Folds, ids: Array) -> list[tuple[str, Array]]:
    frame = split.frame
    if split.kind == "fold":
        repeats = frame.partition_by("repeat", maintain_order=True)
        several = len(repeats) > 1
        titles = [f"{split.name} (repeat {part['repeat'][0]})" if several else split.name for part in repeats]
        return [(t, _joined(p["id"], p["fold"], ids, split.name)) for t, p in zip(titles, repeats, strict=True)]
    test = frame.filter(frame["part"] == "test")
    if test["id"].is_duplicated().any():
        raise AssayError(f"{split.name}: test parts of several repeats overlap; give each repeat's predictions apart.")
    return [(split.name, _joined(test["id"], test["repeat"], ids, split.name))]


def _joined(names: Any, folds: Any, ids: Array, source: str) -> Array:
    places = dict(zip(names, folds, strict=True))
    found = as_labels([places.get(identity) for identity in ids.tolist()])
    if all(fold is None for fold in found):
        raise AssayError(f"{source}: none of its ids has a prediction.")
    return found


def _table(scored: Scored, metric: Metric, cut: Cut, lengths: Array | None) -> FoldTable:
    names = sorted({fold for fold in cut.folds.tolist() if fold is not None}, key=_by_number)
    system = scored.predictions.names[0]
    rows = [_fold(scored, metric, cut.folds == name, name, lengths) for name in names]
    values = np.array([row.value for row in rows])
    mean, std = (float(values.mean()), float(values.std(ddof=0))) if len(values) else (np.nan, np.nan)
    return FoldTable(cut.name, system, metric.name, mean, std, len(rows), rows, _dependence(rows))


def _fold(scored: Scored, metric: Metric, here: Array, name: str, lengths: Array | None) -> FoldScore:
    part = scored.take(here)
    score = next(iter(part.scores(metric).values()))
    gold = part.predictions.gold
    labels = scored.scale.labels[: scored.scale.n_gold] if gold is not None and not scored.scale.graded else ()
    shares = {label: float(np.mean(gold == label)) for label in labels}
    length = float(lengths[here].mean()) if lengths is not None else float("nan")
    return FoldScore(name, score.value, score.low, score.high, score.n, float(here.mean()), shares, length)


def _dependence(rows: Sequence[FoldScore]) -> dict[str, Correlation]:
    """Correlate the folds' scores (Spearman) with their size, their mean length and each label's share."""
    traits = {"size": [row.n for row in rows], "mean_length": [row.mean_length for row in rows]}
    for label in rows[0].labels if rows else ():
        traits[f"share of {label}"] = [row.labels[label] for row in rows]
    values = [row.value for row in rows]
    return {name: spearman(trait, values) for name, trait in traits.items()}


def _by_number(name: str) -> tuple[bool, float, str]:
    return (False, float(name), name) if name.replace(".", "", 1).isdigit() else (True, 0.0, name)
