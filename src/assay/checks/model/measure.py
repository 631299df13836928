"""Scores of the quick models of a kind of task, and how much harder splits cost them."""

from __future__ import annotations

from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.kinds import TaskKind
from assay.models.quick.results import QuickStudy
from assay.models.view import show_quick_study


def has_own_models(kind: TaskKind) -> bool:
    """Return whether a kind has quick models of its own, or says why it has none."""
    return kind.learning.has_models or bool(kind.learning.no_model)


@check(
    "model",
    QuickStudy,
    order=50,
    title="Quick models",
    question="What can a simple model learn, from how little, and what do harder splits cost it?",
    topic="shortcuts",
    weight=4.0,
    applies=has_own_models,
    views=(show_quick_study,),
)
def measure_model(benchmark: Benchmark) -> CheckOutcome:
    """Train the quick models of the kind of task under random folds, the data's own parts and harder splits."""
    return CheckOutcome(benchmark.quick_study)
