"""The table of paper 001: each fold's score beside what the fold is like, and how the one follows the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, UsageError
from assay.base.results import Result
from assay.evaluation.metrics import Metric
from assay.evaluation.predictions import as_labels
from assay.evaluation.scoring import Scored
from assay.evaluation.slices import word_counts
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
class Piece:
    """One fold of a run: its name, the run, and which items are in it."""

    name: str
    run: str
    rows: Array


@dataclass(frozen=True)
class Cut:
    """A system under one split: all folds, of all repeats where the system was run on each."""

    split: str
    system: str
    pieces: list[Piece]


def by_fold(scored: Scored, metric: Metric, folds: Sequence[Folds], tokenizer: str = "words") -> list[FoldTable]:
    """Score every system on every fold of every split.

    As many splits as prediction files are taken in pairs, in the order given. Without folds files the
    column `fold` of the predictions serves. A run on one repeat of a split is scored on that repeat.
    """
    data = scored.predictions.data
    lengths = None if data is None else word_counts(data, tokenizer)
    return [_table(scored, metric, cut, lengths) for cut in cuts_of(scored, folds)]


def cuts_of(scored: Scored, folds: Sequence[Folds]) -> list[Cut]:
    """Lay the splits on the items; a split into parts gives one fold a repeat, its test part."""
    predictions = scored.predictions
    if not folds:
        if not predictions.folds and not predictions.repeats:
            raise UsageError("--by fold needs --folds FILE, or predictions with a column fold.")
        return [Cut("predictions", base, _own_folds(scored, runs)) for base, runs in _runs(scored).items()]
    paired = len(folds) > 1 and len(folds) == len(set(predictions.sources.values()))
    found = []
    for number, split in enumerate(folds):
        for base, runs in _runs(scored).items():
            if not paired or predictions.sources[runs[0]] == number:
                found += _laid(split, base, runs, scored)
    return found


def _runs(scored: Scored) -> dict[str, list[str]]:
    """Gather the runs of a system on the repeats of a split under its name."""
    found: dict[str, list[str]] = {}
    for name in scored.predictions.names:
        repeat = scored.predictions.repeats.get(name)
        found.setdefault(name if repeat is None else name.removesuffix(f" (repeat {repeat})"), []).append(name)
    return found


def _own_folds(scored: Scored, runs: Sequence[str]) -> list[Piece]:
    pieces = []
    for run in runs:
        repeat, folds = scored.predictions.repeats.get(run), scored.predictions.folds.get(run)
        if folds is None:
            folds = as_labels([repeat if counts else None for counts in scored.items[run].present.tolist()])
            pieces += _pieces(run, folds, None)
        else:
            pieces += _pieces(run, folds, repeat)
    return pieces


def _laid(split: Folds, base: str, runs: Sequence[str], scored: Scored) -> list[Cut]:
    repeats = {str(part["repeat"][0]): part for part in split.frame.partition_by("repeat", maintain_order=True)}
    told = scored.predictions.repeats
    if runs[0] in told:
        pieces = []
        for run in runs:
            if told[run] not in repeats:
                raise AssayError(f"{split.name}: no repeat {told[run]}, which '{run}' belongs to.")
            folds = _joined(repeats[told[run]], split, scored)
            pieces += _pieces(run, folds, told[run] if split.kind == "fold" else None)
        return [Cut(split.name, base, pieces)]
    if split.kind == "part":
        return [Cut(split.name, base, _pieces(runs[0], _joined(split.frame, split, scored), None))]
    titles = {key: f"{split.name} (repeat {key})" if len(repeats) > 1 else split.name for key in repeats}
    laid = {key: _joined(part, split, scored) for key, part in repeats.items()}
    return [Cut(titles[key], base, _pieces(runs[0], folds, None)) for key, folds in laid.items()]


def _pieces(run: str, folds: Array, repeat: str | None) -> list[Piece]:
    names = sorted({fold for fold in folds.tolist() if fold is not None}, key=_by_number)
    return [Piece(name if repeat is None else f"{repeat}.{name}", run, folds == name) for name in names]


def _joined(rows: pl.DataFrame, split: Folds, scored: Scored) -> Array:
    """Return the fold of each item, or the repeat whose test part it is in."""
    if split.kind == "part":
        rows = rows.filter(pl.col("part") == "test").select("id", fold="repeat")
        if rows["id"].is_duplicated().any():
            raise AssayError(f"{split.name}: test parts of several repeats overlap; predictions need a column repeat.")
    places = dict(zip(rows["id"], rows["fold"], strict=True))
    found = as_labels([places.get(identity) for identity in scored.predictions.ids.tolist()])
    if all(fold is None for fold in found):
        raise AssayError(f"{split.name}: none of its ids has a prediction.")
    return found


def _table(scored: Scored, metric: Metric, cut: Cut, lengths: Array | None) -> FoldTable:
    rows = [_fold(scored.only([piece.run]), metric, piece, lengths) for piece in cut.pieces]
    values = np.array([row.value for row in rows])
    mean, std = (float(values.mean()), float(values.std(ddof=0))) if len(values) else (np.nan, np.nan)
    return FoldTable(cut.split, cut.system, metric.name, mean, std, len(rows), rows, _dependence(rows))


def _fold(scored: Scored, metric: Metric, piece: Piece, lengths: Array | None) -> FoldScore:
    part = scored.take(piece.rows)
    score = next(iter(part.scores(metric).values()))
    gold = part.predictions.gold
    labels = scored.scale.labels[: scored.scale.n_gold] if gold is not None and not scored.scale.graded else ()
    shares = {label: float(np.mean(gold == label)) for label in labels}
    length = float(lengths[piece.rows].mean()) if lengths is not None else float("nan")
    share = float(piece.rows.mean())
    return FoldScore(piece.name, score.value, score.low, score.high, score.n, share, shares, length)


def _dependence(rows: Sequence[FoldScore]) -> dict[str, Correlation]:
    """Correlate the folds' scores (Spearman) with their size, their mean length and each label's share."""
    traits = {"size": [row.n for row in rows], "mean_length": [row.mean_length for row in rows]}
    for label in rows[0].labels if rows else ():
        traits[f"share of {label}"] = [row.labels[label] for row in rows]
    values = [row.value for row in rows]
    return {name: spearman(trait, values) for name, trait in traits.items()}


def _by_number(name: str) -> tuple[bool, float, str]:
    return (False, float(name), name) if name.replace(".", "", 1).isdigit() else (True, 0.0, name)
