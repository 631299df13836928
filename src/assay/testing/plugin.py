"""The pytest plugin: the fixture `assay`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from assay.base.arrays import Values

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.decisions import Decision


class BenchmarkTester:
    """Audit benchmarks in tests; the same call is audited once per session."""

    def __init__(self) -> None:
        self._audits: dict[str, Audit] = {}

    def audit(self, data: Values, **options: Any) -> Audit:
        """Audit a benchmark; audits of files are kept for the other tests of the session."""
        from pathlib import Path

        from assay.audits import audit

        if not isinstance(data, str | Path):
            return audit(data, **options)
        key = repr((str(data), sorted(options.items())))
        if key not in self._audits:
            self._audits[key] = audit(data, **options)
        return self._audits[key]

    def assert_benchmark(self, data: Values, *, fail_on: str | Sequence[str] = "error", **options: Any) -> Audit:
        """Audit a benchmark, fail the test if it has findings of `fail_on`, and return the audit."""
        __tracebackhide__ = True
        from assay.audits.failing import validate_fail_on
        from assay.testing.assertions import assert_audit, list_conditions

        validate_fail_on(list_conditions(fail_on))
        result = self.audit(data, **options)
        try:
            assert_audit(result, fail_on)
        except AssertionError as error:
            pytest.fail(str(error), pytrace=False)
        return result

    def assert_not_worse(self, data: Values | None = None, *values: Values, **options: Any) -> Decision:
        """Fail the test unless a candidate is shown to be not worse than a baseline, and return the decision."""
        __tracebackhide__ = True
        return _decide("not-worse", data, *values, **options)

    def assert_better(self, data: Values | None = None, *values: Values, **options: Any) -> Decision:
        """Fail the test unless a candidate is shown to be better than a baseline, and return the decision."""
        __tracebackhide__ = True
        return _decide("better", data, *values, **options)


def _decide(
    require: str, data: Values | None, *values: Values, allow_undecided: bool = False, **options: Any
) -> Decision:
    __tracebackhide__ = True
    from assay.testing.assertions import assert_decision

    try:
        return assert_decision(require, allow_undecided, data, *values, **options)
    except AssertionError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def assay() -> BenchmarkTester:
    """Audit benchmarks (`assay.assert_benchmark`, `assay.audit`) and compare systems (`assay.assert_not_worse`)."""
    return BenchmarkTester()
