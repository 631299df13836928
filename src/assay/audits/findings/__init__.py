"""The findings of an audit, grouped by topic; each rule registers itself under its code."""

from assay.audits.findings.base import FINDINGS, SEVERITIES, Finding, NotChecked, rule, sort_findings
from assay.base.lazy import import_modules

import_modules(__name__, __path__)

__all__ = ["FINDINGS", "SEVERITIES", "Finding", "NotChecked", "rule", "sort_findings"]
