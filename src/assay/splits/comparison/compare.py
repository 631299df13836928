"""How the parts of one or several splits of a dataset differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.results import Result
from assay.splits.base import Assignment, Parts, vectors
from assay.splits.comparison.cuts import Cuts, cuts_of, members_of
from assay.splits.comparison.divergence import Divergence, against_null
from assay.splits.comparison.domain import a_distance, domain_accuracy
from assay.splits.comparison.leaks import Leaks, leaks_across
from assay.splits.comparison.portrait import Portrait, label_shares, spread
from assay.splits.comparison.projection import plane, shown_rows
from assay.splits.comparison.typical import typical_words
from assay.splits.comparison.vectors import MeanDiscrepancy, SlicedWasserstein
from assay.splits.comparison.words import side_counts, word_divergences

N_VECTORS = 20_000
MEASURES = ("oov", "jsd", "overlap", "wasserstein", "mmd", "a_distance")


@dataclass(frozen=True)
class SplitComparison(Result):
    """How the parts of one split differ: the mean over its comparisons, then each part, duplicates, and a plane.

    A fold is compared with all other folds, dev and test with train.
    """

    divergence: dict[str, Divergence]
    domain_accuracy: float
    within_variance: float
    leaks: Leaks
    parts: dict[str, Portrait]
    n_rows: int
    n_unused: int
    n_repeats: int
    projection: dict[str, Any] = field(repr=False, compare=False)


class Material:
    """What all splits of one dataset are measured on, made once: words, vectors, duplicates, plane."""

    def __init__(
        self, texts: Sequence[str], ids: Any, labels: Any, encoder: Any, tokenizer: str, random_state: int
    ) -> None:
        from assay.text import Corpus, exact_duplicates, near_duplicates

        texts = list(texts)
        corpus = Corpus.from_texts(texts, tokenizer)
        self.counts, self.lengths, self.vocabulary = (
            corpus.counts(),
            np.asarray(corpus.lengths),
            list(corpus.vocabulary),
        )
        encoded = vectors(texts, encoder, random_state)
        self.vectors = np.asarray(encoded.toarray() if hasattr(encoded, "toarray") else encoded, dtype=np.float64)
        self.exact, self.near = exact_duplicates(texts), near_duplicates(texts)
        self.ids = [str(row) for row in range(len(texts))] if ids is None else list(ids)
        self.labels = None if labels is None else np.array(list(labels), dtype=object)
        self.label_names = sorted({label for label in labels if label is not None}) if labels is not None else []
        self.plane = plane(self.vectors)
        self.random_state = random_state


def compare(
    texts: Sequence[str],
    splits: Mapping[str, Assignment | Parts | Sequence[Assignment | Parts]],
    labels: Any = None,
    *,
    ids: Sequence[str] | None = None,
    encoder: Any = "tfidf",
    tokenizer: str = "words",
    n_permutations: int = 100,
    random_state: int = 0,
) -> dict[str, SplitComparison]:
    """Compare the parts of splits of the same texts, each beside random splits of the same sizes.

    `splits` maps names to what `partition` returns, or to a list of repeats. Random splits move single rows: where
    the split keeps groups whole, the null is narrower than random splits by group would be.
    """
    material = Material(texts, ids, labels, encoder, tokenizer, random_state)
    return {
        name: _compared(material, [draws] if isinstance(draws, (Assignment, Parts)) else list(draws), n_permutations)
        for name, draws in splits.items()
    }


def _compared(material: Material, draws: list[Assignment | Parts], n_permutations: int) -> SplitComparison:
    cuts, members = cuts_of(draws), members_of(draws)
    values, nulls = divergences(material, cuts, n_permutations)
    headline = _headline(cuts)
    used = np.any(list(members.values()), axis=0)
    parts = {name: _portrait(material, rows, used, values, nulls, cuts, name) for name, rows in members.items()}
    sizes = np.array([part.n for part in parts.values()])
    means = {name: _beside(name, values[name][headline], nulls[name][:, headline]) for name in MEASURES}
    return SplitComparison(
        divergence=means,
        domain_accuracy=_mean(values["accuracy"][headline]),
        within_variance=float(np.dot(sizes, [part.within_variance for part in parts.values()]) / sizes.sum()),
        leaks=leaks_across(
            Cuts([], cuts.here[headline], cuts.there[headline]), material.exact, material.near, material.ids
        ),
        parts=parts,
        n_rows=len(used),
        n_unused=int((~used).sum()),
        n_repeats=len(draws),
        projection=_projection(material, members),
    )


def _headline(cuts: Cuts) -> np.ndarray:
    """Return the comparisons the summary rests on: test where there is one, else dev; every fold."""
    kinds = np.array([name.split(" ")[0] for name in cuts.names])
    return np.flatnonzero(kinds == "test") if "test" in kinds else np.arange(len(kinds))


def divergences(material: Material, cuts: Cuts, n: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Measure every cut (values: one a cut) and random ones of the same sizes (nulls: permutations × cuts)."""
    rng = np.random.default_rng(material.random_state)
    rows = _bounded(cuts, rng)
    sliced, discrepancy = SlicedWasserstein(material.vectors[rows], rng), MeanDiscrepancy(material.vectors[rows], rng)

    def measured(some: Cuts) -> dict[str, np.ndarray]:
        few = some.take(rows)
        return {**word_divergences(material.counts, some), "wasserstein": sliced(few), "mmd": discrepancy(few)}

    values = measured(cuts)
    drawn = [measured(cuts.permuted(np.random.default_rng([material.random_state, k]))) for k in range(n)]
    shape = (n, len(cuts.names))
    nulls = {name: np.array([one[name] for one in drawn]).reshape(shape) for name in values}
    values["accuracy"], nulls["accuracy"] = _accuracies(material, cuts, n)
    for told in (values, nulls):
        told["a_distance"] = np.asarray(a_distance(told["accuracy"]))
    return values, nulls


