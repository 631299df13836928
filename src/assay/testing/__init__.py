"""Benchmarks and systems as tests: fail if an audit has serious findings, or a system is not shown to be good enough."""

from assay.testing.assertions import assert_benchmark, assert_better, assert_not_worse

__all__ = ["assert_benchmark", "assert_better", "assert_not_worse"]
