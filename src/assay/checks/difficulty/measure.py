"""Which items are hard, and how systems do on those whose words do not give the answer away."""

from __future__ import annotations

import polars as pl

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.difficulty.results import DifficultyEvidence
from assay.data import Dataset
from assay.difficulty import pair_difficulty, text_difficulty
from assay.difficulty.pairs.dataset import find_similar_label
from assay.difficulty.systems.scoring import CaseAccuracy, score_outcomes
from assay.kinds import kind_of


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
    kind = kind_of(benchmark.filled)
    if not kind.gold.has_text_labels:
        raise AssayError(f"Texts are compared with texts of another label, which {kind.title} does not have.")
    return measure_pairs(benchmark) if benchmark.is_paired else measure_texts(benchmark)


def measure_pairs(benchmark: Benchmark) -> CheckOutcome:
    """Measure the divergence of pairs."""
    data, settings = benchmark.filled, benchmark.settings
    corpora = (benchmark.side_corpora[0], benchmark.side_corpora[1])
    positive = find_similar_label(data, corpora)
    result = pair_difficulty(data, positive=positive, random_state=settings.random_state, corpora=corpora)
    columns = pl.DataFrame({"divergence": result.divergence})
    evidence = DifficultyEvidence(result, score_systems(benchmark, data, result.case_names))
    return CheckOutcome(evidence, make_items(data, columns, result.case_names))


def measure_texts(benchmark: Benchmark) -> CheckOutcome:
    """Measure how close single texts are to training texts of another label."""
    settings = benchmark.settings
    sample = benchmark.draw_filled(settings.choose(20_000, 100_000))
    corpus = benchmark.corpus.take(sample.rows)
    result = text_difficulty(sample.data, random_state=settings.random_state, corpus=corpus)
    columns = result.list_nearest().select(pl.Series("divergence", result.neighbours.difficulty), pl.all())
    evidence = DifficultyEvidence(result, score_systems(benchmark, sample.data, result.case_names))
    return CheckOutcome(evidence, make_items(sample.data, columns, result.case_names))


def make_items(data: Dataset, columns: pl.DataFrame, cases: list[str]) -> pl.DataFrame:
    """Return one row per item: id, what was measured, and the case."""
    frame = columns.select(data.ids.alias("id"), pl.all(), pl.Series("case", cases, dtype=pl.String).replace("", None))
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))


def score_systems(benchmark: Benchmark, data: Dataset, cases: list[str]) -> tuple[CaseAccuracy, ...]:
    """Return each system's accuracy on obvious and on non-obvious items."""
    predictions = benchmark.predictions
    if predictions is None:
        return ()
    case_of = dict(zip(data.ids.to_list(), cases, strict=True))
    predicted = [case_of.get(str(id_), "") for id_ in predictions.ids]
    return tuple(score_outcomes(predicted, dict(zip(predictions.names, predictions.outcomes(), strict=True))))
