"""Say what is missing before anything is scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from assay.base.errors import AssayError, join_names, unknown_name
from assay.evaluation.predictions.types import Answers, Predictions
from assay.kinds import has_grades, kind_of

MIN_CHECKED_ITEMS = 10  # with fewer, all answers may be new labels by chance
MISSING_CHOICES = ("skip", "wrong", "error")


def add_coverage_notes(predictions: Predictions, ranked_systems: Collection[str] = ()) -> Predictions:
    """Add a note for each thing about the answers that a reader of the scores must know.

    `ranked_systems` are the systems that have ranking scores.
    """
    if not len(predictions):
        raise AssayError("No item is left to evaluate: no predicted id has a gold label.")
    labels, answers = _list_gold_labels(predictions), _list_answers(predictions)
    if len(predictions) >= MIN_CHECKED_ITEMS:
        _refuse_other_labels(labels, answers)
    notes = [*predictions.notes, *_describe_missing(predictions), *_describe_new_labels(labels, answers)]
    notes += [*_describe_forms(predictions), *_describe_ranking_scores(predictions, ranked_systems)]
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


def _refuse_other_labels(labels: set[str], answers: dict[str, set[str]]) -> None:
    """Refuse predictions of which none is a gold label: they are written in another way, and would all be wrong."""
    said: set[str] = set().union(*answers.values())
    if len(labels) > 1 and said and not said & labels:
        fact = f"no answer of any system is a gold label ({join_names(sorted(said), 3)} against {_join_some(labels)})"
        raise AssayError(fact, hint="Is it a file of this data? Write answers as the data writes its labels.")


def _describe_new_labels(labels: set[str], answers: dict[str, set[str]]) -> list[str]:
    notes = []
    for name, said in answers.items():
        new = sorted(said - labels)
        if labels and said and not said & labels:
            notes.append(
                f"System '{name}' never predicts a gold label: {join_names(new)} against {_join_some(labels)}."
            )
        elif labels and new:
            notes.append(f"System '{name}' predicts labels that gold never has: {join_names(new)}.")
    return notes


def _join_some(labels: set[str]) -> str:
    return join_names(sorted(labels), 3)


def _list_gold_labels(predictions: Predictions) -> set[str]:
    """Return the labels of gold, none if answers are grades, texts or rankings."""
    if predictions.gold is None:
        return set()
    labels = _cut_labels(predictions, set(predictions.gold.tolist()))
    return set() if has_grades(labels, predictions.whole) else labels


def _list_answers(predictions: Predictions) -> dict[str, set[str]]:
    """Return the labels that each system gives."""
    return {
        name: _cut_labels(predictions, set(answers.predicted.tolist()) - {None})
        for name, answers in predictions.systems.items()
        if answers.predicted is not None
    }


def _cut_labels(predictions: Predictions, answers: set[str]) -> set[str]:
    if predictions.whole is None:
        return answers
    kind = kind_of(predictions.whole)
    return {label for answer in answers for label in kind.list_answer_labels(answer)}


def _describe_forms(predictions: Predictions) -> list[str]:
    """Say what the kind of task finds odd about the form of answers."""
    data = predictions.data
    if data is None:
        return []
    systems = {
        name: answers.predicted for name, answers in predictions.systems.items() if answers.predicted is not None
    }
    return [
        f"System '{name}' {fact}."
        for name, predicted in systems.items()
        for fact in kind_of(data).describe_answers(data, predicted.tolist())
    ]


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
