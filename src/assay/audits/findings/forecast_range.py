"""A forecast for data unlike those it was learnt from."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact


def find(seen: Seen) -> Iterator[Finding]:
    """Report a dataset outside the range of those behind the forecast."""
    result = seen.result("forecast")
    if not result.get("out_of_range"):
        return
    names = [str(name) for name in result.get("outside") or []]
    why = f"in {', '.join(names[:5])}" if names else "taking all features together"
    claim = f"The forecast is out of its range: no dataset behind it was like this one {why}."
    action = "Do not rely on the forecast; measure λ with real systems."
    yield RANGE.finding(
        "note", claim, exact(float(len(names))), action, {"features": names[:10], "n": result["n_test"]}
    )


RANGE = Check("A601", "forecast", "Forecast out of range", find)
