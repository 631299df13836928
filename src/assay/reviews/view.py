"""Tables and sentences of a review: the plan, the number of bad items, corrected scores and ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.base.errors import join_names
from assay.views.blocks import Block, Column, Sentence, Table, Value, make_fact, make_table
from assay.wording.numbers import format_interval, format_number, format_percent
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assay.reviews.results import CorrectedSystem, ReviewEstimate, ReviewPlan, ReviewStratum

MAX_ROWS = 20


def show_plan(plan: ReviewPlan) -> Iterator[Block]:
    """Yield the strata, the items, and what to do with them."""
    yield from make_fact("Items to review", f"{plan.n_drawn:,} of {plan.n_items:,}", "Drawn without replacement.")
    yield from _show_strata(plan.strata, "Drawn items")
    yield from make_table(
        "Items to review",
        plan.drawn,
        {
            "id": lambda item: item.id,
            Column("draw probability", "rounded:4"): lambda item: item.draw_probability,
            "label": lambda item: item.label or "",
            "suggested": lambda item: item.suggested or "",
            "reasons": lambda item: item.reasons,
        },
        "In the order in which they should be reviewed.",
        is_main=True,
        max_rows=MAX_ROWS,
    )
    yield Sentence(
        f"Review {count_noun(plan.n_drawn, 'item')} in the order of the file: write ok, bad or what is wrong into the "
        "column verdict, and the label that is right, if there is one, into right_label.",
        is_verdict=True,
    )


def show_estimate(result: ReviewEstimate) -> Iterator[Block]:
    """Yield the number of bad items, systems, strata, reviewers, groups and suspects, and the verdict."""
    about = "design-based 95% interval" if result.bad.confidence == 0.95 else "design-based interval"
    kind = f"{about} that holds after every batch" if result.anytime else about
    method = f"From {result.n_reviewed:,} reviewed items, drawn with known probabilities; {kind}."
    yield from make_fact("Bad items", result.bad, method)
    yield from make_fact("Share of bad items", result.bad_share, method, "percent")
    yield from make_fact("Bad items found", result.n_bad, "Among the reviewed items.")
    for pair in result.agreement:
        names = " and ".join(pair.reviewers)
        yield from make_fact(
            f"Agreement of {names}", pair.agreement, f"On {pair.n:,} items that both reviewed.", "percent"
        )
        yield from make_fact(f"Kappa of {names}", pair.kappa, "Agreement beyond chance (Cohen).")
    yield from _show_systems(result)
    yield from _show_strata(result.strata, "Reviewed items")
    yield from make_table(
        "Groups with more or fewer bad items than the suspicion leads to expect",
        sorted(result.groups, key=lambda group: -group.factor),
        {
            "group": lambda group: group.group,
            "reviewed": lambda group: group.n_reviewed,
            Column("bad", "rounded:1"): lambda group: group.n_bad,
            Column("expected", "rounded:1"): lambda group: group.expected,
            Column("factor", "rounded:2"): lambda group: group.factor,
        },
        "The factor of the odds of each group is shrunk towards 1.",
    )
    yield from make_table(
        "Most suspicious items not reviewed",
        result.suspects,
        {
            "id": lambda item: item.id,
            "label": lambda item: item.label or "",
            "suggested": lambda item: item.suggested or "",
            Column("suspicion", "rounded:2"): lambda item: item.suspicion,
            "reasons": lambda item: item.reasons,
        },
        "Suspicion fitted to the verdicts.",
        max_rows=MAX_ROWS,
    )
    if result.agreement:
        yield Sentence(
            "Items about which reviewers disagree count as ok for the lower limit and as bad for the upper one. This "
            "assumes that the reviewers do not make the same error; a third reviewer settles a dispute."
        )
    yield Sentence(" ".join(filter(None, (_describe_bad(result), _describe_ranks(result)))), is_verdict=True)


def _show_systems(result: ReviewEstimate) -> Iterator[Table]:
    columns: dict[str | Column, Callable[[CorrectedSystem], Value]] = {
        "system": lambda system: system.system,
        Column("score", "percent"): lambda system: system.score.value,
        Column("on good items", "percent"): lambda system: system.good,
        Column("corrected", "percent"): lambda system: system.corrected,
        "rank": lambda system: system.rank,
        "ranks": lambda system: _write_range(system.rank_low, system.rank_high),
        "rank before": lambda system: system.rank_before,
    }
    n_relabelled = count_noun(result.n_relabelled, "bad item")
    relabelled = f"{n_relabelled} with a right label {choose_verb(result.n_relabelled, 'is', 'are')} scored by it"
    method = (
        f"{result.metric}; corrected: {relabelled}, other bad items are left out. Intervals are about what a review of "
        "all items would give; ranks hold for all systems together."
    )
    yield from make_table("Systems", result.systems, columns, method, is_main=True)


def _show_strata(strata: Sequence[ReviewStratum], title: str) -> Iterator[Table]:
    is_reviewed = any(stratum.n_reviewed for stratum in strata)
    columns: dict[str | Column, Callable[[ReviewStratum], Value]] = {
        "batch": lambda stratum: stratum.batch,
        Column("draw probability", "rounded:4"): lambda stratum: stratum.draw_probability,
        "items": lambda stratum: stratum.n_items,
        "drawn": lambda stratum: stratum.n_drawn,
    }
    if is_reviewed:
        columns["reviewed"] = lambda stratum: stratum.n_reviewed
        columns[Column("bad", "rounded:1")] = lambda stratum: stratum.n_bad
    yield from make_table(f"{title} by stratum", strata, columns, "Items with the same probability to be drawn.")


def _write_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _describe_bad(result: ReviewEstimate) -> str:
    share = format_percent(result.bad_share.value)
    return (
        f"About {format_interval(result.bad, 'rounded:0')} of {result.n_items:,} items ({share}) are bad, estimated from "
        f"{count_noun(result.n_reviewed, 'reviewed item')}; {format_number(round(result.n_bad, 1))} of these "
        f"{choose_verb(round(result.n_bad), 'is', 'are')} bad."
    )


def _describe_ranks(result: ReviewEstimate) -> str:
    if len(result.systems) < 2:
        return ""
    changed = [system.system for system in result.systems if system.rank_changes]
    if not changed:
        return "No rank changes with confidence when labels are corrected."
    rank, verb = ("rank", "changes") if len(changed) == 1 else ("ranks", "change")
    return f"The {rank} of {join_names(changed)} {verb} with confidence when labels are corrected."
