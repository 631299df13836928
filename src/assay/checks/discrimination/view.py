"""How the page shows discrimination."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.checks.base import CHECKS
from assay.checks.discrimination.repeats import list_repeats
from assay.checks.discrimination.results import DatasetRow, DiscriminationEvidence
from assay.views.blocks import (
    Block,
    Fact,
    Table,
    format_value,
    make_fact,
)
from assay.views.values import ItemCount

MAX_ROWS = 60
PROPOSALS = ("keep", "repair", "retire")


def discrimination_facts(discrimination: DiscriminationEvidence) -> Iterator[Fact]:
    """Yield the λ of a single dataset, the uninformative items, and reliability."""
    quick = discrimination.basis == "quick models"
    method = f"Given as {discrimination.basis}. Counted."
    if quick:
        method = "Quick linear models trained by the audit, as no systems were given. Counted."
    yield from make_fact("Systems", discrimination.n_systems, method)
    if len(discrimination.datasets) == 1:
        row = discrimination.datasets[0]
        for name, estimate, meaning in (
            ("Spread of the scores (λ_var)", row.lambda_var, "Standard deviation of the systems' scores, in points."),
            ("Spread times headroom (λ_sva)", row.lambda_sva, "λ_var times the points between the mean and the best."),
            ("Order that repeats (λ_hit)", row.lambda_hit, "Chance that the winner of a pair wins on other items too."),
        ):
            yield from make_fact(name, estimate, f"{meaning} Xiao et al.; 95% interval over items.")
        method = "What the order of equal systems would repeat by chance: λ_hit must be above it to say anything."
        yield from make_fact("The same for equal systems", row.lambda_hit_null, method)
    for items in discrimination.items[:1]:
        constant = ItemCount(items.n_all_right + items.n_all_wrong, items.n_items)
        yield from make_fact("Uninformative items", constant, "Every system is right, or every one is wrong.")
        method = (
            f"{items.reliability_method.upper()} over systems: 1 means another test set of this kind would rank them "
            "the same. Feldt's interval, 95%."
        )
        yield from make_fact("Reliability", items.reliability, method)
    yield from proposal_facts(discrimination)
    if discrimination.negative is not None:
        method = "Better systems do worse on them, beyond chance."
        yield from make_fact("Items with negative discrimination", discrimination.negative.items, method)


def proposal_facts(discrimination: DiscriminationEvidence) -> Iterator[Fact]:
    """Count the proposals for datasets, if there are several."""
    counts = Counter(row.proposal for row in discrimination.datasets if row.proposal)
    if counts.total() > 1:
        number = ", ".join(f"{proposal} {format_number(counts[proposal])}" for proposal in PROPOSALS)
        yield Fact("Datasets", number, "By the verdict on each dataset, in the table below. Counted.")


def discrimination_tables(discrimination: DiscriminationEvidence) -> Iterator[Table]:
    """Yield λ and verdict by dataset, and agreement by system."""
    rank = {"retire": 0, "repair": 1}
    datasets = sorted(discrimination.datasets, key=lambda row: rank.get(row.proposal or "", 2))
    repeated = Counter(row.dataset for row in datasets)
    with_proposals = any(row.proposal for row in datasets)
    rows = [write_dataset(row, repeated, with_proposals) for row in datasets[:MAX_ROWS]]
    method = (
        "λ_var: spread of the scores in points; λ_sva: λ_var times headroom of the mean; λ_hit: chance that the winner of a "
        "pair wins on other items too, next to what equal systems would reach. 95% intervals over items, where these "
        "or their number are known. Headroom: points between the "
        "best system and the upper bound. Verdict: a test of equal systems over the items (p < 0.05: tells them apart); "
        "without items it is open. Keep what tells systems apart, repair what does not or is crowded at the "
        "top, retire what does not and has less than two points of headroom left."
    )
    if len(datasets) > MAX_ROWS:
        method += (
            f" The first {MAX_ROWS} of {len(datasets):,}, with those to retire and repair first; the JSON has all."
        )
    if rows:
        columns = ["dataset", "λ_var", "λ_sva", "λ_hit", "if equal", "headroom", "p", "verdict"]
        columns += ["proposal"] * with_proposals
        yield Table("Does each dataset tell systems apart?", columns, rows, method)
    agreement = [
        [row.system, format_value(row.kappa), format_number(row.n)] for row in discrimination.agreement[:MAX_ROWS]
    ]
    if agreement:
        columns = ["system", "kappa", "items"]
        yield Table("Agreement with gold beyond chance", columns, agreement, "Cohen's kappa, 95% interval over items.")
    yield from list_repeats(discrimination.repeats)


def write_dataset(row: DatasetRow, repeated: Counter[str], with_proposals: bool) -> list[str]:
    """Write a dataset as the cells of a table."""
    lambdas = [format_value(estimate) for estimate in (row.lambda_var, row.lambda_sva, row.lambda_hit)]
    headroom = format_number(row.headroom) if math.isfinite(row.headroom) else "n/a"
    p_equal = format_value(row.p_equal, "p")
    cells = [name_dataset(row, repeated), *lambdas, format_number(row.lambda_hit_null), headroom, p_equal, row.verdict]
    return [*cells, row.proposal or ""] if with_proposals else cells


def name_dataset(row: DatasetRow, repeated: Counter[str]) -> str:
    """Name a dataset; where another has the same name, with what tells them apart."""
    more = [name for name in (row.benchmark, row.metric) if name and name != "all"]
    return f"{row.dataset} ({', '.join(more)})" if repeated[row.dataset] > 1 and more else row.dataset


@CHECKS["discrimination"].view
def show_discrimination(discrimination: DiscriminationEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from discrimination_facts(discrimination)
    yield from discrimination_tables(discrimination)
