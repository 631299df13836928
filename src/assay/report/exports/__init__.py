"""Findings for machines that check them: text, JSON, GitHub annotations and SARIF."""

from assay.base.lazy import import_modules
from assay.report.exports.base import EXPORTS, export_suite

import_modules(__name__, __path__)

__all__ = ["EXPORTS", "export_suite"]
