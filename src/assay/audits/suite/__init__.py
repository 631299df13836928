"""Audits of several tasks at once: an overview of all, and the audit of each."""

from assay.audits.suite.results import SuiteAudit
from assay.audits.suite.run import audit_suite

__all__ = ["SuiteAudit", "audit_suite"]
