"""The page of several tasks."""

from assay.report.suite.page import render_suite

__all__ = ["render_suite"]
