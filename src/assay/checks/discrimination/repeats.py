"""How the page shows repeats of runs."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.evaluation.repeats.variance import Repeats
from assay.views.blocks import Table

MAX_ROWS = 60
METHOD = (
    "Standard deviations of the outcomes between items and between the repeats of an item (analysis of variance); the "
    "standard error is that of the mean over items and repeats. Between repeats: of the score from one repeat to the "
    "next. Worth: how many items, run once, would be as precise."
)


def list_repeats(repeats: Repeats | None) -> Iterator[Table]:
    """Yield one row per system where runs were repeated."""
    if repeats is None:
        return
    columns = ["system", "repeats", "items", "sd items", "sd repeats", "standard error", "between repeats", "worth"]
    rows = [
        [
            *(row.system, format_number(row.n), format_number(row.n_items), format_number(row.sd_items)),
            *(format_number(row.sd_repeats), format_number(row.standard_error), format_number(row.sd_scores)),
            format_number(row.items_equivalent),
        ]
        for row in repeats.systems[:MAX_ROWS]
    ]
    yield Table("Repeats", columns, rows, METHOD)
