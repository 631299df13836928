"""The row of the first screen about difficulty."""

from __future__ import annotations

from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import NotChecked
from assay.checks.measured import Measurements
from assay.checks.topics import KeyNumber, topic
from assay.wording.numbers import format_percent

MAX_SOLVED = 0.5  # of the items: if all systems solve more, these are not hard enough for them


@topic(
    "difficulty",
    order=60,
    title="Difficulty",
    question="Are the items hard enough, and hard in the right way?",
    why="Items that every system gets right, or that words give away, do not measure progress.",
    section="difficulty",
)
def measure_difficulty(measured: Measurements) -> KeyNumber | NotChecked | None:
    """Return the share of items with which all given systems have the full score."""
    discrimination = measured.find(DiscriminationEvidence)
    if discrimination is None or discrimination.basis != "predictions":
        return NotChecked("No predictions were given. This needs the answers of at least five systems.")
    if not discrimination.has_shares:
        return None
    for items in discrimination.items or ():
        if items.n_all_wrong == items.n_judged:
            return NotChecked(f"No answer of any system has the full score ({items.outcome or items.metric}).")
        share = items.n_all_right / max(items.n_judged, 1)
        who = {1: "the only system", 2: "both systems"}.get(discrimination.n_systems)
        who = who or f"all {discrimination.n_systems} systems"
        which = f"{items.n_judged:,} items" + (
            " that every system was run on" if items.n_judged < items.n_items else ""
        )
        unit = f"of the {which} have the full score ({items.outcome or items.metric}) with {who}"
        is_open = share > MAX_SOLVED
        return KeyNumber(share, format_percent(share), unit, "discrimination", ("A503",), is_open=is_open)
    return None
