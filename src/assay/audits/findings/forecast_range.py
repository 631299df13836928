"""A forecast for data unlike those it was learnt from."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.audits.wording import counted


def find(seen: Seen) -> Iterator[Finding]:
    """Report features outside the range of the datasets behind the forecast."""
    outside = seen.result("forecast").get("out_of_range") or []
    if outside:
        names = [str(name) for name in outside]
        claim = f"The forecast is out of its range in {counted(len(names), 'feature')}: {', '.join(names[:5])}."
        action = "Do not rely on the forecast; measure λ with real systems."
        yield RANGE.finding("note", claim, exact(float(len(names))), action, {"features": names[:10], "n": len(names)})


RANGE = Check("A601", "forecast", "Forecast out of range", find)