def _accuracies(material: Material, cuts: Cuts, n: int) -> tuple[np.ndarray, np.ndarray]:
    found = [
        domain_accuracy(material.vectors, here, there, np.random.default_rng([material.random_state, 1, number]), n)
        for number, (here, there) in enumerate(zip(cuts.here, cuts.there, strict=True))
    ]
    return np.array([value for value, _ in found]), np.array([null for _, null in found]).T


def _bounded(cuts: Cuts, rng: np.random.Generator) -> np.ndarray:
    """Choose the rows whose vectors are compared: all, or at most about 20,000, as many of each side as there are."""
    used = (cuts.here | cuts.there).any(axis=0)
    if used.sum() <= N_VECTORS:
        return np.flatnonzero(used)
    kinds = np.unique(cuts.here, axis=1, return_inverse=True)[1].ravel()
    limit = max(200, N_VECTORS // len(np.unique(kinds[used])))
    chosen = [rng.permutation(np.flatnonzero((kinds == kind) & used))[:limit] for kind in np.unique(kinds[used])]
    return np.sort(np.concatenate(chosen))


def _portrait(
    material: Material,
    rows: np.ndarray,
    used: np.ndarray,
    values: dict[str, np.ndarray],
    nulls: dict[str, np.ndarray],
    cuts: Cuts,
    name: str,
) -> Portrait:
    lengths, labels = material.lengths[rows], material.labels
    here, total = side_counts(material.counts, np.stack([rows, used]))
    number = cuts.names.index(name) if name in cuts.names else None
    against = {}
    if number is not None:
        against = {name: _beside(name, values[name][[number]], nulls[name][:, [number]]) for name in MEASURES}
    return Portrait(
        n=len(lengths),
        share=len(lengths) / len(rows),
        labels=label_shares(labels, rows, material.label_names),
        n_unlabelled=0 if labels is None else sum(label is None for label in labels[rows]),
        length_mean=float(lengths.mean()),
        length_median=float(np.median(lengths)),
        length_min=int(lengths.min()),
        length_max=int(lengths.max()),
        n_words=int((here > 0).sum()),
        within_variance=spread(material.vectors, rows),
        typical_words=typical_words(here, total, material.vocabulary),
        against=against,
    )


def _projection(material: Material, members: dict[str, np.ndarray]) -> dict[str, Any]:
    rows = shown_rows(len(material.plane), np.random.default_rng(material.random_state))
    names = np.full(len(material.plane), "unused", dtype=object)
    for name, where in reversed(members.items()):  # the first repeat has the last word
        names[where] = name
    x, y = material.plane[rows].T
    return {"id": [material.ids[row] for row in rows], "x": x, "y": y, "part": names[rows].tolist()}


def _beside(name: str, values: np.ndarray, nulls: np.ndarray) -> Divergence:
    return against_null(_mean(values), nulls.mean(axis=1), near_is_high=name == "overlap")


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else np.nan
