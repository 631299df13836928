"""Tables of the facts of a kind of task: figures, defects and distributions."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.kinds.facts import KindProfile
from assay.views.blocks import Fact, Table, Value, make_fact


def show_figures(profile: KindProfile, item_noun: str = "item") -> Iterator[Fact]:
    """Yield the figures and the defects."""
    for figure in profile.figures:
        name = figure.name[:1].upper() + figure.name[1:]
        is_large = not figure.is_share and math.isfinite(figure.value) and abs(figure.value) >= 1
        form = "percent" if figure.is_share else "number"
        yield from make_fact(name, round(figure.value, 1) if is_large else figure.value, "Counted. Exact.", form)
    for defect in profile.defects:
        method = f"{item_noun.capitalize()}s that {defect.description}."
        yield from make_fact(defect.name.capitalize(), defect.items, method)


def show_distributions(profile: KindProfile) -> Iterator[Table]:
    """Yield how often each value occurs, and how often it would by chance if that is known."""
    for table in profile.distributions:
        if len(table.counts) < 2:
            continue
        rows: list[list[Value]] = [[value, count] for value, count in table.counts.items()]
        columns = ["value", "count"]
        if table.expected:
            rows = [[*row, table.expected.get(value)] for row, value in zip(rows, table.counts, strict=True)]
            columns.append("by chance")
        yield Table(table.name.capitalize(), columns, rows, "Counted over all items. Exact.")
