"""Tables and sentences of a search for bad items: how many are expected, the suspects, and the evidence against them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.base.errors import join_names
from assay.suspects.results import MIN_SUSPICION
from assay.suspects.reviews import describe_review
from assay.views.blocks import Block, Column, Fact, Sentence, make_fact, make_table
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    from assay.suspects.results import Suspects


def show_suspects(result: Suspects) -> Iterator[Block]:
    """Yield the share of bad items, the suspects, the evidence, and the verdict."""
    yield from show_bad_share(result)
    yield from make_table(
        "Most suspicious items",
        result.items_top,
        {
            "id": lambda item: item.id,
            "label": lambda item: item.label or "",
            "suggested": lambda item: item.suggested or "",
            **({} if result.order_only else {Column("suspicion", "rounded:2"): lambda item: item.suspicion}),
            "reasons": lambda item: item.reasons,
        },
        "In the order of the evidence against the label."
        if result.order_only
        else "The probability that the gold label, or the item itself, is bad.",
        is_main=True,
    )
    yield from make_table(
        "Expected share of bad items among the most suspicious",
        result.precision_at,
        {"items": lambda row: row.k, Column("share", "percent"): lambda row: row.expected},
    )
    yield from make_table(
        "Evidence",
        result.evidence,
        {
            "kind": lambda row: row.name,
            "items": lambda row: row.n_items,
            "against the label": lambda row: row.n_against,
            Column("wrong labels", "percent"): lambda row: row.wrong_share,
            "from": lambda row: row.detail,
        },
    )
    if result.review is not None:
        yield Sentence(describe_review(result.review))
    yield Sentence(f"{describe_suspected(result)} {describe_expected(result)}", is_verdict=True)


def show_bad_share(result: Suspects) -> Iterator[Fact]:
    """Yield the expected share of items with a wrong gold label or another defect."""
    method = (
        f"Of {result.n_judged:,} items, estimated from {join_names(result.sources)}; 95% interval. "
        "assay suspects lists them with reasons."
    )
    yield from make_fact("Wrong gold labels or bad items", result.bad_share, method, "percent")


def describe_suspected(result: Suspects) -> str:
    """Say how many items are suspected, and how many of these are expected to be bad."""
    items = result.suspected
    if items.count:
        return (
            f"{count_noun(items.count, 'item')} of {items.n:,} ({format_percent(items.share)}) "
            f"{choose_verb(items.count, 'is', 'are')} suspected of a wrong gold label or another defect. "
            f"About {format_percent(result.precision)} of these are expected to be bad."
        )
    if result.order_only:
        return (
            f"Order only: {join_names(result.sources)} cannot tell how many of {count_noun(items.n, 'label')} are wrong. "
            "Review the first items."
        )
    none = f"None of {count_noun(items.n, 'item')} is suspected: hard items explain what contradicts the labels as well as "
    likely = [item.suspicion for item in result.items_top if item.suspicion >= MIN_SUSPICION]
    if not likely:
        return f"{none}wrong labels do."
    share = format_percent(sum(likely) / len(likely))
    return (
        f"{none}wrong labels do. Of the first {count_noun(len(likely), 'item')}, about {share} would be bad if labels were "
        "wrong as often as elsewhere: review these."
    )


def describe_expected(result: Suspects) -> str:
    """Say how many bad items are expected in all, with the interval, and how many items were not judged."""
    n_left = result.n_items - result.n_judged
    left = f" {count_noun(n_left, 'item')} {choose_verb(n_left, 'was', 'were')} not judged: no evidence covers them."
    expected = f"In all, about {format_interval(result.expected_bad, 'rounded:0')} bad items are expected."
    return f"{'' if result.order_only else expected}{left if n_left else ''}".strip()
