"""Audits: what to run on the input at hand, what was found, and what to do with each item."""

from assay.audits.audit import Audit, audit
from assay.audits.finding import SEVERITIES, Finding
from assay.audits.findings import FINDINGS
from assay.audits.section import Section
from assay.audits.sections import SECTIONS

__all__ = ["FINDINGS", "SECTIONS", "SEVERITIES", "Audit", "Finding", "Section", "audit"]
