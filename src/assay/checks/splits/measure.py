"""How the parts differ, and what a model scores under splits that ask for more generalisation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark, Sample
from assay.checks.splits.results import GIVEN, SplitsEvidence
from assay.data.hold_out import choose_parts, select_part_rows
from assay.features import GradeDrift, LabelDrift, LengthDrift, grade_drift, label_drift, label_set_drift, length_drift
from assay.kinds import kind_of
from assay.models.cross_validation import OutOfFoldPredictions
from assay.models.split_drawing import STANDARD
from assay.models.split_studies.held_out import (
    CLUSTERS,
    assign_folds,
    count_fold_labels,
    find_fold_words,
    measure_signal,
    score_folds,
    score_given_split,
    score_periods,
    score_seen_sides,
)
from assay.models.stress import measure_stress
from assay.splits import PartAssignment, SplitComparison, compare_splits

COMPARED = ("words", "vectors", "domain", "projection")


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
    try:
        models, reason = benchmark.held_out, ""
    except AssayError as error:
        models, reason = None, str(error)
    if given is None and models is None:
        has_models = kind_of(benchmark.data).learning.has_models
        raise AssayError(f"There are no parts to compare.{'' if has_models else ' ' + explain_models(reason)}")
    evidence = SplitsEvidence(
        compared=None if given is None else choose_parts(sample.data.part_names),
        n_compared=len(sample.rows) if given else 0,
        n_trained=0,
        length_drift=measure_length_drift(benchmark),
        label_drift=measure_label_drift(benchmark),
        grade_drift=measure_grade_drift(benchmark),
        comparisons={} if given is None else {GIVEN: given},
        given=None,
        scores=(),
        stress=(),
        signal=None,
        side_scores=(),
        fold_scores=(),
        fold_labels=(),
        fold_words=(),
        notes=(explain_models(reason),) if reason else (),
    )
    return CheckOutcome(evidence if models is None else add_scores(evidence, benchmark, models))


def explain_models(reason: str) -> str:
    """Say why no classifier was trained."""
    return f"No classifier was trained: {reason[:1].lower()}{reason[1:]}"


def add_scores(evidence: SplitsEvidence, benchmark: Benchmark, models: OutOfFoldPredictions) -> SplitsEvidence:
    """Add the splits that the audit draws, and what models score under them."""
    sides = benchmark.n_seen_sides if benchmark.reference_part == "train" else None
    rows = benchmark.trainable.rows
    return replace(
        evidence,
        n_trained=len(models.codes),
        comparisons=evidence.comparisons | compare_drawn_folds(benchmark, models),
        given=score_given_split(models),
        scores=tuple(models.score_splits()),
        stress=tuple(measure_stress(models)),
        signal=measure_signal(models),
        side_scores=() if sides is None else tuple(score_seen_sides(models, sides[rows])),
        fold_scores=tuple(score_folds(models)),
        fold_labels=tuple(count_fold_labels(models)),
        fold_words=tuple(find_fold_words(models, benchmark.corpus.take(rows))),
        periods=tuple(score_periods(models)),
        notes=tuple(models.notes),
    )


def compare_given_parts(benchmark: Benchmark, sample: Sample) -> SplitComparison | None:
    """Compare dev and test with train (or test with dev if there is no train) and with random parts of these sizes."""
    data = sample.data
    pair = choose_parts(data.part_names)
    if data.parts is None or pair is None:
        return None
    roles = {"dev": "dev", "test": "test", pair[0]: "train"}
    names = [roles.get(part, "unused") for part in data.parts.to_list()]
    comparison = compare_splits(
        data.texts.to_list(),
        {GIVEN: PartAssignment(np.array(names, dtype=object))},
        None if data.labels is None else data.labels.to_list(),
        ids=data.ids.to_list(),
        include=(*COMPARED, "typical-words"),
        **choose_work(benchmark, sample),
    )[GIVEN]
    return rename_part(comparison, "train", pair[0])


def rename_part(comparison: SplitComparison, name: str, own_name: str) -> SplitComparison:
    """Give a part of a comparison the name that it has in the data."""
    parts = {own_name if part == name else part: summary for part, summary in comparison.parts.items()}
    plane = comparison.projection
    if plane is not None:
        plane = replace(plane, part=tuple(own_name if part == name else part for part in plane.part))
    return replace(comparison, parts=parts, projection=plane)


def compare_drawn_folds(benchmark: Benchmark, models: OutOfFoldPredictions) -> dict[str, SplitComparison]:
    """Compare the folds of all splits that the audit draws; only the clusters keep their points on the plane."""
    splits = {name: assign_folds(folds) for name, folds in models.folds.items() if name != STANDARD}
    work = choose_work(benchmark, benchmark.trainable)
    comparisons = compare_splits(models.data.texts.to_list(), splits, include=COMPARED, **work)
    return {
        name: comparison if name == CLUSTERS else replace(comparison, projection=None)
        for name, comparison in comparisons.items()
    }


def choose_work(benchmark: Benchmark, sample: Sample) -> Options:
    """Return the settings of a comparison, and the words and vectors that are ready."""
    return {
        "n_permutations": benchmark.settings.choose(100, 500),
        "random_state": benchmark.settings.random_state,
        "corpus": benchmark.corpus.take(sample.rows),
        "vectors": benchmark.encode(sample.rows),
    }


def measure_length_drift(benchmark: Benchmark) -> LengthDrift | None:
    """Compare the lengths of training and test texts."""
    names = choose_parts(benchmark.data.part_names)
    if names is None or benchmark.data.parts is None:
        return None
    rows = select_part_rows(benchmark.data.parts, train=names[0], test=names[1])
    return length_drift(benchmark.corpus.take(rows.train), benchmark.corpus.take(rows.test), names)


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
        return label_set_drift(train, test, names)
    if data.labels is None:
        return None
    return label_drift(data.labels.gather(rows.train).to_list(), data.labels.gather(rows.test).to_list(), names)


def measure_grade_drift(benchmark: Benchmark) -> GradeDrift | None:
    """Compare the grades of training and test."""
    data = benchmark.data
    names = choose_parts(data.part_names)
    if names is None or data.parts is None or data.labels is None or not kind_of(data).gold.has_grades:
        return None
    rows = select_part_rows(data.parts, train=names[0], test=names[1])
    return grade_drift(data.labels.gather(rows.train).to_list(), data.labels.gather(rows.test).to_list(), names)
