"""Audits: measure what applies to a benchmark, draw conclusions, and propose what to do with each item."""

from assay.audits.compare import AuditComparison, compare_audits, diff
from assay.audits.items import ItemRow
from assay.audits.overview import FirstAction, Overview, OverviewRow
from assay.audits.result import Audit, Section
from assay.audits.run import audit, make_private
from assay.audits.settings import AuditOptions
from assay.audits.suite import SuiteAudit, audit_suite
from assay.base.lazy import name_function
from assay.checks import CHECKS
from assay.checks.findings import FINDINGS, SEVERITIES, Finding

__all__ = [
    "CHECKS",
    "FINDINGS",
    "SEVERITIES",
    "Audit",
    "AuditComparison",
    "AuditOptions",
    "Finding",
    "FirstAction",
    "ItemRow",
    "Overview",
    "OverviewRow",
    "Section",
    "SuiteAudit",
    "audit",
    "audit_suite",
    "compare_audits",
    "diff",
    "make_private",
]

name_function(__name__, "audit")
