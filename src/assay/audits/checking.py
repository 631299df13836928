"""Does an audit pass: which findings let a check fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.audits.finding import SEVERITIES
from assay.audits.findings import FINDINGS
from assay.base.errors import unknown_name


def check_fail_on(wanted: Sequence[str]) -> None:
    """Refuse what is neither a severity nor a code."""
    for one in wanted:
        if one not in SEVERITIES and one.upper() not in FINDINGS:
            raise unknown_name("severity or finding", one, [*SEVERITIES, *FINDINGS])


def fails(findings: Sequence[dict[str, Any]], wanted: Sequence[str]) -> bool:
    """Tell whether a finding is at least as grave as a severity asked for, or has a code asked for.

    >>> fails([{"code": "A101", "severity": "error"}], ["warning"]), fails([], ["error"])
    (True, False)
    """
    check_fail_on(wanted)
    grave = [SEVERITIES.index(one) for one in wanted if one in SEVERITIES]
    codes = {one.upper() for one in wanted if one not in SEVERITIES}
    limit = max(grave, default=-1)
    return any(SEVERITIES.index(one["severity"]) <= limit or one["code"] in codes for one in findings)
