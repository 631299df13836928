"""How far the judges of answers can be trusted."""

from __future__ import annotations

from assay.audits.benchmark import Benchmark
from assay.audits.sections.base import Measurement, section
from assay.base.errors import AssayError
from assay.judges import JudgeAudit, audit_judges


@section("judges", JudgeAudit, weight=0.5, needs="verdicts")
def measure_judges(benchmark: Benchmark) -> Measurement:
    """Measure agreement, biases and corrected scores of the judges."""
    if benchmark.verdicts is None:
        raise AssayError("There are no verdicts of judges.", hint="Add a table of verdicts.")
    settings = benchmark.settings
    n_resamples = settings.choose(200, 1000)
    result = audit_judges(benchmark.verdicts, n_resamples=n_resamples, random_state=settings.random_state)
    return Measurement(result)
