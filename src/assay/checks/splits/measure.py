"""How the parts differ, and what a model scores under splits that ask for more generalisation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np

from assay import features
from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark, Sample
from assay.checks.splits.folds import DrawnFolds, describe_folds, list_points
from assay.checks.splits.results import (
    CHI_SQUARE,
    FISHER,
    Divergence,
    FoldScore,
    GivenSplitScore,
    GradeDrift,
    LabelDrift,
    LengthDrift,
    PartDescription,
    Period,
    SideScore,
    SplitScore,
    SplitsEvidence,
)
from assay.data.hold_out import choose_parts, select_part_rows
from assay.features import grade_drift, label_drift, label_set_drift, length_drift
from assay.kinds import kind_of
from assay.models.cross_validation import OutOfFoldPredictions
from assay.models.split_drawing import RANDOM, STANDARD
from assay.models.stress import measure_stress
from assay.splits import PartAssignment, SplitComparison, compare_splits
from assay.splits.dates import parse_times
from assay.statistics import Interval, cohen_kappa, wilson

MAX_POINTS = 2_000
N_PERIODS = 12
COMPARED = ("words", "vectors", "domain", "typical-words", "projection")


@check(
    "splits",
    SplitsEvidence,
    order=40,
    title="Split",
    question="Does the test part differ from training the way new data will, and what do harder splits cost?",
    topic="split",
    weight=3.0,
    full_weight=200.0,
    tab="splits",
)
def measure_splits(benchmark: Benchmark) -> CheckOutcome:
    """Compare the data's own parts, and score the quick model under every split that applies."""
    sample = benchmark.draw_filled(benchmark.settings.choose(10_000, 50_000))
    given = compare_given_parts(benchmark, sample)
    notes: list[str] = []
    models: OutOfFoldPredictions | None = None
    try:
        models = benchmark.held_out
    except AssayError as error:
        reason = str(error)
        notes.append(f"No classifier was trained: {reason[:1].lower()}{reason[1:]}")
    if given is None and models is None:
        other = (
            " Harder splits are under Quick models." if kind_of(benchmark.data).learning.has_models else f" {notes[0]}"
        )
        raise AssayError(f"There are no parts to compare.{other}")
    drawn = DrawnFolds() if models is None else describe_folds(benchmark, models)
    evidence = SplitsEvidence(
        compared=None if given is None else choose_parts(sample.data.part_names),
        n_compared=len(sample.rows) if given else 0,
        n_trained=0 if models is None else len(models.codes),
        length_drift=measure_length_drift(benchmark),
        label_drift=measure_label_drift(benchmark),
        grade_drift=measure_grade_drift(benchmark),
        parts=() if given is None else tuple(describe_parts(given)),
        divergence=(*list_divergence(given), *drawn.divergence),
        given=None if models is None else score_given_split(models),
        scores=() if models is None else tuple(score_splits(models)),
        stress=() if models is None else tuple(measure_stress(models)),
        signal=None if models is None else measure_signal(models),
        side_scores=() if models is None else tuple(score_seen_sides(benchmark, models)),
        fold_scores=() if models is None else tuple(score_folds(models)),
        fold_sizes=drawn.sizes,
        fold_words=drawn.words,
        points=(*list_points("given", given, MAX_POINTS), *drawn.points),
        notes=(*notes, *(() if models is None else models.notes)),
        periods=() if models is None else tuple(score_periods(models)),
    )
    return CheckOutcome(evidence)


def compare_given_parts(benchmark: Benchmark, sample: Sample) -> SplitComparison | None:
    """Compare dev and test with train (test with dev if there is none), next to random parts of the same sizes."""
    data = sample.data
    pair = choose_parts(data.part_names)
    if data.parts is None or pair is None:
        return None
    roles = {"dev": "dev", "test": "test", pair[0]: "train"}
    names = [roles.get(part, "unused") for part in data.parts.to_list()]
    settings = benchmark.settings
    return compare_splits(
        data.texts.to_list(),
        {"given": PartAssignment(np.array(names, dtype=object))},
        None if data.labels is None else data.labels.to_list(),
        ids=data.ids.to_list(),
        include=COMPARED,
        n_permutations=settings.choose(100, 500),
        random_state=settings.random_state,
        corpus=benchmark.corpus.take(sample.rows),
        vectors=benchmark.encode(sample.rows),
    )["given"]


def measure_length_drift(benchmark: Benchmark) -> LengthDrift | None:
    """Compare the lengths of training and test texts."""
    names = choose_parts(benchmark.data.part_names)
    if names is None or benchmark.data.parts is None:
        return None
    rows = select_part_rows(benchmark.data.parts, train=names[0], test=names[1])
    drift = length_drift(benchmark.corpus.take(rows.train), benchmark.corpus.take(rows.test), names)
    if drift is None:
        return None
    longer = Interval(drift.longer, drift.low, drift.high, method="hanley-mcneil")
    return LengthDrift(longer, drift.p, drift.mean_train, drift.mean_test, drift.n_train, drift.n_test)


def measure_label_drift(benchmark: Benchmark) -> LabelDrift | None:
    """Compare the label shares of training and test; grades are compared as numbers instead."""
    data = benchmark.data
    names = choose_parts(data.part_names)
    kind = kind_of(data)
    if names is None or data.parts is None or kind.gold.has_grades:
        return None
    rows = select_part_rows(data.parts, train=names[0], test=names[1])
    sets = kind.gold.get_label_sets(data)
    if sets is not None:
        train, test = ([sets[row] or () for row in side if sets[row] is not None] for side in (rows.train, rows.test))
        drift = label_set_drift(train, test, names)
        return None if drift is None else describe_label_drift(drift, FISHER)
    if data.labels is None:
        return None
    drift = label_drift(data.labels.gather(rows.train).to_list(), data.labels.gather(rows.test).to_list(), names)
    return None if drift is None else describe_label_drift(drift)


