"""Say what is missing before anything is scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from assay.base.errors import AssayError, join_names, unknown_name
from assay.evaluation.predictions.types import Answers, Predictions
from assay.kinds import has_grades, kind_of

MISSING_CHOICES = ("skip", "wrong", "error")


def add_coverage_notes(predictions: Predictions, ranked_systems: Collection[str] = ()) -> Predictions:
    """Add a note for each thing about the answers that a reader of the scores must know.

    `ranked_systems` are the systems that have ranking scores.
    """
    if not len(predictions):
        raise AssayError("No item is left to evaluate: no predicted id has a gold label.")
    notes = [*predictions.notes, *_describe_missing(predictions), *_describe_new_labels(predictions)]
    notes += _describe_ranking_scores(predictions, ranked_systems)
    return replace(predictions, notes=tuple(notes))


def check_missing(predictions: Predictions, missing_predictions: str) -> None:
    """Refuse an unknown way to treat missing predictions, and with `error` any missing prediction."""
    if missing_predictions not in MISSING_CHOICES:
        raise unknown_name("way with missing predictions", missing_predictions, MISSING_CHOICES)
    notes = _describe_missing(predictions)
    if missing_predictions == "error" and notes:
        raise AssayError(notes[0])


def _describe_missing(predictions: Predictions) -> list[str]:
    counts = [f"{name} {n:,}" for name, n in predictions.count_missing().items() if n]
    return [f"Missing predictions, of {len(predictions):,} items: {join_names(counts)}."] if counts else []


def _describe_new_labels(predictions: Predictions) -> list[str]:
    if predictions.gold is None or not (predictions.whole is None or kind_of(predictions.whole).has_labels):
        return []
    known = {*predictions.gold.tolist(), None}
    notes = []
    for name, answers in predictions.systems.items():
        new = sorted(set(answers.predicted.tolist()) - known) if answers.predicted is not None else []
        if new and not has_grades(known - {None}, predictions.whole):
            notes.append(f"System '{name}' predicts labels that gold never has: {join_names(new)}.")
    return notes


def _describe_ranking_scores(predictions: Predictions, ranked_systems: Collection[str]) -> list[str]:
    notes = []
    systems = {run.system for run in predictions.runs.values()}
    unused = [name for name in ranked_systems if name not in systems]
    if unused:
        notes.append(f"Item scores of systems without predictions are not used: {join_names(unused)}.")
    undefined = {name: _count_undefined(answers) for name, answers in predictions.systems.items()}
    counts = [f"{name} {n:,}" for name, n in undefined.items() if n]
    if counts:
        notes.append(f"Undefined ranking scores, ranked last: {join_names(counts)}.")
    return notes


def _count_undefined(answers: Answers) -> int:
    return 0 if answers.ranking_scores is None else int(np.isnan(answers.ranking_scores).sum())
