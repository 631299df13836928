"""How the page shows discrimination."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.discrimination.view import (
    count_proposals,
    list_item_facts,
    list_lambdas,
    show_agreement,
    show_datasets,
    show_saturation,
)
from assay.evaluation.view import show_repeats, write_difference
from assay.views.blocks import Block, Fact, make_fact

MAX_ROWS = 60


def discrimination_facts(discrimination: DiscriminationEvidence) -> Iterator[Fact]:
    """Yield the systems, λ of a single dataset, the smallest difference that shows, items and proposals."""
    method = f"Given as {discrimination.basis}. Counted."
    if discrimination.basis == "quick models":
        method = "Quick linear models trained by the audit, as no systems were given. Counted."
    yield from make_fact("Systems", discrimination.n_systems, method)
    if len(discrimination.datasets) == 1:
        yield from list_lambdas(discrimination.datasets[0])
    difference = discrimination.difference
    if difference is not None and difference.value > 0:
        number = write_difference(difference.value, has_shares=difference.has_shares)
        yield Fact("Smallest difference that shows", number, "Between the first two systems, with 80% power.")
    for items in (discrimination.items or ())[:1]:
        yield from list_item_facts(items)
    yield from count_proposals(discrimination.datasets)
    if discrimination.negative is not None:
        method = "Better systems do worse on them, beyond chance."
        yield from make_fact("Items with negative discrimination", discrimination.negative.items, method)


def discrimination_tables(discrimination: DiscriminationEvidence) -> Iterator[Block]:
    """Yield λ and verdict by dataset, saturation, agreement by system, and repeats."""
    rank = {"retire": 0, "repair": 1}
    datasets = sorted(discrimination.datasets, key=lambda row: rank.get(row.proposal or "", 2))
    several = len({row.benchmark for row in datasets}) > 1
    title = "Does each dataset tell systems apart?"
    yield from show_datasets(datasets, title, with_benchmark=several, max_rows=MAX_ROWS)
    yield from show_saturation(datasets, MAX_ROWS)
    yield from show_agreement(discrimination.agreement, MAX_ROWS)
    yield from show_repeats(discrimination.repeats)


@CHECKS["discrimination"].view
def show_discrimination(discrimination: DiscriminationEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from discrimination_facts(discrimination)
    yield from discrimination_tables(discrimination)