def describe_label_drift(drift: features.LabelDrift, test: str = CHI_SQUARE) -> LabelDrift:
    """Return a drift of labels as evidence."""
    most, sizes = drift.most, (drift.n_train, drift.n_test)
    return LabelDrift(drift.distance, drift.p, most.label, most.train, most.test, *sizes, test)


def measure_grade_drift(benchmark: Benchmark) -> GradeDrift | None:
    """Compare the grades of training and test."""
    data = benchmark.data
    names = choose_parts(data.part_names)
    if names is None or data.parts is None or data.labels is None or not kind_of(data).gold.has_grades:
        return None
    rows = select_part_rows(data.parts, train=names[0], test=names[1])
    drift = grade_drift(data.labels.gather(rows.train).to_list(), data.labels.gather(rows.test).to_list(), names)
    if drift is None:
        return None
    means = (drift.mean_train, drift.mean_test)
    return GradeDrift(drift.distance, drift.p, drift.shift, *means, drift.n_train, drift.n_test)


def describe_parts(given: SplitComparison) -> Iterator[PartDescription]:
    """Describe the parts of the given split."""
    for name, part in given.parts.items():
        yield PartDescription(name, part.n, part.length_mean, tuple(part.typical_words))


def list_divergence(given: SplitComparison | None) -> Iterator[Divergence]:
    """List the divergence of the given parts."""
    if given is not None:
        for measure, row in given.divergence.items():
            yield Divergence("given", measure, row.value, row.null_low, row.null_high, row.p)


def score_splits(models: OutOfFoldPredictions) -> Iterator[SplitScore]:
    """Return the accuracy of every model under every split."""
    for score in models.score_splits():
        yield SplitScore(score.split, score.model, score.accuracy, score.n)


def score_seen_sides(benchmark: Benchmark, models: OutOfFoldPredictions) -> Iterator[SideScore]:
    """Score a model trained on train on test pairs with a side that is in train, and on pairs with new sides."""
    fits, n_seen = models.select(STANDARD), benchmark.n_seen_sides
    if not fits or n_seen is None or benchmark.reference_part != "train":
        return
    fit = fits[0]
    is_right, is_known = fit.predicted == models.codes[fit.rows], n_seen[benchmark.trainable.rows[fit.rows]] > 0
    for sides, chosen in (("some", is_known), ("none", ~is_known)):
        if chosen.any():
            yield SideScore("some" if sides == "some" else "none", float(is_right[chosen].mean()), int(chosen.sum()))


def score_periods(models: OutOfFoldPredictions) -> Iterator[Period]:
    """Score the quick model by period, trained on random folds and on earlier items; nothing without dates."""
    if models.data.times is None or models.data.times.null_count():
        return
    for split, folds in ((RANDOM, "random folds"), ("temporal", "earlier items")):
        fits = models.select(split)
        if not fits:
            continue
        rows = np.concatenate([fit.rows for fit in fits])
        is_right = np.concatenate([fit.predicted for fit in fits]) == models.codes[rows]
        for start, chosen in cut_periods(models.data.times.to_list(), rows):
            accuracy = wilson(float(is_right[chosen].sum()), len(chosen))
            yield Period(start, "random folds" if folds == "random folds" else "earlier items", len(chosen), accuracy)


def cut_periods(times: Sequence[str], rows: Array) -> Iterator[tuple[str, Array]]:
    """Yield the first day of every period and the places of its rows; periods have the same length.

    The whole span of time is cut, whichever rows are asked for; periods without rows are left out.
    """
    try:
        moments = parse_times(times)
    except AssayError:
        return
    edges = np.linspace(moments.min(), moments.max(), N_PERIODS + 1)
    if not edges[-1] > edges[0]:
        return
    numbers = np.clip(np.searchsorted(edges, moments[rows], side="right") - 1, 0, N_PERIODS - 1)
    for number in range(N_PERIODS):
        places = np.flatnonzero(numbers == number)
        if len(places):
            yield datetime.fromtimestamp(float(edges[number]), UTC).date().isoformat(), places


def measure_signal(models: OutOfFoldPredictions) -> Interval:
    """Return the agreement with gold, beyond chance, of the quick model on random folds."""
    random = models.select(RANDOM)
    rows = np.concatenate([fit.rows for fit in random])
    return cohen_kappa(np.concatenate([fit.predicted for fit in random]), models.codes[rows])


def score_folds(models: OutOfFoldPredictions) -> Iterator[FoldScore]:
    """Return the accuracy of every model on every fold."""
    for fit in models.predictions:
        accuracy = float((fit.predicted == models.codes[fit.rows]).mean())
        yield FoldScore(fit.split, fit.model, fit.fold, accuracy)


def score_given_split(models: OutOfFoldPredictions) -> GivenSplitScore | None:
    """Return the agreement with gold, beyond chance, of a model trained on train and tested on test."""
    fits = models.select(STANDARD)
    if not fits:
        return None
    assert models.data.parts is not None
    train = (models.data.parts == "train").fill_null(value=False).to_numpy()
    random = models.select(RANDOM)
    predicted = np.concatenate([fit.predicted[train[fit.rows]] for fit in random])
    gold = np.concatenate([models.codes[fit.rows[train[fit.rows]]] for fit in random])
    test = cohen_kappa(fits[0].predicted, models.codes[fits[0].rows])
    return GivenSplitScore(test, cohen_kappa(predicted, gold), len(fits[0].rows))
