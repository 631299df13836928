"""Which items are in the training corpus."""

from __future__ import annotations

import math
from dataclasses import replace

import polars as pl

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.contamination import Contamination, find_contamination
from assay.contamination.items import list_tested_ids
from assay.contamination.view import show_contamination
from assay.views.values import MAX_IDS

MAX_HITS = 100


@check(
    "contamination",
    Contamination,
    order=20,
    title="Contamination",
    question="Which items are in the training corpus?",
    topic="leakage",
    weight=1.0,
    needs="corpus",
    views=(show_contamination,),
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
    short = replace(result, hits=result.hits[:MAX_HITS], unchecked=result.unchecked[:MAX_IDS], seconds=math.nan)
    return CheckOutcome(short, list_scores(benchmark, result))


def list_scores(benchmark: Benchmark, result: Contamination) -> pl.DataFrame:
    """Return the score of every tested item that was found."""
    tested = {item for ids in list_tested_ids(benchmark.data).values() for item in ids}
    rows = [(hit.id, hit.score) for hit in result.hits if hit.id in tested]
    return pl.DataFrame(rows, schema={"id": pl.String, "contamination": pl.Float64}, orient="row")
