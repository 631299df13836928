"""Which items are in the training corpus."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.contamination.results import ContaminatedPart, ContaminationEvidence
from assay.contamination import Contamination, find_contamination
from assay.views.values import MAX_IDS, ItemCount

MAX_HITS = 100
MIN_ANSWER_OVERLAP = 0.5


@check(
    "contamination",
    ContaminationEvidence,
    order=20,
    title="Contamination",
    question="Which items are in the training corpus?",
    topic="leakage",
    weight=1.0,
    needs="corpus",
)
def measure_contamination(benchmark: Benchmark) -> CheckOutcome:
    """Search the corpus for questions and answers of all items."""
    if benchmark.training_corpus is None:
        raise AssayError("There is no corpus to search.", hint="Name its files with {corpus}.")
    settings = benchmark.settings
    result = find_contamination(
        benchmark.data,
        benchmark.training_corpus,
        n_jobs=settings.n_jobs,
        backend=settings.backend,
        cache=settings.cache,
    )
    evidence = ContaminationEvidence(
        parts=count_by_part(benchmark, result),
        n_items=len(benchmark.data),
        n_checked=result.items,
        documents=result.documents,
        bytes=result.bytes,
        sources=result.sources,
        hits=result.hits[:MAX_HITS],
        notes=result.notes,
    )
    return CheckOutcome(evidence, list_scores(benchmark, result))


def count_by_part(benchmark: Benchmark, result: Contamination) -> tuple[ContaminatedPart, ...]:
    """Count the items found in every part that is tested on."""
    found = {hit.id for hit in result.hits}
    answered = {hit.id for hit in result.hits if hit.answer_overlap >= MIN_ANSWER_OVERLAP}
    skipped = set(result.unchecked)
    return tuple(
        ContaminatedPart(name, count_items(ids, found, skipped), count_items(ids, answered, skipped))
        for name, ids in list_tested_ids(benchmark).items()
    )


def list_tested_ids(benchmark: Benchmark) -> dict[str, pl.Series]:
    """Return the ids of every part but the one that systems learn from; all ids if there are no parts."""
    ids, parts = benchmark.data.ids, benchmark.data.parts
    if parts is None:
        return {"": ids}
    names = [name for name in benchmark.data.part_names if name != benchmark.reference_part]
    return {name: ids.filter((parts == name).fill_null(value=False)) for name in names}


def count_items(ids: pl.Series, found: Collection[str], skipped: Collection[str]) -> ItemCount:
    """Count the items of a part that were found, of those that could be checked."""
    rows = [item for item in ids if item in found]
    return ItemCount(len(rows), len(ids) - sum(item in skipped for item in ids), tuple(rows[:MAX_IDS]))


def list_scores(benchmark: Benchmark, result: Contamination) -> pl.DataFrame:
    """Return the score of every tested item that was found."""
    tested = {item for ids in list_tested_ids(benchmark).values() for item in ids}
    rows = [(hit.id, hit.score) for hit in result.hits if hit.id in tested]
    return pl.DataFrame(rows, schema={"id": pl.String, "contamination": pl.Float64}, orient="row")
