"""A kind of chart: where its points come from, how it is drawn, and how its numbers were had."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.report.characters import cleaned, narrow, visible

Rows = list[dict[str, Any]]
MOST_MARK = 26  # columns of a name in a chart


@dataclass(frozen=True)
class Drawing:
    """One chart; `draw` takes its points and returns an Altair chart, or None where they show nothing."""

    name: str
    section: str
    title: str
    how: str
    columns: Mapping[str, str]
    draw: Callable[[Rows, Mapping[str, Any]], Any] = field(repr=False)
    words_of_texts: bool = False  # left out of private pages

    def rows(self, audit: Mapping[str, Any], write: Callable[[object], str] = visible) -> Rows:
        """Return the points of this chart in an audit, safe to show; none where the section was not done."""
        found = self.beside(audit).get(self.name)
        points = found if isinstance(found, list) else []
        return [cleaned(point, write) for point in points if isinstance(point, dict)]

    def beside(self, audit: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return all chart data of the section, for what a chart refers to (an entropy, a threshold)."""
        section = audit.get("sections", {}).get(self.section) or {}
        return (section.get("result") or {}).get("charts") or {}

    def chart(self, audit: Mapping[str, Any]) -> Any:
        """Draw, or return None where the data is missing."""
        rows = self.rows(audit, lambda name: narrow(name, MOST_MARK))
        return self.draw(rows, self.beside(audit)) if rows else None
