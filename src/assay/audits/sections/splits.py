"""How the parts differ, and what a model scores under splits that ask for more generalisation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.audits.benchmark import Benchmark
from assay.audits.drift import compared_parts, label_drift, length_drift
from assay.audits.evidence.splits import (
    Divergence,
    FoldScore,
    FoldSize,
    FoldWord,
    GivenSplitScore,
    LabelDrift,
    LengthDrift,
    PartDescription,
    Point,
    SplitScore,
    SplitsEvidence,
)
from assay.audits.fold_charts import fold_charts
from assay.audits.held_out import RANDOM, STANDARD, HeldOut
from assay.audits.intervals import kappa
from assay.audits.sections.base import Measurement, section
from assay.base.errors import AssayError
from assay.data import Dataset
from assay.splits.base import Parts
from assay.splits.comparison import SplitComparison, compare
from assay.statistics import Interval

MAX_POINTS = 2_000


@section("splits", SplitsEvidence, weight=3.0, full_weight=200.0)
def measure_splits(benchmark: Benchmark) -> Measurement:
    """Compare the data's own parts, and score the quick model under every split that applies."""
    settings = benchmark.settings
    data = benchmark.sample(benchmark.filled, settings.choose(10_000, 50_000))
    given = compare_given_parts(benchmark, data)
    notes: list[str] = []
    try:
        models: HeldOut | None = benchmark.held_out
    except AssayError as error:
        models = None
        notes.append(f"No model was trained: {error}")
    if given is None and models is None:
        raise AssayError(f"There are no parts to compare. {notes[0]}")
    charts = {} if models is None else fold_charts(models, settings)
    evidence = SplitsEvidence(
        compared=None if given is None else compared_parts(data.part_names),
        n_compared=len(data) if given else 0,
        n_trained=0 if models is None else len(models.codes),
        length_drift=measure_length_drift(benchmark.filled),
        label_drift=measure_label_drift(benchmark.data),
        parts=() if given is None else tuple(describe_parts(given)),
        divergence=tuple(list_divergence(given, charts)),
        given=None if models is None else score_given_split(models),
        scores=() if models is None else tuple(score_splits(models)),
        fold_scores=() if models is None else tuple(score_folds(models)),
        fold_sizes=tuple(FoldSize(**row) for row in charts.get("fold_sizes", [])),
        fold_words=tuple(FoldWord(**row) for row in charts.get("fold_words", [])),
        points=tuple(list_points(given, charts)),
        notes=(*notes, *(() if models is None else models.notes)),
    )
    return Measurement(evidence)


def compare_given_parts(benchmark: Benchmark, data: Dataset) -> SplitComparison | None:
    """Compare dev and test with train (test with dev where there is none), beside random parts of the same sizes."""
    pair = compared_parts(data.part_names)
    if data.parts is None or pair is None:
        return None
    roles = {"dev": "dev", "test": "test", pair[0]: "train"}
    names = [roles.get(part, "unused") for part in data.parts.to_list()]
    settings = benchmark.settings
    return compare(
        data.texts.to_list(),
        {"given": Parts(np.array(names, dtype=object), {})},
        None if data.labels is None else data.labels.to_list(),
        ids=data.ids.to_list(),
        n_permutations=settings.choose(100, 500),
        random_state=settings.random_state,
    )["given"]


def measure_length_drift(data: Dataset) -> LengthDrift | None:
    """Compare the lengths of training and test texts."""
    drift = length_drift(data)
    if drift is None:
        return None
    longer = Interval(drift["longer"], drift["low"], drift["high"], method="hanley-mcneil")
    return LengthDrift(longer, drift["p"], drift["mean_train"], drift["mean_test"], drift["n_train"], drift["n_test"])


def measure_label_drift(data: Dataset) -> LabelDrift | None:
    """Compare the label shares of training and test."""
    drift = label_drift(data)
    if drift is None:
        return None
    most = drift["most"]
    shares = (most["label"], most["train"], most["test"])
    return LabelDrift(drift["distance"], drift["p"], *shares, drift["n_train"], drift["n_test"])


def describe_parts(given: SplitComparison) -> Iterator[PartDescription]:
    """Describe the parts of the given split."""
    for name, part in given.parts.items():
        yield PartDescription(name, part.n, part.length_mean, tuple(part.typical_words))


def list_divergence(given: SplitComparison | None, charts: dict[str, list[dict]]) -> Iterator[Divergence]:
    """List the divergence of the given parts, then of the splits the audit draws."""
    if given is not None:
        for measure, row in given.divergence.items():
            yield Divergence("given", measure, row.value, row.null_low, row.null_high, row.p)
    for row in charts.get("divergence", []):
        yield Divergence(**row, p=float("nan"))


def list_points(given: SplitComparison | None, charts: dict[str, list[dict]]) -> Iterator[Point]:
    """List where the items of the given parts, and of the recommended folds, lie on the plane."""
    if given is not None:
        columns = [given.projection[name][:MAX_POINTS] for name in ("part", "x", "y")]
        for part, x, y in zip(*columns, strict=True):
            yield Point("given", str(part), float(x), float(y))
    for row in charts.get("scatter", []):
        yield Point(row["split"], str(row["fold"]), float(row["x"]), float(row["y"]))


def score_splits(models: HeldOut) -> Iterator[SplitScore]:
    """Return the accuracy of every model under every split."""
    for model in dict.fromkeys(fit.model for fit in models.scored):
        for split in dict.fromkeys(fit.split for fit in models.scored):
            _, right = models.right(split, model)
            yield SplitScore(split, model, float(right.mean()), len(right))


def score_folds(models: HeldOut) -> Iterator[FoldScore]:
    """Return the accuracy of every model on every fold."""
    for fit in models.scored:
        accuracy = float((fit.predicted == models.codes[fit.rows]).mean())
        yield FoldScore(fit.split, fit.model, fit.fold, accuracy)


def score_given_split(models: HeldOut) -> GivenSplitScore | None:
    """Return the agreement with gold, beyond chance, of a model trained on train and tested on test."""
    fits = models.of(STANDARD)
    if not fits:
        return None
    assert models.data.parts is not None
    train = (models.data.parts == "train").fill_null(value=False).to_numpy()
    random = models.of(RANDOM)
    guesses = np.concatenate([fit.predicted[train[fit.rows]] for fit in random])
    gold = np.concatenate([models.codes[fit.rows[train[fit.rows]]] for fit in random])
    test = kappa(fits[0].predicted, models.codes[fits[0].rows])
    return GivenSplitScore(test, kappa(guesses, gold), len(fits[0].rows))
