"""What quick models score that are made for the kind of task, and what harder splits cost them."""

from __future__ import annotations

from assay.audits.benchmark import Benchmark
from assay.audits.sections.base import Measurement, section
from assay.kinds import TaskKind
from assay.models.quick import QuickStudy


def has_own_models(kind: TaskKind) -> bool:
    """Tell whether a kind has quick models of its own, or says why it has none."""
    return kind.has_models or bool(kind.no_model)


@section("model", QuickStudy, weight=4.0, applies=has_own_models)
def measure_model(benchmark: Benchmark) -> Measurement:
    """Train the quick models of the kind of task under random folds, the data's own parts and harder splits."""
    return Measurement(benchmark.quick_study)
