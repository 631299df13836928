"""Say what is missing before anything is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.evaluation.predictions import Answers, Predictions
from assay.kinds import has_grades


def covered(predictions: Predictions, ranks: Mapping[str, Any]) -> Predictions:
    """Add a note for each thing about the answers that a reader of the scores must know."""
    if not len(predictions):
        raise AssayError("No item is left to evaluate: no predicted id has a gold label.")
    notes = [*predictions.notes, *_missing(predictions), *_unseen(predictions), *_scores(predictions, ranks)]
    return replace(predictions, notes=tuple(notes))


def _missing(predictions: Predictions) -> list[str]:
    lacking = {name: n for name, n in predictions.missing().items() if n}
    named = join_names([f"{name} {n:,}" for name, n in lacking.items()])
    return [f"Missing predictions, of {len(predictions):,} items: {named}."] if lacking else []


def _unseen(predictions: Predictions) -> list[str]:
    if predictions.gold is None:
        return []
    known = set(predictions.gold.tolist())
    notes = []
    for name, answers in predictions.systems.items():
        others = [label for label in (answers.predicted if answers.predicted is not None else []) if label is not None]
        unseen = sorted({label for label in others if label not in known})
        if unseen and not has_grades(known, predictions.whole):
            notes.append(f"System '{name}' predicts labels that gold never has: {join_names(unseen)}.")
    return notes


def _scores(predictions: Predictions, ranks: Mapping[str, Any]) -> list[str]:
    notes = []
    strangers = [name for name in ranks if name not in set(predictions.bases.values())]
    if strangers:
        notes.append(f"Item scores of systems without predictions are not used: {join_names(strangers)}.")
    undefined = {name: _undefined(answers) for name, answers in predictions.systems.items()}
    named = [f"{name} {n:,}" for name, n in undefined.items() if n]
    if named:
        notes.append(f"Undefined ranking scores, ranked last: {join_names(named)}.")
    return notes


def _undefined(answers: Answers) -> int:
    return 0 if answers.scores is None else int(np.isnan(answers.scores).sum())
