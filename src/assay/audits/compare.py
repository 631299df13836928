"""Changes between two audits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.audits.result import Audit
from assay.base.entry_points import entry_point
from assay.base.marks import OWN
from assay.checks.findings import Finding, Severity
from assay.views.blocks import Block
from assay.views.results import Result


@dataclass(frozen=True)
class ChangedFinding(Result):
    """A finding that both audits have, with other severity or value."""

    old: Finding
    new: Finding


@dataclass(frozen=True)
class SectionChange(Result):
    """A section whose status is not the same in both audits; None if it was not requested."""

    section: str = field(metadata=OWN)
    old: str | None = field(metadata=OWN)
    new: str | None = field(metadata=OWN)


@dataclass(frozen=True)
class AuditComparison(Result):
    """Findings that are new, gone, changed, not checked or ignored this time, and whether the data is the same."""

    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    not_checked: tuple[Finding, ...]
    changed: tuple[ChangedFinding, ...]
    n_same: int
    same_data: bool
    sections: tuple[SectionChange, ...]
    ignored: tuple[Finding, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """Yield the differences, and how many there are."""
        from assay.audits.view import show_comparison

        yield from show_comparison(self)

    @property
    def worst_new(self) -> Severity | None:
        """Return the highest severity among new and changed findings."""
        severities = [finding.severity for finding in self.new] + [change.new.severity for change in self.changed]
        return min(severities, key=("error", "warning", "note").index, default=None)


@entry_point()
def diff(old: Audit | str | Path, new: Audit | str | Path) -> AuditComparison:
    """Compare two audits, or their JSON files: findings that are new, gone, changed or not checked this time."""
    audits = [each if isinstance(each, Audit) else Audit.from_json(each) for each in (old, new)]
    return compare_audits(audits[0], audits[1])


def compare_audits(old: Audit, new: Audit) -> AuditComparison:
    """Compare two audits finding by finding: the same code about the same subject is the same finding.

    A finding changed when its severity did, or when its new value is outside the old interval. A finding whose rule was
    not checked in the new audit, or that is ignored there, is neither gone nor the same.
    """
    before = {(finding.code, finding.subject): finding for finding in old.findings}
    after = {(finding.code, finding.subject): finding for finding in new.findings}
    both = [key for key in after if key in before]
    changed = [ChangedFinding(before[key], after[key]) for key in both if has_changed(before[key], after[key])]
    unchecked = {rule.code for rule in new.not_checked}
    suppressed = {(finding.code, finding.subject) for finding in new.ignored}
    missing = [finding for key, finding in before.items() if key not in after and key not in suppressed]
    return AuditComparison(
        new=tuple(after[key] for key in after if key not in before),
        gone=tuple(finding for finding in missing if finding.code not in unchecked),
        not_checked=tuple(finding for finding in missing if finding.code in unchecked),
        changed=tuple(changed),
        n_same=len(both) - len(changed),
        same_data=old.data.fingerprint == new.data.fingerprint,
        sections=tuple(_compare_sections(old, new)),
        ignored=tuple(finding for key, finding in before.items() if key not in after and key in suppressed),
    )


def has_changed(old: Finding, new: Finding) -> bool:
    """Return whether a finding has another severity, or left its old interval."""
    if old.severity != new.severity:
        return True
    if old.value == new.value or (math.isnan(old.value) and math.isnan(new.value)):
        return False  # also where the interval is for chance, and the value beyond it
    if math.isnan(old.low) or math.isnan(old.high) or math.isnan(new.value):
        return True
    return not old.low <= new.value <= old.high


def _compare_sections(old: Audit, new: Audit) -> list[SectionChange]:
    names = dict.fromkeys([*old.sections, *new.sections])
    changes = [SectionChange(name, _status(old, name), _status(new, name)) for name in names]
    return [change for change in changes if change.old != change.new]


def _status(audit: Audit, name: str) -> str | None:
    return audit.sections[name].status if name in audit.sections else None
