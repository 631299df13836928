"""Does an audit pass: which findings make a check fail."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import unknown_name
from assay.checks.findings import FINDINGS, SEVERITIES, Finding


def validate_fail_on(conditions: Sequence[str]) -> None:
    """Refuse words that are neither a severity nor a code."""
    for condition in conditions:
        if condition not in SEVERITIES and condition.upper() not in FINDINGS:
            raise unknown_name("severity or finding", condition, [*SEVERITIES, *FINDINGS])


def has_failed(findings: Sequence[Finding], conditions: Sequence[str]) -> bool:
    """Return whether a finding is at least as serious as a given severity, or has a given code."""
    return bool(select_failing(findings, conditions))


def select_failing(findings: Sequence[Finding], conditions: Sequence[str]) -> list[Finding]:
    """Return the findings that are at least as serious as a given severity, or have a given code."""
    validate_fail_on(conditions)
    severities = [list(SEVERITIES).index(condition) for condition in conditions if condition in SEVERITIES]
    codes = {condition.upper() for condition in conditions if condition not in SEVERITIES}
    limit = max(severities, default=-1)
    return [finding for finding in findings if SEVERITIES.index(finding.severity) <= limit or finding.code in codes]
