"""What an audit has to say: a code, how grave it is, a sentence with its number, the evidence and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.audits.section import Section
from assay.base.results import Result
from assay.statistics import Interval

SEVERITIES = ("error", "warning", "note")
MOST_IDS = 10


@dataclass(frozen=True)
class Finding(Result):
    """One thing found: words of the data stand in double quotes in `claim`, and as `evidence["token"]`."""

    code: str
    severity: str
    claim: str
    value: float
    low: float
    high: float
    evidence: dict[str, Any]
    action: str
    section: str
    page: str


@dataclass(frozen=True)
class Seen:
    """What findings may look at: the sections' results as plain values, and what the data is."""

    data: Mapping[str, Any]
    sections: Mapping[str, Section]

    def result(self, name: str) -> dict[str, Any]:
        """Return the result of a section, empty where it was not done."""
        section = self.sections.get(name)
        return section.result if section is not None and section.status == "done" else {}


@dataclass(frozen=True)
class Check:
    """A kind of finding: its code, the section it reads, a title, and the function that finds it."""

    code: str
    section: str
    title: str
    find: Callable[[Seen], Iterator[Finding]] = field(repr=False)

    def finding(
        self, severity: str, claim: str, number: Interval, action: str, evidence: dict[str, Any] | None = None
    ) -> Finding:
        """Make a finding of this kind."""
        ends = (number.value, number.low, number.high)
        page = f"docs/findings.md#{self.code.lower()}"
        return Finding(self.code, severity, claim, *ends, evidence or {}, action, self.section, page)


def gravest_first(findings: list[Finding]) -> list[Finding]:
    """Sort by severity, then by code; findings of one code keep their order."""
    return sorted(findings, key=lambda found: (SEVERITIES.index(found.severity), found.code))
