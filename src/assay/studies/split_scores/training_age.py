"""What is lost when training data age (Søgaard et al. 2021, A.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN
from assay.models.cross_validation import find_times
from assay.models.fitting import Cache, FitTask, resolve_settings, run_fits
from assay.models.inputs import join_sides
from assay.models.row_splits import NO_ROWS, RowSplit
from assay.statistics import Correlation, spearman
from assay.studies.split_scores.scoring import get_labels
from assay.studies.split_scores.word_changes import WordChange, find_word_changes
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.data import Dataset

SECONDS_PER_DAY = 86_400.0
HALVES = ("old half", "recent half", "random half")


@dataclass(frozen=True)
class SliceScore(Result):
    """A model trained on one slice: how many days before the test slice it lies (medians), and its accuracy."""

    model: str = field(metadata=OWN)
    slice: str = field(metadata=OWN)
    score: float
    gap_days: float
    n_train: int


@dataclass(frozen=True)
class AgeCorrelation(Result):
    """The correlation of gap and score over a model's slices: Spearman's and Pearson's, with p."""

    model: str = field(metadata=OWN)
    spearman: Correlation
    pearson: float
    pearson_p: float


@dataclass(frozen=True)
class AgeStudy(Result):
    """Scores on a fixed recent test slice by the age of the training slice, halves, and words that changed."""

    _table: ClassVar[str] = "correlations"

    correlations: list[AgeCorrelation]
    slices: list[SliceScore]
    halves: list[SliceScore]
    words: list[WordChange]
    n_test: int
    test_from: str = field(metadata=NAME)
    notes: list[str] = field(metadata=NAME)


def study_training_age(
    data: Dataset,
    models: Sequence[str] = ("linear",),
    *,
    n_slices: int = 8,
    test_size: float = 0.1,
    settings: dict[str, Any] | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    backend: str | None = None,
    cache: Cache = None,
) -> AgeStudy:
    """Train on slices of equal size further and further back and test on the latest rows.

    The slices are disjoint and do not overlap in time, except for rows of equal date; one with a single class is left
    out. The halves of the training span (old, recent and random) have equal size too.
    """
    from assay.splits import parse_times

    pool = data.drop_unlabelled().fill_texts()
    times = find_times(pool)
    seconds = parse_times(times)
    order = np.argsort(seconds, kind="stable")[: int((~np.isnan(seconds)).sum())]  # rows without a date come last
    past, test = _cut_test(order, test_size, n_slices, pool.name)
    y = np.array(get_labels(pool), dtype=object)
    trainings, notes = _drop_single_class(_cut_trainings(past, n_slices, random_state), y, pool.name)
    chosen = {model: resolve_settings(model, settings or {}, models) for model in dict.fromkeys(models)}
    plan = [(model, name, rows) for model in chosen for name, rows in trainings.items()]
    tasks = [
        FitTask(model, RowSplit(rows, NO_ROWS, test), chosen[model], f"{model}, {name}") for model, name, rows in plan
    ]
    X = join_sides([side.to_list() for side in pool.sides])
    results = run_fits(tasks, X, y.tolist(), random_state=random_state, n_jobs=n_jobs, backend=backend, cache=cache)
    scores = []
    for (model, name, rows), result in zip(plan, results, strict=True):
        gap = float(np.median(seconds[test]) - np.median(seconds[rows])) / SECONDS_PER_DAY
        scores.append(SliceScore(model, name, float(np.mean(result.predicted == y[test])), gap, len(rows)))
    slices = [score for score in scores if score.slice not in HALVES]
    halves = [score for score in scores if score.slice in HALVES]
    notes += dict.fromkeys(note for result in results for note in result.notes)
    return AgeStudy(
        correlations=[_correlate(model, slices) for model in chosen],
        slices=slices,
        halves=halves,
        words=_compare_halves(pool.texts.to_list(), past),
        n_test=len(test),
        test_from=str(times[int(test[0])]),
        notes=notes,
    )


def _cut_test(order: Array, test_size: float, n_slices: int, name: str) -> tuple[Array, Array]:
    n_test = max(1, round(test_size * len(order)))
    if len(order) - n_test < 2 * n_slices:
        fact = f"{len(order)} rows with a date are too few for {n_slices} training slices and a test"
        raise AssayError(fact, place=name)
    return order[:-n_test], order[-n_test:]


def _cut_trainings(past: Array, n_slices: int, random_state: int) -> dict[str, Array]:
    """Return the slices, the latest first, and the three halves; slices have one size, and so have halves."""
    size, half = len(past) // n_slices, len(past) // 2
    end = len(past)
    slices = {f"slice {back + 1}": past[end - (back + 1) * size : end - back * size] for back in range(n_slices)}
    drawn = np.sort(np.random.default_rng(random_state).permutation(len(past))[:half])
    return slices | dict(zip(HALVES, (past[:half], past[-half:], past[drawn]), strict=True))


def _drop_single_class(trainings: dict[str, Array], y: Array, place: str) -> tuple[dict[str, Array], list[str]]:
    """Leave out slices with one class, as the paper does, with a note."""
    kept = {name: rows for name, rows in trainings.items() if len(set(y[rows].tolist())) > 1}
    if not any(name not in HALVES for name in kept):
        raise AssayError("every training slice holds one class only", place=place)
    dropped = [name for name in trainings if name not in kept]
    return kept, [f"Left out because they hold one class only: {join_names(dropped, 10)}."] if dropped else []


def _compare_halves(texts: list[str], past: Array) -> list[WordChange]:
    half = len(past) // 2
    old, recent = ([texts[row] for row in rows] for rows in (past[:half], past[-half:]))
    return find_word_changes(old, recent)


def _correlate(model: str, slices: list[SliceScore]) -> AgeCorrelation:
    from scipy.stats import pearsonr

    mine = [row for row in slices if row.model == model]
    gaps, scores = np.array([row.gap_days for row in mine]), np.array([row.score for row in mine])
    if np.ptp(gaps) == 0 or np.ptp(scores) == 0:
        return AgeCorrelation(model, spearman(gaps, scores), float("nan"), float("nan"))
    linear = pearsonr(gaps, scores)
    return AgeCorrelation(model, spearman(gaps, scores), float(linear.statistic), float(linear.pvalue))
