"""Ignore findings on request: by code, or by code and subject, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assay.base.errors import UsageError, unknown_name
from assay.base.marks import NAME, OWN
from assay.checks.findings import FINDINGS, Finding, Severity
from assay.views.results import Result


@dataclass(frozen=True)
class IgnoreRule(Result):
    """Which findings to ignore: all of a code, or the one about a subject."""

    code: str = field(metadata=OWN)
    subject: str = field(default="", metadata=NAME)
    reason: str = field(default="", metadata=NAME)

    def matches(self, finding: Finding, subject: str) -> bool:
        """Return whether a finding is ignored; `subject` is the subject of the finding before text was withheld."""
        return finding.code == self.code and self.subject.casefold() in ("", subject.casefold())


@dataclass(frozen=True)
class IgnoredFinding(Result):
    """A finding that was ignored on request, and why."""

    code: str = field(metadata=OWN)
    subject: str = field(metadata=NAME)
    reason: str = field(metadata=NAME)
    claim: str = field(metadata=NAME)
    severity: Severity


def parse_ignore(text: str) -> IgnoreRule:
    """Read CODE, CODE:SUBJECT, or either with =REASON.

    >>> parse_ignore("A401:not=negation is part of the task")
    IgnoreRule(code='A401', subject='not', reason='negation is part of the task')
    """
    target, _, reason = text.partition("=")
    code, _, subject = target.partition(":")
    code = code.strip().upper()
    if code not in FINDINGS:
        raise unknown_name("finding", code, FINDINGS)
    return IgnoreRule(code, subject.strip(), reason.strip())


def read_ignore(entries: str | IgnoreRule | Iterable[str | IgnoreRule] | None) -> tuple[IgnoreRule, ...]:
    """Return the rules of one entry or several, each as text or ready-made."""
    if entries is None:
        return ()
    members = [entries] if isinstance(entries, str | IgnoreRule) else list(entries)
    for member in members:
        if not isinstance(member, str | IgnoreRule):
            raise UsageError(f"takes text such as 'A401:not=reason', not {member!r}.", option="ignore")
    return tuple(parse_ignore(member) if isinstance(member, str) else member for member in members)


def separate_ignored(
    findings: Sequence[Finding], subjects: Sequence[str], rules: Sequence[IgnoreRule]
) -> tuple[list[Finding], list[IgnoredFinding]]:
    """Return the findings that count and those that are ignored; the first rule that matches gives the reason."""
    kept, ignored = [], []
    for finding, subject in zip(findings, subjects, strict=True):
        rule = next((rule for rule in rules if rule.matches(finding, subject)), None)
        if rule is None:
            kept.append(finding)
        else:
            ignored.append(IgnoredFinding(finding.code, finding.subject, rule.reason, finding.claim, finding.severity))
    return kept, ignored


def find_unused(rules: Iterable[IgnoreRule], ignored: Sequence[IgnoredFinding]) -> list[IgnoreRule]:
    """Return the rules that matched no finding, which may be out of date."""
    codes = {finding.code for finding in ignored}
    subjects = {(finding.code, finding.subject.casefold()) for finding in ignored}
    return [
        rule
        for rule in rules
        if (rule.code not in codes if not rule.subject else (rule.code, rule.subject.casefold()) not in subjects)
    ]
