"""Drift: what is lost when training data age (paper 004, A.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.results import Result
from assay.models.fits import Fit, run_fits, settings_for
from assay.models.inputs import joined
from assay.models.studies.word_shares import WordChange, word_changes

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.statistics import Correlation

DAY = 86_400.0
HALVES = ("old half", "recent half", "random half")


@dataclass(frozen=True)
class SliceScore(Result):
    """A model trained on one slice: how many days before the test slice it lies (medians), and its accuracy."""

    model: str
    slice: str
    score: float
    gap_days: float
    n_train: int


@dataclass(frozen=True)
class ModelDrift(Result):
    """The correlation of gap and score over a model's slices: Spearman's and Pearson's, with p."""

    model: str
    spearman: Correlation
    pearson: float
    pearson_p: float


@dataclass(frozen=True)
class Drift(Result):
    """Scores on a fixed recent test slice by the age of the training slice, halves, and words that changed."""

    _table: ClassVar[str] = "correlations"

    correlations: list[ModelDrift]
    slices: list[SliceScore]
    halves: list[SliceScore]
    words: list[WordChange]
    n_test: int
    test_from: str
    notes: list[str]


def drift(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    *,
    n_slices: int = 8,
    test_size: float = 0.1,
    settings: dict[str, Any] | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: str | Path | None = None,
) -> Drift:
    """Train on slices of equal size further and further back and test on the latest rows.

    The slices are disjoint and do not overlap in time but for rows of equal date; one with a single class is left
    out. The halves of the training span,
    old, recent and drawn at random, have equal size too.
    """
    from assay.splits import parse_times

    pool = data.drop_unlabelled().fill_texts()
    if pool.times is None:
        raise AssayError(f"{data.name} has no column with dates; name one with --time.")
    moments = parse_times(pool.times)
    order = np.argsort(moments, kind="stable")[: int((~np.isnan(moments)).sum())]  # rows without a date come last
    past, test = _cut(order, test_size, n_slices, pool.name)
    y = np.array(_labels(pool), dtype=object)
    trainings, notes = _with_two_classes(_trainings(past, n_slices, random_state), y, pool.name)
    chosen = {model: settings_for(model, settings or {}, models) for model in dict.fromkeys(models)}
    plan = [(model, name, rows) for model in chosen for name, rows in trainings.items()]
    fits = [Fit(model, chosen[model], rows, test, None, f"{model}, {name}") for model, name, rows in plan]
    X = joined(tuple(side.to_list() for side in pool.sides))
    made = run_fits(fits, X, y.tolist(), random_state=random_state, n_jobs=n_jobs, backend=backend, cache=cache)
    scores = []
    for (model, name, rows), fitted in zip(plan, made, strict=True):
        gap = float(np.median(moments[test]) - np.median(moments[rows])) / DAY
        scores.append(SliceScore(model, name, float(np.mean(fitted.predicted == y[test])), gap, len(rows)))
    slices = [score for score in scores if score.slice not in HALVES]
    halves = [score for score in scores if score.slice in HALVES]
    texts = pool.texts.to_list()
    old, recent = ([texts[row] for row in rows] for rows in (past[: len(past) // 2], past[-(len(past) // 2) :]))
    notes += dict.fromkeys(note for fitted in made for note in fitted.notes)
    first = str(pool.times[int(test[0])])
    found = [_model_drift(model, slices) for model in chosen]
    return Drift(found, slices, halves, word_changes(old, recent), len(test), first, notes)


def _cut(order: np.ndarray, test_size: float, n_slices: int, name: str) -> tuple[np.ndarray, np.ndarray]:
    n_test = max(1, round(test_size * len(order)))
    if len(order) - n_test < 2 * n_slices:
        raise AssayError(
            f"{name}: {len(order)} rows with a date are too few for {n_slices} training slices and a test."
        )
    return order[:-n_test], order[-n_test:]


def _trainings(past: np.ndarray, n_slices: int, random_state: int) -> dict[str, np.ndarray]:
    """Return the slices, the latest first, and the three halves; all slices have the same size, and so the halves."""
    size, half = len(past) // n_slices, len(past) // 2
    end = len(past)
    slices = {f"slice {back + 1}": past[end - (back + 1) * size : end - back * size] for back in range(n_slices)}
    drawn = np.sort(np.random.default_rng(random_state).permutation(len(past))[:half])
    return slices | dict(zip(HALVES, (past[:half], past[-half:], past[drawn]), strict=True))


def _with_two_classes(
    trainings: dict[str, np.ndarray], y: np.ndarray, name: str
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Leave out slices with one class, as the paper does, and say so."""
    kept = {each: rows for each, rows in trainings.items() if len(set(y[rows].tolist())) > 1}
    if not any(each not in HALVES for each in kept):
        raise AssayError(f"{name}: every training slice holds one class only.")
    lost = [each for each in trainings if each not in kept]
    return kept, [f"Left out, for they hold one class only: {join_names(lost, 10)}."] if lost else []


def _model_drift(model: str, slices: list[SliceScore]) -> ModelDrift:
    from scipy.stats import pearsonr

    from assay.statistics import spearman

    gaps, scores = (np.array([getattr(s, n) for s in slices if s.model == model]) for n in ("gap_days", "score"))
    if np.ptp(gaps) == 0 or np.ptp(scores) == 0:
        return ModelDrift(model, spearman(gaps, scores), float("nan"), float("nan"))
    linear = pearsonr(gaps, scores)
    return ModelDrift(model, spearman(gaps, scores), float(linear.statistic), float(linear.pvalue))


def _labels(data: Dataset) -> list[str]:
    assert data.labels is not None
    return data.labels.to_list()
