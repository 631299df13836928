"""What the folds of the audit's own splits are like: how far they differ, where they lie, which words are typical."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.checks.benchmark import Benchmark
from assay.checks.splits.results import Divergence, FoldSize, FoldWord, Point
from assay.features import LabelledTexts
from assay.features.profiling import find_label_words
from assay.models.cross_validation import OutOfFoldPredictions
from assay.models.split_drawing import RANDOM, STANDARD
from assay.splits import FoldAssignment, PartAssignment, SplitComparison, compare_splits
from assay.text import Corpus

CLUSTERS = "sds-k-means"
COMPARED = ("words", "vectors", "domain", "projection")
MAX_POINTS = 1_000
N_WORDS = 8


@dataclass(frozen=True)
class DrawnFolds:
    """The folds of all splits that the audit draws."""

    divergence: tuple[Divergence, ...] = ()
    points: tuple[Point, ...] = ()
    sizes: tuple[FoldSize, ...] = ()
    words: tuple[FoldWord, ...] = ()


def describe_folds(benchmark: Benchmark, models: OutOfFoldPredictions) -> DrawnFolds:
    """Compare the folds of all splits but the data's own."""
    settings, sample = benchmark.settings, benchmark.trainable
    ready: dict[str, Any] = {
        "corpus": benchmark.corpus.take(sample.rows),
        "vectors": benchmark.encode(sample.rows),
    }
    folds = {name: numbers for name, numbers in models.folds.items() if name != STANDARD}
    comparisons = compare_splits(
        models.data.texts.to_list(),
        {name: assign_folds(numbers) for name, numbers in folds.items()},
        include=COMPARED,
        n_permutations=settings.choose(100, 500),
        random_state=settings.random_state,
        **ready,
    )
    return DrawnFolds(
        divergence=tuple(row for name, found in comparisons.items() for row in list_divergence(name, found)),
        points=tuple(list_points(CLUSTERS, comparisons.get(CLUSTERS), MAX_POINTS)),
        sizes=tuple(count_labels(models, models.folds | folds)),
        words=tuple(find_fold_words(models, ready["corpus"], folds)),
    )


def assign_folds(folds: Array) -> FoldAssignment | PartAssignment:
    """Return fold numbers as folds; where only one is held out, as train and test."""
    if folds.max() > 1:
        return FoldAssignment(folds)
    return PartAssignment(np.where(folds > 0, "test", "train").astype(object))


def list_divergence(split: str, comparison: SplitComparison) -> Iterator[Divergence]:
    """List every measure next to what random splits of the same sizes give."""
    for measure, row in comparison.divergence.items():
        yield Divergence(split, measure, row.value, row.null_low, row.null_high, float("nan"))


def list_points(split: str, comparison: SplitComparison | None, limit: int) -> Iterator[Point]:
    """List where the items of a split lie on the plane, and which part or fold they are in."""
    if comparison is None or comparison.projection is None:
        return
    plane = comparison.projection
    for part, x, y in zip(plane.part[:limit], plane.x[:limit], plane.y[:limit], strict=True):
        yield Point(split, str(part), float(x), float(y))


def count_labels(models: OutOfFoldPredictions, splits: dict[str, Array]) -> Iterator[FoldSize]:
    """Count the labels of the held-out items of every fold."""
    for split, folds in splits.items():
        for fold in sorted(set(folds.tolist()) - {0}):
            counts = np.bincount(models.codes[folds == fold], minlength=len(models.label_names)).tolist()
            for label, count in zip(models.label_names, counts, strict=True):
                if count:
                    yield FoldSize(split, fold, label, count)


def find_fold_words(models: OutOfFoldPredictions, corpus: Corpus, splits: dict[str, Array]) -> Iterator[FoldWord]:
    """Find the words tied to each fold beyond chance, by the test that ties words to labels.

    The clusters come first, random folds last.
    """
    for split in sorted(splits, key=lambda name: (name != CLUSTERS) + (name == RANDOM)):
        numbers = splits[split]
        is_single = numbers.max() == 1
        folds = ("train", "test") if is_single else tuple(str(fold) for fold in range(1, int(numbers.max()) + 1))
        part = LabelledTexts(models.data.texts, corpus, numbers if is_single else numbers - 1, folds)
        words = find_label_words({None: part}, N_WORDS)
        for fold in ("test",) if is_single else folds:
            for row in words.get(fold, []):
                yield FoldWord(split, fold, row.word, row.z)
