"""The check of the kind of task: figures, defects, copied texts across parts, and trivial baselines."""

from __future__ import annotations

import math

from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.task.results import TaskEvidence
from assay.evaluation import score_trivial_baselines
from assay.features.profiling.overlaps import find_text_overlaps
from assay.kinds import TaskKind, kind_of

MAX_SCORED = (3_000, 20_000)  # items that baselines answer, in a quick and in a full audit


def has_facts(kind: TaskKind) -> bool:
    """Return True if a kind has anything to say in this section."""
    return kind.has_facts


@check(
    "task",
    TaskEvidence,
    order=30,
    title="Kind of task",
    question="Can items be answered without the question, and are they sound?",
    topic="shortcuts",
    weight=1.0,
    applies=has_facts,
)
def measure_task(benchmark: Benchmark) -> CheckOutcome:
    """Describe the items in the terms of their kind, and score its trivial baselines on the tested part."""
    data, kind, settings = benchmark.filled, kind_of(benchmark.data), benchmark.settings
    sample = benchmark.draw_filled(settings.choose(*MAX_SCORED)).data
    metric = kind.scoring.baseline_metric or None
    baselines = score_trivial_baselines(sample, metric, random_state=settings.random_state)
    chances = kind.gold.get_chances(sample)
    evidence = TaskEvidence(
        title=kind.title,
        item_noun=kind.item_noun,
        n_items=len(data),
        metric=baselines[0].metric if baselines else kind.scoring.headline,
        chance=math.nan if chances is None or not len(chances) else float(chances.mean()),
        facts=kind.texts.describe_items(data),
        baselines=tuple(baselines),
        overlaps=tuple(find_text_overlaps(data, benchmark.exact_groups)),
    )
    return CheckOutcome(evidence)
