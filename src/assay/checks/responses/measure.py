"""The check of responses and their scores."""

from __future__ import annotations

from assay.base.errors import AssayError
from assay.checks.base import CheckOutcome, check
from assay.checks.benchmark import Benchmark
from assay.responses import ResponseAudit, audit_responses
from assay.responses.view import show_agents, show_ranks, show_systems


@check(
    "responses",
    ResponseAudit,
    order=115,
    title="Responses",
    question="Where are points lost between a response and its score?",
    topic="ranking",
    weight=0.5,
    needs="responses",
    tab="systems",
    views=(show_systems, show_ranks, show_agents),
)
def measure_responses(benchmark: Benchmark) -> CheckOutcome:
    """Read every response, of a table or of the logs that the data comes from."""
    if benchmark.responses is None and benchmark.data.logs is None:
        raise AssayError("There are no responses.", hint="Add a table of responses, or audit the logs.")
    return CheckOutcome(audit_responses(benchmark.data, benchmark.responses))
