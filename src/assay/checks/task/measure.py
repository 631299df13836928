"""What only this kind of task has: figures, defects, copied texts across parts, and trivial baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from assay.base.arrays import Array
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.checks.profile.measure import first_ids, part_names, tested_parts
from assay.checks.task.results import (
    TaskDefect,
    TaskEvidence,
    TaskFigure,
    TextOverlap,
    TrivialBaseline,
    ValueCount,
)
from assay.evaluation import Baseline, score_trivial_baselines
from assay.kinds import KindProfile, TaskKind, kind_of
from assay.statistics import Interval
from assay.text import Corpus, exact_duplicates
from assay.views.values import ItemCount

MIN_WORDS = 8  # of a text whose copies count: short questions recur without being copied
MAX_SCORED = (3_000, 20_000)  # items that baselines answer, in a quick and in a full audit


def has_facts(kind: TaskKind) -> bool:
    """Return whether a kind has anything to say in this section."""
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
    profile = kind.texts.describe_items(data)
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
        figures=tuple(TaskFigure(figure.name, figure.value, figure.is_share) for figure in profile.figures),
        counts=tuple(list_counts(profile)),
        defects=tuple(
            TaskDefect(row.name, row.description, row.action, ItemCount(row.count, row.n, row.ids), row.serious)
            for row in profile.defects
        ),
        baselines=tuple(describe_baseline(row) for row in baselines),
        overlaps=tuple(find_text_overlaps(benchmark, kind)),
    )
    return CheckOutcome(evidence)


def list_counts(profile: KindProfile) -> Iterator[ValueCount]:
    """List the distributions, one value after the other."""
    for table in profile.distributions:
        for value, count in table.counts.items():
            yield ValueCount(table.name, value, count, table.expected.get(value, math.nan))


def describe_baseline(row: Baseline) -> TrivialBaseline:
    """Return the score of a baseline with its interval."""
    score = Interval(row.value, row.low, row.high, method="effective-wilson")
    return TrivialBaseline(row.baseline, row.shortcut, score, row.n or 0, row.based_on)


def find_text_overlaps(benchmark: Benchmark, kind: TaskKind) -> Iterator[TextOverlap]:
    """Count items of which a text other than the whole is in the reference part, where the whole item is not."""
    data = benchmark.filled
    reference = benchmark.reference_part
    if reference is None:
        return
    parts = part_names(data)
    train = parts == reference
    whole = find_copies(benchmark.exact_groups, train)
    for name, texts in list(kind.texts.leak_texts(data).items())[1:]:
        long = np.asarray(Corpus.from_texts(texts).lengths) >= MIN_WORDS
        copied = find_copies(exact_duplicates(texts), train) & long & ~whole
        for part in tested_parts(benchmark):
            rows = np.flatnonzero(copied & (parts == part))
            yield TextOverlap(
                name, part, reference, ItemCount(len(rows), int((parts == part).sum()), first_ids(data, rows))
            )


def find_copies(groups: Array, train: Array) -> Array:
    """Mark the rows outside training whose group has a row in training."""
    return np.asarray(np.isin(groups, groups[train]) & ~train)
