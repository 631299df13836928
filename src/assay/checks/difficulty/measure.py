"""Which items are hard, and how systems do on those whose words do not give the answer away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.difficulty.results import CaseCounts, CloserToOther, DifficultyEvidence, PartCases, SystemOnCases
from assay.data import Dataset
from assay.difficulty import (
    PairDifficulty,
    TextDifficulty,
    jensen_shannon,
    pair_difficulty,
    text_difficulty,
    usual_positive,
)
from assay.kinds import kind_of
from assay.statistics import Interval, wilson
from assay.text import Corpus
from assay.views.values import Bin

MAX_LABELS = 200  # charts sum the rare ones
CASES = ("obvious", "non-obvious")


@check(
    "difficulty",
    DifficultyEvidence,
    order=60,
    title="Difficulty",
    question="Do the words of an item give its label away, and do systems depend on that?",
    topic="difficulty",
    weight=1.0,
)
def measure_difficulty(benchmark: Benchmark) -> CheckOutcome:
    """Measure the divergence of pairs, or how close single texts are to training texts of another label."""
    data, settings = benchmark.filled, benchmark.settings
    kind = kind_of(data)
    if not kind.gold.has_text_labels:
        raise AssayError(f"Texts are compared with texts of another label, which {kind.title} does not have.")
    if benchmark.is_paired:
        corpora = (benchmark.side_corpora[0], benchmark.side_corpora[1])
        positive = find_similar_label(data, corpora)
        result = pair_difficulty(data, positive=positive, random_state=settings.random_state, corpora=corpora)
        cases = name_cases([str(name)[1:] for name in ([] if result.cases is None else result.cases.cases)], len(data))
        evidence = describe_pairs(result, score_systems(benchmark, data, cases))
        items: dict[str, Any] = {"divergence": result.divergence}
    else:
        sample = benchmark.draw_filled(settings.choose(20_000, 100_000))
        data = sample.data
        texts = text_difficulty(data, random_state=settings.random_state, corpus=benchmark.corpus.take(sample.rows))
        cases = name_cases([str(name) for name in texts.cases], len(data))
        evidence = describe_texts(texts, score_systems(benchmark, data, cases))
        near = texts.neighbours
        distance = np.fmin(near.same, near.other)
        rows = np.where(
            near.same <= np.where(np.isnan(near.other), np.inf, near.other), near.nearest_same, near.nearest_other
        )
        nearest = pl.Series([data.ids[row] if row >= 0 else None for row in rows.tolist()], dtype=pl.String)
        items = {"divergence": near.difficulty, "nearest_distance": distance, "nearest": nearest}
    case = pl.Series(cases.tolist(), dtype=pl.String).replace({"": None})
    frame = pl.DataFrame({"id": data.ids, **items, "case": case}).with_columns(pl.col(pl.Float64).fill_nan(None))
    return CheckOutcome(evidence, frame)


def find_similar_label(data: Dataset, corpora: tuple[Corpus, Corpus]) -> str | None:
    """Return the label to take as positive if there are two and neither has a usual name, else None.

    It is the one whose pairs share more words, as pairs with the same meaning do.
    """
    names = data.label_names
    if len(names) != 2 or usual_positive(names) is not None or data.labels is None:
        return None
    divergence = jensen_shannon(*corpora)
    means = []
    for name in names:
        values = divergence[(data.labels == name).fill_null(value=False).to_numpy()]
        known = values[~np.isnan(values)]
        means.append(float(np.mean(known)) if len(known) else 2.0)
    return names[int(np.argmin(means))]


def name_cases(codes: list[str], n: int) -> Array:
    """Return obvious, non-obvious or "" for every item."""
    names = {"o": "obvious", "n": "non-obvious"}
    return np.array([names.get(code, "") for code in codes] or [""] * n, dtype=object)


def describe_pairs(result: PairDifficulty, systems: tuple[SystemOnCases, ...]) -> DifficultyEvidence:
    """Return the evidence about pairs."""
    defined = result.counts is not None
    return DifficultyEvidence(
        measure=result.measure,
        n_items=result.n_items,
        n_undefined=result.n_undefined,
        median=result.median,
        histogram=tuple(list_bins(result)),
        obvious=Interval(result.obvious_share, result.low, result.high, method="wilson") if defined else None,
        positive=result.positive,
        counts=None if result.counts is None else count_cases(result.counts),
        by_part=tuple(PartCases(part, count_cases(cases.counts)) for part, cases in result.by_part.items()),
        systems=systems,
        notes=result.notes,
    )


def count_cases(counts: Mapping[str, int]) -> CaseCounts:
    """Return the counts of the four cases."""
    return CaseCounts(counts["Po"], counts["Pn"], counts["No"], counts["Nn"])


def describe_texts(result: TextDifficulty, systems: tuple[SystemOnCases, ...]) -> DifficultyEvidence:
    """Return the evidence about single texts."""
    closer = []
    for name, share in result.contrary_by_label.items():
        closer.append(CloserToOther("label", name, share, sum(result.distribution_by_label[name].histogram)))
    for name, share in result.contrary_by_part.items():
        closer.append(CloserToOther("part", name, share, sum(result.distribution_by_part[name].histogram)))
    return DifficultyEvidence(
        measure=result.measure,
        n_items=result.n_items,
        n_undefined=result.n_undefined,
        median=result.median,
        histogram=tuple(list_bins(result)),
        closer_to_other=result.contrary_share,
        closer_by=tuple(closer),
        systems=systems,
        notes=result.notes,
    )


def list_bins(result: PairDifficulty | TextDifficulty) -> Iterator[Bin]:
    """List the histogram of divergence, by label if there are few."""
    distributions: dict[str, Any] = result.distribution_by_label or {"": result.distribution}
    for label, distribution in list(distributions.items())[:MAX_LABELS]:
        edges = distribution.edges
        for low, high, count in zip(edges[:-1], edges[1:], distribution.histogram, strict=True):
            yield Bin(label, low, high, count)


def score_systems(benchmark: Benchmark, data: Dataset, cases: Array) -> tuple[SystemOnCases, ...]:
    """Return each system's accuracy on obvious and on non-obvious items, with Wilson intervals."""
    predictions = benchmark.predictions
    if predictions is None:
        return ()
    case_of = dict(zip(data.ids.to_list(), cases.tolist(), strict=True))
    predicted = np.array([case_of.get(str(id_), "") for id_ in predictions.ids], dtype=object)
    rows = []
    for system, outcome in zip(predictions.names, predictions.outcomes(), strict=True):
        for case in CASES:
            right = outcome[(predicted == case) & np.isfinite(outcome)]
            if len(right) and np.isin(right, (0.0, 1.0)).all():
                share = wilson(float(right.sum()), len(right))
                ends = (share.value, share.low, share.high)
                rows.append(SystemOnCases(system, "obvious" if case == "obvious" else "non-obvious", *ends, len(right)))
    return tuple(rows)
