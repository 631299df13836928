"""Say what is missing before anything is scored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from assay.base.errors import AssayError, join_names, unknown_name
from assay.evaluation.predictions.types import EMPTY, Answers, Predictions
from assay.kinds import has_grades, kind_of

MIN_CHECKED_ITEMS = 10  # with fewer, all answers may be new labels by chance
MISSING_CHOICES = ("skip", "wrong", "error")
EMPTY_NOTE = "Empty answers"
MAX_COUNTED_SYSTEMS = 50  # in a note


def add_coverage_notes(predictions: Predictions, ranked_systems: Collection[str] = ()) -> Predictions:
    """Add a note for each thing about the answers that a reader of the scores must know.

    `ranked_systems` are the systems that have ranking scores.
    """
    if not len(predictions):
        raise AssayError("No item is left to evaluate: no predicted id has a gold label.")
    labels, answers = _list_gold_labels(predictions), _list_answers(predictions)
    if len(predictions) >= MIN_CHECKED_ITEMS:
        _refuse_other_labels(labels, answers)
    notes = [*predictions.notes, *_describe_missing(predictions), *_describe_empty(predictions)]
    notes += [*_describe_new_labels(labels, answers), *_describe_forms(predictions)]
    notes += [*_describe_preferences(predictions), *_describe_ranking_scores(predictions, ranked_systems)]
    return replace(predictions, notes=tuple(notes))


def treat_missing(predictions: Predictions, missing_predictions: str | None) -> Predictions:
    """Return the predictions as they are (None), without empty answers (`skip`), or with missing ones as wrong.

    With `error`, missing predictions and empty answers are an error.
    """
    if missing_predictions is None:
        return predictions
    if missing_predictions not in MISSING_CHOICES:
        raise unknown_name("way with missing predictions", missing_predictions, MISSING_CHOICES)
    notes = _describe_missing(predictions)
    if missing_predictions == "error":
        notes += _describe_empty(predictions)
        if notes:
            raise AssayError(notes[0])
        return predictions
    if missing_predictions == "wrong":
        return replace(predictions, systems={name: each.fill_missing() for name, each in predictions.systems.items()})
    left_out = _count_systems(predictions.count_empty())
    kept = [note for note in predictions.notes if not note.startswith(EMPTY_NOTE)]
    kept += [f"Empty answers left out, of {len(predictions):,} items: {left_out}."] if left_out else []
    systems = {name: each.drop_empty() for name, each in predictions.systems.items()}
    return replace(predictions, systems=systems, notes=tuple(kept))


def _count_systems(counts: dict[str, int]) -> str:
    return join_names([f"{name} {n:,}" for name, n in counts.items() if n], MAX_COUNTED_SYSTEMS)


def _describe_missing(predictions: Predictions) -> list[str]:
    counts = _count_systems(predictions.count_missing())
    return [f"Missing predictions, of {len(predictions):,} items: {counts}."] if counts else []


def _describe_empty(predictions: Predictions) -> list[str]:
    counts = _count_systems(predictions.count_empty())
    if not counts:
        return []
    systems = [each for each in predictions.systems.values() if each.empty is not None]
    are_wrong = all((each.predicted[each.empty] == EMPTY).all() for each in systems if each.predicted is not None)
    scored = "wrong answers" if are_wrong else "answers, as this kind of task reads them"
    sentence = f"{EMPTY_NOTE}, of {len(predictions):,} items: {counts}. They count as {scored}; "
    return [f"{sentence}'assay evaluate --missing-predictions skip' leaves them out."]


def _refuse_other_labels(labels: set[str], answers: dict[str, set[str]]) -> None:
    """Refuse predictions if none is a gold label: they are written in another way, and would all be wrong."""
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
        name: _cut_labels(predictions, set(answers.predicted.tolist()) - {None, EMPTY})
        for name, answers in predictions.systems.items()
        if answers.predicted is not None
    }


def _cut_labels(predictions: Predictions, answers: set[str]) -> set[str]:
    if predictions.whole is None:
        return answers
    kind = kind_of(predictions.whole)
    return {label for answer in answers for label in kind.answers.list_answer_labels(answer)}


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
        for fact in kind_of(data).answers.describe_answers(data, predicted.tolist())
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


def _describe_preferences(predictions: Predictions) -> list[str]:
    """Ask about item scores that look like preferences: numbers from 1 to 2, and 0 for a draw, as in AlpacaEval 1."""
    tables = [answers.outcomes for answers in predictions.systems.values() if answers.outcomes is not None]
    scores = np.concatenate(tables) if tables else np.array([])
    scores = scores[np.isfinite(scores)]
    others = scores[scores != 0]
    if len(others) in (0, len(scores)) or others.min() < 1 or others.max() > 2 or not (others > 1).any():
        return []
    n_draws = len(scores) - len(others)
    return [
        f"Item scores are from 1 to 2, and {n_draws:,} are 0. If these are preferences with 0 for a draw, write 1.5 "
        "for a draw: 0 is averaged as the lowest score."
    ]
