"""Put the repeats of a run under one system."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.predictions.types import Answers, Predictions, Run, find_empty


def has_repeats(predictions: Predictions) -> bool:
    """Return whether some systems are repeats of one run (not folds of a split, which are other items)."""
    runs = predictions.runs.values()
    return any(run.repeat is not None for run in runs) and all(run.folds is None for run in runs)


def stack_repeats(predictions: Predictions) -> Predictions:
    """Return one system per run, with one row per item and repeat; the rows of an item are one group.

    So every metric is computed over all repeats together, and intervals and tests are over items. A system with fewer
    repeats than others does not count in the rest; items with fewer of them are weighted when they are scored.

    >>> from assay.evaluation import read_predictions
    >>> rows = [{"id": "1", "repeat": n, "system": "x", "gold": "a", "predicted": "ab"[n]} for n in (0, 1)]
    >>> stacked = stack_repeats(read_predictions(rows))
    >>> stacked.names, stacked.outcomes().tolist(), stacked.n_repeats
    (['x'], [[1.0, 0.0]], 2)
    """
    if not has_repeats(predictions):
        return predictions
    columns = collect_repeats(predictions)
    n_items, n_repeats = len(predictions), max(len(names) for names in columns.values())
    rows = np.tile(np.arange(n_items), n_repeats)
    ids = predictions.ids[rows]
    groups = predictions.groups[rows] if predictions.groups is not None else ids
    systems = {
        name: _stack_answers([predictions.systems[run] for run in runs], n_items, n_repeats)
        for name, runs in columns.items()
    }
    first = {name: predictions.find_run(runs[0]) for name, runs in columns.items()}
    return replace(
        predictions,
        ids=ids,
        gold=None if predictions.gold is None else predictions.gold[rows],
        systems=systems,
        groups=groups,
        runs={name: Run(run.system, name, run.source) for name, run in first.items()},
        data=None if predictions.data is None else predictions.data.take(rows),
        n_repeats=n_repeats,
    )


def combine_repeats(predictions: Predictions) -> Predictions:
    """Return one row per item and one system per run: the most frequent answer, and the mean outcome of its repeats.

    Of answers that are equally frequent the first counts. Probabilities and ranking scores are means.

    >>> from assay.evaluation import read_predictions
    >>> rows = [{"id": "1", "repeat": n, "system": "x", "gold": "a", "predicted": "bab"[n]} for n in (0, 1, 2)]
    >>> combined = combine_repeats(read_predictions(rows))
    >>> combined.systems["x"].predicted.tolist(), combined.outcomes().round(3).tolist()
    (['b'], [[0.333]])
    """
    if not has_repeats(predictions):
        return predictions
    columns = collect_repeats(predictions)
    outcomes = dict(zip(predictions.names, predictions.outcomes(), strict=True))
    systems = {
        name: _combine_answers([predictions.systems[run] for run in runs], [outcomes[run] for run in runs])
        for name, runs in columns.items()
    }
    n_repeats = max(len(runs) for runs in columns.values())
    note = f"Runs with up to {n_repeats} repeats: scores are means over them, answers the most frequent ones."
    return replace(
        predictions,
        systems=systems,
        runs={name: replace(predictions.find_run(runs[0]), repeat=None) for name, runs in columns.items()},
        notes=(*predictions.notes, note),
    )


def _combine_answers(repeats: list[Answers], outcomes: list[Array]) -> Answers:
    answers = [each.predicted for each in repeats if each.predicted is not None]
    ranks = [each.ranking_scores for each in repeats if each.ranking_scores is not None]
    labels = list(repeats[0].probabilities or {})
    shares = {label: [(each.probabilities or {}).get(label) for each in repeats] for label in labels}
    means = {
        label: average_known(np.stack([part for part in parts if part is not None])) for label, parts in shares.items()
    }
    chosen = _choose_majority(np.stack(answers)) if len(answers) == len(repeats) else None
    return Answers(
        chosen,
        average_known(np.stack(ranks)) if len(ranks) == len(repeats) else None,
        average_known(np.stack(outcomes)),
        means or None,
        empty=None if chosen is None else find_empty(chosen),
    )


def _choose_majority(answers: Array) -> Array:
    """Return the most frequent answer of every column, None if there is none."""
    chosen = np.empty(answers.shape[1], dtype=object)
    for item, column in enumerate(answers.T.tolist()):
        counts = Counter(answer for answer in column if answer is not None)
        chosen[item] = counts.most_common(1)[0][0] if counts else None
    return chosen


def average_known(rows: Array) -> Array:
    """Return the mean of every column over its finite cells; nan if there are none."""
    known = np.isfinite(rows)
    counts = known.sum(axis=0)
    total = np.where(known, rows, 0.0).sum(axis=0)
    return np.divide(total, counts, out=np.full(total.shape, np.nan), where=counts > 0)


def collect_repeats(predictions: Predictions) -> dict[str, list[str]]:
    """Return the names of the repeats of every run, in file order."""
    columns: dict[str, list[str]] = {}
    for name in predictions.names:
        columns.setdefault(predictions.find_run(name).name, []).append(name)
    return columns


def _stack_answers(repeats: list[Answers], n_items: int, n_repeats: int) -> Answers:
    n_missing = (n_repeats - len(repeats)) * n_items

    def stack(arrays: list[Array | None], fill: object) -> Array | None:
        present = [array for array in arrays if array is not None]
        if len(present) < len(arrays):
            return None
        rest: Array = np.full(n_missing, fill, dtype=present[0].dtype)
        return np.concatenate([*present, rest])

    labels = list(repeats[0].probabilities or {})
    shares = {
        label: stack([(answers.probabilities or {}).get(label) for answers in repeats], np.nan) for label in labels
    }
    complete = {label: share for label, share in shares.items() if share is not None}
    counted = np.zeros(n_items * n_repeats, dtype=bool)
    counted[: len(repeats) * n_items] = True
    return Answers(
        stack([answers.predicted for answers in repeats], None),
        stack([answers.ranking_scores for answers in repeats], np.nan),
        stack([answers.outcomes for answers in repeats], np.nan),
        complete or None,
        counted=counted if n_missing else None,
        empty=_stack_marks([answers.empty for answers in repeats], n_items, n_repeats),
        filled=_stack_marks([answers.filled for answers in repeats], n_items, n_repeats),
    )


def _stack_marks(marks: list[Array | None], n_items: int, n_repeats: int) -> Array | None:
    if all(each is None for each in marks):
        return None
    table = np.zeros((n_repeats, n_items), dtype=bool)
    for row, each in enumerate(marks):
        table[row] = False if each is None else each
    return table.ravel()
