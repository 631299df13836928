"""How the parts differ, and what a model scores when the split asks more of it than a random one."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.audits.case import Case
from assay.audits.drift import compared_parts, label_drift, length_drift
from assay.audits.fold_charts import divergence_rows, fold_charts, scatter_rows
from assay.audits.intervals import kappa
from assay.audits.section import Measure, Measured
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.models.cross_validation import RANDOM, STANDARD, OutOfFoldPredictions
from assay.splits import PartAssignment, SplitComparison, compare_splits

MOST_POINTS = 2_000


def measure(case: Case) -> Measured:
    """Compare the data's own parts, and score the quick model under every split that applies."""
    notes: list[str] = []
    data = case.sample(case.data.fill_texts(), case.settings.most(10_000, 50_000))
    given = compared(case, data)
    drift = {"length": length_drift(case.data.fill_texts()), "labels": label_drift(case.data)}
    try:
        stress: OutOfFoldPredictions | None = case.held_out
    except AssayError as error:
        stress = None
        notes.append(f"No model was trained: {error}")
    if given is None and stress is None:
        raise AssayError(f"There are no parts to compare. {notes[0]}")
    result: dict[str, Any] = {"n_compared": len(data) if given else 0, "drift": drift}
    result["given"] = None if given is None else _told(given)
    result["compared"] = None if given is None else compared_parts(data.part_names)
    result["families"] = [] if stress is None else families(stress)
    result["standard"] = None if stress is None else standard(stress)
    result["n_trained"] = 0 if stress is None else len(stress.codes)
    result["notes"] = notes + ([] if stress is None else stress.notes)
    result["charts"] = charts(case, given, stress)
    return Measured(result)


def compared(case: Case, data: Dataset) -> SplitComparison | None:
    """Compare dev and test with train (test with dev where there is none), beside random parts of the same sizes."""
    pair = compared_parts(data.part_names)
    if data.parts is None or pair is None:
        return None
    roles = {"dev": "dev", "test": "test", pair[0]: "train"}
    names = [roles.get(part, "unused") for part in data.parts.to_list()]
    draws = {"given": PartAssignment(np.array(names, dtype=object))}
    labels = None if data.labels is None else data.labels.to_list()
    settings: dict[str, Any] = {
        "n_permutations": case.settings.most(100, 500),
        "random_state": case.settings.random_state,
    }
    return compare_splits(data.texts.to_list(), draws, labels, ids=data.ids.to_list(), **settings)["given"]


def families(found: OutOfFoldPredictions) -> list[dict[str, Any]]:
    """Return the score of every model under every split, with the number of items it rests on."""
    return [score.to_dict() for score in found.score_splits()]


def standard(found: OutOfFoldPredictions) -> dict[str, Any] | None:
    """Return the agreement with gold, beyond chance, of a model trained on train and asked on test."""
    if not found.select(STANDARD):
        return None
    one = found.select(STANDARD)[0]
    inside = _within_train(found)
    return {"kappa": kappa(one.predicted, found.codes[one.rows]).to_dict(), "n": len(one.rows), "within": inside}


def _within_train(found: OutOfFoldPredictions) -> dict[str, Any]:
    assert found.data.parts is not None
    train = (found.data.parts == "train").fill_null(value=False).to_numpy()
    pairs = [(one.predicted[train[one.rows]], found.codes[one.rows[train[one.rows]]]) for one in found.select(RANDOM)]
    guesses, gold = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return kappa(guesses, gold).to_dict()


def charts(case: Case, given: SplitComparison | None, stress: OutOfFoldPredictions | None) -> dict[str, Any]:
    """Return the points of the charts: the data's own parts first, then the splits the audit draws."""
    found: dict[str, Any] = {"divergence": [], "scores": [], "fold_sizes": [], "scatter": [], "fold_words": []}
    if given is not None:
        found["divergence"] = divergence_rows("given", given)
        found["scatter"] = scatter_rows("given", given)[:MOST_POINTS]
    if stress is not None:
        found["scores"] = [_score(stress, one) for one in stress.predictions]
        for name, rows in fold_charts(stress, case.settings).items():
            found[name] += rows
    return found


def _score(stress: OutOfFoldPredictions, one: Any) -> dict[str, Any]:
    right = float((one.predicted == stress.codes[one.rows]).mean())
    return {"split": one.split, "model": one.model, "fold": one.fold, "metric": "accuracy", "value": right}


def _told(given: SplitComparison) -> dict[str, Any]:
    told = given.to_dict()
    told.pop("projection")
    return told


SPLITS = Measure("splits", 3.0, measure, full=200.0)
