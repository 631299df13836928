"""How the page shows difficulty."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.checks.base import CHECKS
from assay.checks.difficulty.results import DifficultyEvidence
from assay.statistics import wilson
from assay.views.blocks import Block, Fact, Table, format_value, make_fact


def difficulty_facts(difficulty: DifficultyEvidence) -> Iterator[Fact]:
    """Yield the share of obvious items and the median divergence."""
    method = "Items whose words suggest their label (Peinelt et al.), of those if it is defined. Wilson interval, 95%."
    yield from make_fact("Obvious items", difficulty.obvious, method, "percent")
    if difficulty.closer_to_other is None:
        text = "The threshold between low and high divergence; over all items measured, so exact."
        yield from make_fact("Median divergence", difficulty.median, text)
        return
    n = difficulty.n_items - difficulty.n_undefined
    if math.isfinite(difficulty.closer_to_other) and n:
        text = (
            f"Of {format_number(n)} texts, as TF-IDF vectors; cosine distance to training texts. Wilson interval, 95%."
        )
        yield Fact("Closer to another label", format_value(wilson(difficulty.closer_to_other * n, n), "percent"), text)
    gap = "Distance to the nearest training text of the same label minus that to another label; below 0: the same label"
    method = f"{gap} is closer. Over all items measured, so exact."
    yield from make_fact("Median difficulty", difficulty.median, method)


def difficulty_tables(difficulty: DifficultyEvidence) -> Iterator[Table]:
    """Yield the cases by part, and where single texts are closer to another label."""
    rows = []
    for part in difficulty.by_part:
        counts = part.counts
        obvious = counts.positive_obvious + counts.negative_obvious
        cells = (
            counts.positive_obvious,
            counts.positive_non_obvious,
            counts.negative_obvious,
            counts.negative_non_obvious,
        )
        share = format_value(wilson(obvious / max(1, counts.total) * counts.total, counts.total), "percent")
        rows.append([part.part, *map(format_number, cells), share])
    columns = ["part", "positive, obvious", "positive, other", "negative, obvious", "negative, other", "obvious"]
    method = "Counted, so exact; the share has a Wilson interval (95%)."
    if rows:
        yield Table("Cases by part", columns, rows, method)
    method = "Texts whose nearest training text has another label; Wilson interval, 95%."
    for by in ("label", "part"):
        shares = [
            [row.name, format_value(wilson(row.share * row.n, row.n), "percent"), format_number(row.n)]
            for row in difficulty.closer_by
            if row.by == by
        ]
        if shares:
            yield Table(f"Closer to another label, by {by}", [by, "share", "items"], shares, method)


@CHECKS["difficulty"].view
def show_difficulty(difficulty: DifficultyEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from difficulty_facts(difficulty)
    yield from difficulty_tables(difficulty)
