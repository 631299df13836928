"""What the folds of the audit's own splits are like: how far they differ, where they lie, which words are theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.features import LabelledTexts
from assay.features.profiling import find_label_words
from assay.models.cross_validation import N_SPLITS, RANDOM, STANDARD, OutOfFoldPredictions
from assay.splits import FoldAssignment, PartAssignment, SplitComparison, compare_splits, make_splitter
from assay.text import Corpus

if TYPE_CHECKING:
    from assay.audits.benchmark import Settings

Rows = list[dict[str, Any]]
METHOD = "sds-k-means"
CLUSTERS = f"{METHOD} folds"
MOST_POINTS = 1_000
N_WORDS = 8


def fold_charts(stress: OutOfFoldPredictions, settings: Settings) -> dict[str, Rows]:
    """Return the points of charts over all splits but the data's own: divergence, scatter, fold sizes, fold words."""
    folds = {name: one for name, one in stress.folds.items() if name != STANDARD}
    clusters = cluster_folds(stress, settings.random_state)
    if clusters is not None:
        folds[CLUSTERS] = clusters
    found = compare_splits(
        stress.data.texts.to_list(),
        {name: drawn(one) for name, one in folds.items()},
        n_permutations=settings.choose(100, 500),
        random_state=settings.random_state,
    )
    return {
        "divergence": [row for name, one in found.items() for row in divergence_rows(name, one)],
        "scatter": scatter_rows(CLUSTERS, found[CLUSTERS])[:MOST_POINTS] if CLUSTERS in found else [],
        "fold_sizes": fold_sizes(stress, stress.folds | folds),
        "fold_words": fold_words(stress, folds),
    }


def cluster_folds(stress: OutOfFoldPredictions, random_state: int) -> Array | None:
    """Draw the folds that the audit recommends, or None where the data cannot give them."""
    assert stress.data.labels is not None
    try:
        splitter = make_splitter(METHOD, n_splits=N_SPLITS, random_state=random_state)
        found = splitter.partition(stress.data.texts.to_list(), stress.data.labels.to_list())
    except AssayError:
        return None
    return found.folds if isinstance(found, FoldAssignment) else None


def drawn(folds: Array) -> FoldAssignment | PartAssignment:
    """Return fold numbers as folds; where only one is held out, as train and test."""
    if folds.max() > 1:
        return FoldAssignment(folds)
    return PartAssignment(np.where(folds > 0, "test", "train").astype(object))


def divergence_rows(split: str, found: SplitComparison) -> Rows:
    """Return every measure beside what random splits of the same sizes give."""
    ends = ("value", "null_low", "null_high")
    return [
        {"split": split, "measure": name, **{end: getattr(one, end) for end in ends}}
        for name, one in found.divergence.items()
    ]


def scatter_rows(split: str, found: SplitComparison) -> Rows:
    """Return where the rows lie on a plane, and which part or fold they are in."""
    assert found.projection is not None
    shown = (getattr(found.projection, name) for name in ("x", "y", "part"))
    return [{"split": split, "x": x, "y": y, "fold": part} for x, y, part in zip(*shown, strict=True)]


def fold_sizes(stress: OutOfFoldPredictions, splits: dict[str, Array], most: int = 12) -> Rows:
    """Count the labels of the held-out rows of every fold."""
    rows = []
    for split, folds in splits.items():
        for fold in sorted(set(folds.tolist()) - {0}):
            counts = np.bincount(stress.codes[folds == fold], minlength=len(stress.label_names)).tolist()
            named = list(zip(stress.label_names, counts, strict=True))[:most]
            rows += [{"split": split, "fold": fold, "label": label, "count": count} for label, count in named]
    return rows


def fold_words(stress: OutOfFoldPredictions, splits: dict[str, Array]) -> Rows:
    """Return the words tied to each fold beyond chance, by the test that ties words to labels.

    The clusters come first (one of them is the test side of the split of that name), random folds last.
    """
    texts = stress.data.texts
    corpus = Corpus.from_texts(texts)
    rows = []
    shown = [name for name in splits if name != METHOD or CLUSTERS not in splits]
    for split in sorted(shown, key=lambda name: (name != CLUSTERS) + (name == RANDOM)):
        folds = splits[split]
        single = folds.max() == 1
        names = ("train", "test") if single else tuple(str(fold) for fold in range(1, int(folds.max()) + 1))
        part = LabelledTexts(texts, corpus, folds if single else folds - 1, names)
        found = find_label_words({None: part}, N_WORDS)
        for fold in ("test",) if single else names:
            rows += [{"split": split, "fold": fold, "word": one.word, "z": one.z} for one in found.get(fold, [])]
    return rows
