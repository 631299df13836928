"""Which systems the votes put first, and how certain that is."""

from __future__ import annotations

from assay.audits.benchmark import Benchmark
from assay.audits.sections.base import Measurement, section
from assay.base.errors import AssayError
from assay.votes import VoteRatings, rate_votes


@section("votes", VoteRatings, weight=0.5, needs="votes")
def measure_votes(benchmark: Benchmark) -> Measurement:
    """Rate the systems by the votes."""
    if benchmark.votes is None:
        raise AssayError("There are no votes.", hint="Add a table of votes between systems.")
    return Measurement(rate_votes(benchmark.votes, random_state=benchmark.settings.random_state))
