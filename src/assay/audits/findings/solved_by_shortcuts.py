"""Items that shortcuts solve."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_percent, format_share
from assay.statistics import wilson

MOST = 0.3


def find(seen: Seen) -> Iterator[Finding]:
    """Report where surely more than 30 % of the held-out items are named rightly, and with knowledge, by cues alone."""
    result = seen.result("information")
    if not result.get("shortcut_model"):
        return
    n = result["n_items"]
    share = wilson(round(result["shortcut_model"]["solved_share"] * n), n)
    if share.low > MOST:
        claim = (
            f"Shortcuts alone (lengths, marks, overlap, single words) solve {format_share(share)} of {n:,} held-out items: "
            "one or another model that sees nothing else is right on them, and surer than label shares would make it"
            f"{together(result['shortcut_model'].get('accuracy'))}."
        )
        action = "Rank systems on the other items (assay information DATA --predictions P)."
        yield SOLVED.finding("note", claim, share, action, {"n": n})


def together(accuracy: float | None) -> str:
    """Say how often the model of all cues together is right, where that is known."""
    return (
        ""
        if accuracy is None
        else f"; the one of all cues together is right on {format_percent(accuracy)} of all items"
    )


SOLVED = Check("A406", "information", "Solved by shortcuts", find)
