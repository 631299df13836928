"""Measure how far apart the parts of a split are, and the same for random splits of the same sizes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.parameters import Options
from assay.splits.comparison.compared_texts import ComparedTexts
from assay.splits.comparison.domain_classifier import compute_a_distance, measure_domain_accuracy
from assay.splits.comparison.pairs import PartPairs
from assay.splits.comparison.vector_distances import MeanDiscrepancy, SlicedWasserstein, weigh_rows
from assay.splits.comparison.word_divergences import measure_words
from assay.tasks import run_tasks
from assay.tasks.threads import use_one_thread

MAX_VECTORS = 20_000
PERMUTATIONS_PER_TASK = 10
MAX_CELLS = 1 << 22  # permutations × pairs × rows held at a time
MEASURES = {
    "oov": "words unseen in training",
    "jsd": "word distributions (JSD)",
    "overlap": "shared vocabulary",
    "wasserstein": "text vectors (Wasserstein)",
    "mmd": "text vectors (MMD)",
    "a_distance": "domain classifier (A-distance)",
}
MeasureValues = dict[str, Array]


@dataclass(frozen=True, eq=False)
class PairMeasurer:
    """The measures on words and vectors that were requested, ready to be applied to any pairs of the same rows."""

    counts: Any
    rows: Array
    sliced: SlicedWasserstein | None
    discrepancy: MeanDiscrepancy | None

    @classmethod
    def prepare(cls, texts: ComparedTexts, pairs: PartPairs, include: Collection[str]) -> PairMeasurer:
        """Prepare the measures named in `include`: words, vectors."""
        counts = texts.counts if "words" in include else None
        if "vectors" not in include:
            return cls(counts, np.zeros(0, np.int64), None, None)
        rng = np.random.default_rng(texts.random_state)
        rows = choose_rows(pairs, rng)
        key = (str(rng.bit_generator.state), rows.tobytes())  # splits that use all rows share both
        if key not in texts.prepared:
            vectors = texts.vectors[rows]
            texts.prepared[key] = SlicedWasserstein.prepare(vectors, rng), MeanDiscrepancy.prepare(vectors, rng)
        return cls(counts, rows, *texts.prepared[key])

    def measure(self, pairs: PartPairs) -> MeasureValues:
        """Return one value per pair for each measure."""
        values = {} if self.counts is None else measure_words(self.counts, pairs)
        if self.sliced is not None and self.discrepancy is not None:
            weights = weigh_rows(pairs.take(self.rows))
            values |= {"wasserstein": self.sliced.measure(weights), "mmd": self.discrepancy.measure(weights)}
        return values


def measure_pairs(
    texts: ComparedTexts,
    pairs: PartPairs,
    include: Collection[str],
    n_permutations: int,
    n_jobs: int = 1,
    backend: str | None = None,
) -> tuple[MeasureValues, MeasureValues]:
    """Measure every pair (values: one per pair) and random ones of the same sizes (nulls: permutations × pairs).

    `include` names the measures: words, vectors, domain. The domain classifier has the key `accuracy` too.
    """
    work: dict[str, Any] = {"n_jobs": n_jobs, "backend": backend or "threads"}
    values, nulls = _measure_words_and_vectors(texts, pairs, include, n_permutations, work)
    if "domain" in include:
        values["accuracy"], nulls["accuracy"] = _measure_domains(texts, pairs, n_permutations, work)
        for measured in (values, nulls):
            measured["a_distance"] = compute_a_distance(measured["accuracy"])
    return values, nulls


def _measure_words_and_vectors(
    texts: ComparedTexts, pairs: PartPairs, include: Collection[str], n_permutations: int, work: Options
) -> tuple[MeasureValues, MeasureValues]:
    measurer = PairMeasurer.prepare(texts, pairs, include)
    values = measurer.measure(pairs)
    if not values:
        return {}, {}
    arranged, places = pairs.arrange()
    key = (*values, n_permutations, *(rows.tobytes() for rows in (arranged.parts, arranged.references, measurer.rows)))
    if key not in texts.prepared:  # splits of the same sizes share their random splits
        numbers = range(n_permutations)
        blocks = [numbers[start : start + PERMUTATIONS_PER_TASK] for start in numbers[::PERMUTATIONS_PER_TASK]]
        tasks = [(measurer, arranged, texts.random_state, block) for block in blocks]
        texts.prepared[key] = [
            measured for block in run_tasks(measure_permutations, tasks, **work) for measured in block
        ]
    permuted, shape = texts.prepared[key], (n_permutations, len(pairs.names))
    nulls = {name: np.array([measured[name] for measured in permuted]).reshape(shape) for name in values}
    return values, {name: null[:, places] for name, null in nulls.items()}


def _measure_domains(texts: ComparedTexts, pairs: PartPairs, n_permutations: int, work: Options) -> tuple[Array, Array]:
    tasks = [
        (texts.vectors, part, reference, [texts.random_state, 1, number], n_permutations)
        for number, (part, reference) in enumerate(zip(pairs.parts, pairs.references, strict=True))
    ]
    accuracies = run_tasks(measure_domain, tasks, **work)
    return np.array([value for value, _ in accuracies]), np.array([null for _, null in accuracies]).T


def measure_permutations(
    measurer: PairMeasurer, pairs: PartPairs, random_state: int, numbers: range
) -> list[MeasureValues]:
    """Measure random pairs of the same sizes, one per number; each has a seed of its own."""
    step = max(1, MAX_CELLS // max(1, pairs.parts.size))
    measured: list[MeasureValues] = []
    with use_one_thread():
        for first in range(0, len(numbers), step):
            drawn = [
                pairs.permute(np.random.default_rng([random_state, number])) for number in numbers[first : first + step]
            ]
            values = measurer.measure(PartPairs.stack(drawn))
            cuts = np.arange(1, len(drawn)) * len(pairs.names)
            by_name = {name: np.split(value, cuts) for name, value in values.items()}
            measured += [{name: value[number] for name, value in by_name.items()} for number in range(len(drawn))]
    return measured


def measure_domain(
    vectors: Array, part: Array, reference: Array, seed: list[int], n_permutations: int
) -> tuple[float, Array]:
    """Run the domain classifier on one pair."""
    with use_one_thread():
        return measure_domain_accuracy(vectors, part, reference, np.random.default_rng(seed), n_permutations)


def choose_rows(pairs: PartPairs, rng: np.random.Generator) -> Array:
    """Choose the rows whose vectors are compared: all, or at most about 20,000, as many of each part."""
    used = (pairs.parts | pairs.references).any(axis=0)
    if used.sum() <= MAX_VECTORS:
        return np.flatnonzero(used)
    kinds = np.unique(pairs.parts, axis=1, return_inverse=True)[1].ravel()
    limit = max(200, MAX_VECTORS // len(np.unique(kinds[used])))
    chosen = [rng.permutation(np.flatnonzero((kinds == kind) & used))[:limit] for kind in np.unique(kinds[used])]
    return np.sort(np.concatenate(chosen))
