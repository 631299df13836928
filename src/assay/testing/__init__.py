"""Benchmarks as tests: fail where an audit has findings that are too serious."""

from assay.testing.assertions import assert_benchmark

__all__ = ["assert_benchmark"]
