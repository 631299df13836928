"""Where a finding is: the audited file, and the lines of the items it names."""

from __future__ import annotations

from dataclasses import dataclass

from assay.audits import Audit, Finding


@dataclass(frozen=True)
class Location:
    """A file, as it was named, and the lines of some items in it; no lines where rows are no lines."""

    file: str
    lines: tuple[int, ...] = ()


class Locator:
    """Find the lines of items in the audited file."""

    def __init__(self, audit: Audit) -> None:
        """Number the items of an audit; an audit read from JSON has no items, so only files are known then."""
        self.file = audit.data.file or audit.data.name
        first = audit.data.first_line
        has_lines = first is not None and audit.items is not None
        ids = audit.items["id"].to_list() if has_lines and audit.items is not None else []
        self.lines = {item: row + (first or 1) for row, item in enumerate(ids)}

    def locate(self, finding: Finding) -> Location:
        """Return where a finding is."""
        return Location(self.file, tuple(self.lines[item] for item in finding.items if item in self.lines))
