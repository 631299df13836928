"""How far the judges of answers can be trusted."""

from __future__ import annotations

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.judges import JudgeAudit, audit_judges
from assay.judges.view import list_judge_facts, show_tables


@check(
    "judges",
    JudgeAudit,
    order=120,
    title="Judges",
    question="How far can the judges of the answers be trusted?",
    topic="ranking",
    weight=0.5,
    needs="verdicts",
    tab="systems",
    views=(list_judge_facts, show_tables),
)
def measure_judges(benchmark: Benchmark) -> CheckOutcome:
    """Measure agreement, biases and corrected scores of the judges."""
    if benchmark.verdicts is None:
        raise AssayError("There are no verdicts of judges.", hint="Add a table of verdicts.")
    settings = benchmark.settings
    n_resamples = settings.choose(200, 1000)
    result = audit_judges(benchmark.verdicts, n_resamples=n_resamples, random_state=settings.random_state)
    return CheckOutcome(result)
