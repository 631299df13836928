"""Tables and sentences of differential item functioning and of guessing."""

from __future__ import annotations

from collections.abc import Iterator

from assay.discrimination.items.differential_functioning import DifferentialFunctioning
from assay.discrimination.items.guessing import GuessingEstimates
from assay.views.blocks import Block, Column, Sentence, make_table
from assay.wording.sentences import count_noun

MAX_ROWS = 30


def show_functioning(result: DifferentialFunctioning) -> Iterator[Block]:
    """Yield the groups of items, the items that are named, and the verdict."""
    yield from make_table(
        f"Groups of items, {result.focal} and equally able others",
        result.subjects,
        {
            "items": lambda row: row.subject,
            "number": lambda row: row.n_items,
            "difference in points": lambda row: row.points,
            Column("p", "p"): lambda row: row.p,
            Column("adjusted p", "p"): lambda row: row.adjusted_p,
        },
        "Points by which the group is better (or worse) than systems that do as well on the other items; 95%.",
    )
    yield from make_table(
        f"Items that are harder or easier for {result.focal}",
        result.flagged,
        {
            "item": lambda row: row.item,
            "odds ratio": lambda row: row.odds_ratio,
            "delta": lambda row: row.delta,
            Column("p", "p"): lambda row: row.p,
            Column("adjusted p", "p"): lambda row: row.adjusted_p,
        },
        "Odds of a right answer at equal ability, compared with the other systems (Mantel and Haenszel); 95%.",
        max_rows=MAX_ROWS,
    )
    yield Sentence(_write_verdict(result), is_verdict=True)


def _write_verdict(result: DifferentialFunctioning) -> str:
    if result.reason is not None:
        return f"Not tested: {result.reason}"
    named = sum(row.adjusted_p <= result.fdr for row in result.subjects)
    subjects = f" Groups of items that differ: {named} of {len(result.subjects)}." if result.subjects else ""
    return (
        f"{len(result.flagged):,} of {result.n_tested:,} items differ between {count_noun(result.n_focal, 'system')} of "
        f"{result.focal} and {result.n_reference} equally able others (false discovery rate {result.fdr:.0%}).{subjects}"
    )


def show_guessing(result: GuessingEstimates) -> Iterator[Block]:
    """Yield one row per chance of a blind guess, and the verdict."""
    yield from make_table(
        "Guessing",
        result.rows,
        {
            Column("blind guess", "percent"): lambda row: row.chance,
            "items": lambda row: row.n_items,
            "answers without knowledge": lambda row: round(row.n_guesses),
            Column("right without knowledge", "percent"): lambda row: row.value,
            "not determined": lambda row: row.reason,
        },
        "Lower asymptote of the item response model, shared by the items of a row; 95%.",
    )
    known = [row for row in result.rows if row.reason is None]
    verdict = f"Guessing can be told for {len(known)} of {count_noun(len(result.rows), 'kind')} of items."
    yield Sentence(verdict, is_verdict=True)
